import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

extension JournalSession {
  /// Records that the tag of this UID was given back as it was delivered: its job goes to another
  /// tag, and the tag may get any. Returns that job; nil, and changes nothing, where the journal
  /// has none on this tag. Throws where a process may be at work on it. On the disk when this
  /// returns.
  package func givenBack(_ tag: PresentedTag) throws(JournalError) -> PlannedJob? {
    guard let uid = tag.uid else { return nil }
    return try journal.write { db in
      let job: PlannedJob
      var isAtWork = false
      switch try journal.history(of: uid, in: db) {
      case .written(let written): job = written.job
      case .reserved(let reserved): (job, isAtWork) = (reserved.job, !reserved.holder.isAbsent)
      case .scrap, nil: return nil
      }
      guard let held = try journal.record(ofJob: job.number, in: db)?.onTag else { return nil }
      let taking = LedgerCommand.takeOver(bench: bench(tag), tag: uid.bytes)
      guard
        case .changed = try decide([taking], on: job.number, isAtWork: isAtWork, in: db)
      else { throw JournalError.reservationLost(job: job.number) }
      let taken = try commit(
        .reserved(job: job.number, tag: uid.bytes, held.message), tag, in: db)
      let giving = LedgerCommand.giveBack(
        bench: bench(tag), epoch: taken, tag: uid.bytes, isScrap: false)
      guard case .changed = try decide([giving], on: job.number, in: db) else {
        throw JournalError.reservationLost(job: job.number)
      }
      let trouble = TagTrouble(.reset, "The tag was given back as it was delivered.")
      try commit(
        .returned(job: job.number, tag: uid.bytes, setsAside: false), tag, trouble, in: db)
      // There is nothing left of it to inspect.
      try db.cachedStatement(sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL")
        .execute(arguments: [job.number])
      return job
    }
  }
}
