import Foundation
import LedgerPostgreSQL
import LedgerSQLite

/// Journals of benches that were copied to another machine, or came back from a backup: the pool
/// has heard more of the bench than its journal knows.
extension PoolSeries {
  /// Moves the journal of a place away where it is an old copy: whoever worked with it would claim
  /// what the bench has on tags.
  func keepOldCopy(apart lock: SlotLock) throws(JournalError) {
    guard FileManager.default.fileExists(atPath: lock.journal),
      let name = try oldCopy(at: lock.journal)
    else { return }
    let kept = "\(lock.journal).\(name)"
    guard lock.keepJournal(as: kept) else {
      throw .cannotOpen(lock.journal, reason: "it is an old copy and cannot be moved away")
    }
    tell(.copied(name, kept: kept))
  }

  /// The bench whose old copy the journal is; nil: it is none. The journal is closed again.
  private func oldCopy(at path: String) throws(JournalError) -> String? {
    let journal = try Journal(at: path, access: .readWrite(creating: false))
    return try isOldCopy(journal) ? journal.benchName() : nil
  }

  /// Returns whether the pool knows a run or an event of the journal's bench that the journal does
  /// not have.
  func isOldCopy(_ journal: Journal) throws(JournalError) -> Bool {
    guard let name = try journal.benchName() else { return false }
    let store = try store(name)
    let (told, last) = (try pooled(store.sessions()), try pooled(store.last()))
    if try journal.lacksRun(of: told) { return true }
    guard let last else { return false }
    return try journal.eventName(last.number) != last.name
  }
}

extension Journal {
  /// Returns whether one of these runs of the bench is not in its journal.
  func lacksRun(of names: Set<[UInt8]>) throws(JournalError) -> Bool {
    try !names.isSubset(of: runs().map(\.run.id))
  }
}
