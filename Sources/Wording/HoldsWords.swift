import Bytes
import TagProgramming

extension Holds {
  /// What the tag holds, behind "On the tag:".
  public var sentence: String {
    switch self {
    case .unchanged: "unchanged."
    case .earlierTry: "as an earlier try left it."
    case .notKnown: "not known."
    case .partly: "some of it is written; the same command finishes it."
    case .torn(let torn): "\(torn.clause); what was written before it stands."
    case .stopped(nil, let progress): progress.clause + "."
    case .stopped(let torn?, let progress): "\(torn.clause); \(progress.clause)."
    case .messageBelowMirror: "the message, with the mirror over it."
    case .othersReset: "every other sector is back in the state of delivery."
    }
  }
}

extension Holds.Torn {
  fileprivate var clause: String {
    "\(place) is old, new or damaged"
      + (soleCopy.map { bytes in
        ", and nothing else on the tag tells all of what it is to hold, "
          + Hex.string(bytes, separator: " ").uppercased()
      } ?? "")
  }
}

extension Holds.Progress {
  fileprivate var clause: String {
    switch self {
    case .allWritten: "everything is written, not all of it is verified"
    case .allBefore: "everything before it is written"
    case .oldMessage: "the message is the old one"
    case .halfDirectory:
      "the message is there, but only half of the directory: readers may not find it yet"
    case .emptyMessage(let done, let count):
      "an empty message, with \(done) of \(count) writes done"
    case .noMessage: "no message is on it yet"
    case .notFormatted: "the tag is not formatted for NDEF yet"
    case .sectorsFormatted(let done, let count):
      "\(done) of \(count) sectors are formatted, the directory comes last, so it is no NDEF tag yet"
    case .sectorsReset(let done, let count):
      "\(done) of \(count) sectors are back in the state of delivery"
    case .dump(let done, let count): "\(done) of \(count) writes of the dump are done"
    case .password(let done, let count, let followsMessage):
      "\(followsMessage ? "the message is written; " : "")\(done) of \(count) writes of the password are done"
    case .locks(let done, let count, let followsMessage):
      "\(followsMessage ? "the message is written; " : "")\(done) of \(count) locks are set"
    case .writes(let done, let count): "\(done) of \(count) writes are done"
    }
  }
}
