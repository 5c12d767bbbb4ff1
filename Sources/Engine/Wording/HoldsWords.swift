import Bytes
import TagMemory
import TagProgramming

extension Holds {
  /// What the tag holds, behind "On the tag:".
  package var sentence: String {
    switch self {
    case .unchanged: "unchanged."
    case .passwordCounted(nil):
      "unchanged, but it may have counted a wrong password: perhaps no other try is left before it locks permanently."
    case .passwordCounted(1): "unchanged, but if the password was wrong, it is locked permanently."
    case .passwordCounted(let limit?):
      "unchanged, but it may have counted a wrong password; \(limit) in a row lock it permanently, so at most \(counted(limit - 1, "try", "tries")) \(isAre(limit - 1)) left."
    case .notKnown: "not known."
    case .stopped(nil, let progress): progress.clause + "."
    case .stopped(let torn?, let progress): "\(torn.clause); \(progress.clause)."
    case .messageBelowMirror: "the message, partly covered by the ASCII mirror."
    case .othersReset: "every other sector is back in the state of delivery."
    case .putBack(let delivered, let erased, let keys):
      [
        clause(delivered, "back in the state of delivery"), clause(erased, "erased"),
        clause(keys, "under the factory's keys again"), "every other sector is unchanged",
      ].compactMap(\.self).joined(separator: "; ") + "."
    }
  }
}

extension Holds {
  /// What `sectors` are; nil for none.
  private func clause(_ sectors: [Sector], _ what: String) -> String? {
    guard !sectors.isEmpty else { return nil }
    let numbers = NumberRuns.list(sectors.map(\.index))
    return "\(sectors.count == 1 ? "sector" : "sectors") \(numbers) \(isAre(sectors.count)) \(what)"
  }
}

extension Holds.Torn {
  fileprivate var clause: String {
    "\(place) is old, new or damaged"
      + (soleCopy.map { bytes in
        ", and the tag does not show elsewhere what it should hold: "
          + Hex.string(bytes, separator: " ").uppercased()
      } ?? "")
  }
}

extension Holds.Progress {
  fileprivate var clause: String {
    switch self {
    case .allWritten: "everything is written, but not all of it is verified"
    case .notAllStored: "everything was written, but the tag does not hold all of it"
    case .messageDiffers:
      "the message was written, but the tag holds other bytes: readers may find a damaged or a wrong message"
    case .messageWithdrawn:
      "an empty message; the new one was deleted, because the tag did not keep it as it was written"
    case .allBefore: "everything before it is written"
    case .oldMessage: "the message is the old one"
    case .halfDirectory:
      "the message is there, but only half of the directory: readers may not find it yet"
    case .emptyMessage(let done, let count):
      "an empty message, with \(done) of \(counted(count, "write")) done"
    case .newMessage(let done, let count):
      "the message is written; \(done) of \(counted(count, "write")) \(isAre(done)) done"
    case .noMessage: "it has no message yet"
    case .notFormatted: "the tag is not formatted for NDEF yet"
    case .sectorsFormatted(let done, let count):
      "\(done) of \(counted(count, "sector")) \(isAre(done)) formatted; the directory is written last, so it is not an NDEF tag yet"
    case .sectorsReset(let done, let count):
      "\(done) of \(counted(count, "sector")) \(isAre(done)) back in the state of delivery"
    case .dump(let done, let count):
      "\(done) of \(counted(count, "write")) of the dump \(isAre(done)) done"
    case .password(let done, let count, let followsMessage):
      "\(followsMessage ? "the message is written; " : "")\(done) of \(counted(count, "write")) of the password \(isAre(done)) done"
    case .keys(let done, let count, let followsMessage):
      "\(followsMessage ? "the message is written; " : "")\(done) of \(counted(count, "write")) of keys and settings \(isAre(done)) done"
    case .locks(let done, let count, let followsMessage):
      "\(followsMessage ? "the message is written; " : "")\(done) of \(counted(count, "lock")) \(isAre(done)) set"
    case .writes(let done, let count): "\(done) of \(counted(count, "write")) \(isAre(done)) done"
    }
  }
}
