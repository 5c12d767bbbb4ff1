import Bench
import Ledger

extension TagCause {
  /// The exit code of a run that only reads and found a tag that is wrong for this cause.
  package var readingCode: BenchError.Code {
    switch self {
    case .lost, .noTag, .interrupted: .tagTrouble
    case .reader: .unavailable
    case .refused, .unread, .notGenuine: .refused
    case .mismatch, .changed, .copy, .double: .mismatch
    case .internalError: .bug
    case .journal: .cannotCreate
    default: .badInput
    }
  }
}
