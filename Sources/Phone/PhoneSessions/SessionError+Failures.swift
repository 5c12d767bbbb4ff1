import Readers
import TagProgramming
import Wording

extension SessionError {
  /// What the session says of a failed exchange. Whether the tag has gone is not known here;
  /// `isGone` is what a look said.
  init(_ error: ReaderError, isGone: Bool) {
    let reason = Self.sentence("\(error)")
    self.init(Self.code(of: error, isGone: isGone), reason)
  }

  private static func code(of error: ReaderError, isGone: Bool) -> Code {
    switch error {
    case .cannotOpen: .unsupportedFeature
    case .busy: .systemIsBusy
    case .notCarried: .packetTooLong
    case .boardSilent, .boardLost, .boardGarbled, .agentLost, .notRecorded: .terminatedUnexpectedly
    case .interrupted: .sessionInvalidated
    case .noTag, .tagLost: .tagConnectionLost
    case .exchangeFailed(.timeout), .exchangeFailed(.released), .exchangeFailed(.cardGone):
      .tagConnectionLost
    case .exchangeFailed, .wrongAnswerLength, .feliCaStatus, .boardRefused, .severalTags:
      isGone ? .tagConnectionLost : .tagResponseError
    }
  }

  /// What the session says of a job that failed.
  package init(_ failure: JobFailure) {
    self.init(Self.code(of: failure), failure.message { _ in nil })
  }

  private static func code(of failure: JobFailure) -> Code {
    switch failure.cause {
    case .messageTooLong: return .tagSizeTooSmall
    case .reader(let error): return code(of: error, isGone: false)
    default: break
    }
    switch failure.kind {
    case .badInput: return .invalidParameter
    case .readerUnavailable, .configuration: return .terminatedUnexpectedly
    case .internalError, .mismatch: return .tagUpdateFailure
    case .tagTrouble: return .tagConnectionLost
    case .noTag: return .tagConnectionLost
    case .refused: return .tagNotWritable
    case .interrupted: return .sessionInvalidated
    }
  }

  /// `text` with a capital at its start and a full stop at its end.
  static func sentence(_ text: String) -> String {
    let capital = text.prefix(1).uppercased() + text.dropFirst()
    return capital.last.map { ".?!".contains($0) } == true ? capital : capital + "."
  }
}
