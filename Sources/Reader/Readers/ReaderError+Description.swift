import TagMemory

extension ReaderError {
  /// The description without the chip's and the tag's status bytes.
  package var words: String {
    switch self {
    case .exchangeFailed(let status): "the exchange with the tag failed: \(status.words)"
    case .feliCaStatus: "the FeliCa tag refused"
    default: description
    }
  }

  /// The status bytes of the chip or of a FeliCa tag; nil without any.
  package var status: String? {
    switch self {
    case .exchangeFailed(let status): status.number
    case .feliCaStatus(let first, let second): "status flags \(FeliCaStatus(first, second))"
    default: nil
    }
  }
}

extension ReaderError: CustomStringConvertible {
  /// One sentence without its full stop: what happened, and how to repair it where that is known.
  public var description: String {
    switch self {
    case .cannotOpen(let reader, let reason): "reader \(reader) cannot be opened: \(reason)"
    case .busy(let reader, let holder):
      "reader \(reader) is busy: \(holder ?? "another process") holds it"
        + (holder.flatMap(HolderRemedy.text).map { "; \($0)" } ?? "")
    case .boardSilent(let reader): "the board on \(reader) does not answer"
    case .boardLost(let reader):
      "the board on \(reader) is gone: it was unplugged, or its line was closed"
    case .boardGarbled(let reader):
      "the board on \(reader) sent a damaged answer, or does not know the command"
    case .boardRefused(let reader): "the board on \(reader) does not support this command"
    case .agentLost(let reader):
      "the agent that holds reader \(reader) has ended or does not answer, and whether the board has carried out the last command is not known"
    case .interrupted: "interrupted"
    case .noTag: "no tag is on the reader"
    case .severalTags(let uids):
      "several tags are on the reader: \(uids.map(\.description).joined(separator: ", "))"
    case .tagLost(let expected, let found?) where expected.isRandom && found.isRandom:
      "tag \(expected) is gone and tag \(found) is in its place; both UIDs are random and change whenever a tag loses its power, so it may be the same tag"
    case .tagLost(let expected, let found?):
      "tag \(expected) is gone and tag \(found) is in its place"
    case .tagLost(let expected, nil): "tag \(expected) is gone"
    case .exchangeFailed(let status): "the exchange with the tag failed: \(status)"
    case .feliCaStatus(let first, let second):
      "the FeliCa tag refused (status flags \(FeliCaStatus(first, second)))"
    case .notRecorded(let command, let place):
      "the trace does not say what the answer to \(command) is: \(place)"
    case .notCarried(let reader, let reason):
      "nothing was sent to the tag on \(reader): \(reason)"
    case .wrongAnswerLength(0, let received):
      "the tag answered with \(received) bytes instead of none: it took the command for a different one"
    case .wrongAnswerLength(let expected, let received):
      "the tag answered with \(received) bytes instead of \(expected)"
    }
  }
}
