import Dispatch
import LedgerSQLite
import Synchronization

/// The check of a journal for contradictions, on a thread and a connection of its own: it takes as
/// long as adding the figures up, and both only look.
final class SideCheck: Sendable {
  private let found = Mutex<Result<[Inconsistency], JournalError>?>(nil)
  private let group = DispatchGroup()

  /// Begins to check `journal`.
  init(of journal: Journal) {
    DispatchQueue(label: "journal check").async(group: group) { [self] in
      let result = Result { () throws(JournalError) in
        try Journal(beside: journal).verify()
      }
      found.withLock { $0 = result }
    }
  }

  /// Waits for what was found.
  func result() throws(JournalError) -> [Inconsistency] {
    group.wait()
    return try found.withLock { $0 }?.get() ?? []
  }
}
