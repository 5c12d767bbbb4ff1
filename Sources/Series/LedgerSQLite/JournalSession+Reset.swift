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
      guard let held = try journal.standing(ofJob: job.number, in: db)?.binding else { return nil }
      let taking = LedgerCommand.takeOver(
        bench: bench(tag), tag: uid.bytes, message: held.message)
      let taken = try carryOut([taking], on: job.number, tag, isAtWork: isAtWork, in: db)
      let giving = LedgerCommand.giveBack(
        bench: bench(tag), epoch: taken, tag: uid.bytes, isScrap: false)
      let trouble = TagTrouble(.reset, "The tag was given back as it was delivered.")
      try carryOut([giving], on: job.number, tag, trouble, in: db)
      // There is nothing left of it to inspect.
      try db.cachedStatement(sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL")
        .execute(arguments: [job.number])
      return job
    }
  }
}
