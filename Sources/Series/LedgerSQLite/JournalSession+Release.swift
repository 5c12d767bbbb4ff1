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
      let trouble = TagTrouble(
        .released, "Its job was given to another tag on the operator's word.")
      return try journal.reservations(in: db).filter { reserved in
        if case .jobs(let numbers) = which, !numbers.contains(reserved.job.number) { return false }
        let tag = PresentedTag(
          uid: reserved.uid, tagType: reserved.tagType, station: reserved.station,
          reader: reserved.reader)
        return try carryOutIfAllowed(
          .release(whoeverWorks: which != .absent), on: reserved.job.number, tag, trouble,
          isAtWork: !reserved.holder.isAbsent, in: db) != nil
      }
    }
  }

  /// Lets failed jobs wait for a tag again; returns how many.
  package func retryFailed() throws(JournalError) -> Int {
    if let pool = journal.pool {
      let count = try pool.retryFailed()
      // What failed here is among them; the pool knows that it waits.
      _ = try retryHere(isEcho: true)
      return count
    }
    return try retryHere(isEcho: false)
  }

  private func retryHere(isEcho: Bool) throws(JournalError) -> Int {
    try journal.write { db in
      let numbers = try journal.jobs(where: .failed, in: db)
      for number in numbers { try carryOut([.retry], on: number, isEcho: isEcho, in: db) }
      return numbers.count
    }
  }
}
