import LedgerPostgreSQL
import LedgerSQLite

extension HubError {
  /// Why a pool does not answer.
  init(_ error: PoolError) {
    self =
      switch error {
      case .away, .turnedAway, .readOnly, .noDatabase, .noLibrary: .away("\(error)")
      case .notAllowed: .notAllowed("\(error)")
      case .noBatch(let name): .noBatch(name)
      case .otherJobs(let name): .exists(name)
      case .closed(let name): .closed(name)
      case .onTag:
        .badList([
          "\(error). Leave that row out; a bench puts all jobs on new tags with --start-over."
        ])
      default: .failed("\(error)")
      }
  }

  /// Why a journal does not answer.
  init(_ error: JournalError) {
    self =
      switch error {
      case .missing, .cannotOpen, .busy, .gone, .replaced: .away("\(error)")
      case .pool(.away, let reason): .away(reason)
      case .pool(.notAllowed, let reason): .notAllowed(reason)
      case .pool(_, let reason): .failed(reason)
      default: .failed("\(error)")
      }
  }

  static func pooled<Value>(
    _ body: @autoclosure () throws(PoolError) -> Value
  ) throws(HubError) -> Value {
    do throws(PoolError) { return try body() } catch { throw HubError(error) }
  }
}

extension HubError: CustomStringConvertible {
  /// For people.
  package var description: String {
    switch self {
    case .away(let reason), .notAllowed(let reason), .failed(let reason): reason
    case .noBatch(let id): "There is no batch \(id)."
    case .badList(let mistakes): mistakes.joined(separator: "\n")
    case .exists(let id): "There is a batch \(id) already, with other jobs or settings."
    case .closed(let id): "The batch \(id) is closed: it takes no more rows."
    case .reusedKey: "This Idempotency-Key came with another request before."
    case .oneJournal:
      "The hub shows a journal's file, which has one batch: make batches where the hub shows a pool."
    }
  }
}
