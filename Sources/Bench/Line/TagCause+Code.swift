import Bench
import Ledger

extension TagCause {
  /// How a run fails that only reads, and in which a tag was not as wanted for this cause.
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
