import Bench
import Provisioning

extension TagAudit {
  /// Why a tag does not pass; nil where it agrees with its journal.
  package var code: BenchError.Code? {
    switch self {
    case .agrees: nil
    // Nobody knows whether memory differs that was not read.
    case .differs(_, [.unread]): .refused
    case .differs, .copy: .mismatch
    case .unfinished: .tagTrouble
    case .scrap, .randomUID, .unknown: .badInput
    }
  }
}
