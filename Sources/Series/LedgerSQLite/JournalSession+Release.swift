import GRDB
import Ledger

/// Which reservations an operator gives up.
package enum Release: Hashable, Sendable {
  /// Those that nobody works on: the tag went away, or the process that reserved is no more.
  case absent
  /// Those of these jobs, whoever works on them.
  case jobs(Set<Int>)
}

extension JournalSession {
  /// Gives reserved jobs to other tags, on the operator's word that the tags they were reserved for
  /// are not used; those are scrap from now on. Returns what was released.
  package func release(_ which: Release) throws(JournalError) -> [ReservedTag] {
    try journal.write { db in
      let released = try journal.reservations(in: db).filter {
        if case .jobs(let numbers) = which, !numbers.contains($0.job.number) { return false }
        let decision = try decide(
          [.release(whoeverWorks: which != .absent)], on: $0.job.number,
          isAtWork: !$0.holder.isAbsent, in: db)
        if case .changed = decision { return true }
        return false
      }
      let trouble = TagTrouble(
        .released, "Its job was given to another tag on the operator's word.")
      for reserved in released {
        let tag = PresentedTag(
          uid: reserved.uid, tagType: reserved.tagType, station: reserved.station,
          reader: reserved.reader)
        try commit(
          .released(job: reserved.job.number, tag: reserved.uid.bytes), tag, trouble, in: db)
      }
      return released
    }
  }

  /// Lets failed jobs wait for a tag again; returns how many.
  package func retryFailed() throws(JournalError) -> Int {
    if let pool = journal.pool {
      let count = try pool.retryFailed()
      // What failed here is among them; the pool knows that it waits.
      _ = try retryHere(telling: false)
      return count
    }
    return try retryHere(telling: true)
  }

  private func retryHere(telling: Bool) throws(JournalError) -> Int {
    try journal.write { db in
      let numbers = try Int.fetchAll(
        db, sql: "SELECT number FROM job WHERE state = 'failed' ORDER BY number")
      for number in numbers {
        guard case .changed = try decide([.retry], on: number, in: db) else { continue }
        let event = try commit(.retried(job: number), in: db)
        if !telling { try journal.untell(event, db) }
      }
      return numbers.count
    }
  }
}
