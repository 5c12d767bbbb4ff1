import Foundation
import GRDB
import Ledger

/// What a bench knows of its tags and runs, for a database that has forgotten them.
extension Journal {
  /// A tag that has a job here.
  package struct KnownBinding {
    package let job: Int
    package let standing: JobStanding
    package let binding: Binding
    /// What happened to it then waits to be told.
    package let goesOn: Bool
    /// By which the bindings are in order: what brought it there, or what waits to be told.
    package let event: Event
    /// The last event of the job that the pool has heard of, or should have.
    package let last: Int64?
    /// The job's, when this bench heard of it last.
    package let epoch: Int64?
    /// The message that the tag is to hold, where the journal still has it.
    package let draft: [UInt8]?
  }

  /// The tags that have jobs here, as they were before what waits to be told, in the order of what
  /// happened; some of those behind the event with this number.
  package func bindings(after last: Int64) throws(JournalError) -> [KnownBinding] {
    try read { db in
      // By the events' numbers (CROSS JOIN), so that a page ends at its limit and not at the last
      // job.
      let sql = """
        SELECT event.*, session.mark, pool_claim.epoch, job.message AS draft, false AS goes_on
        FROM event CROSS JOIN job ON job.number = event.job AND job.event = event.id
        JOIN session ON session.id = event.session
        LEFT JOIN pool_claim ON pool_claim.job = job.number
        WHERE job.uid IS NOT NULL AND event.id > ?1 AND \(Self.allTold)
        UNION ALL
        SELECT untold.*, pool_claim.epoch,
          (SELECT message FROM job WHERE number = untold.job AND job.uid = untold.uid), true
        FROM untold LEFT JOIN pool_claim ON pool_claim.job = untold.job
        WHERE id > ?1 AND id IN (\(Self.firstUntold))
          AND (SELECT kind FROM event AS before WHERE before.job = untold.job
            AND before.id < untold.id AND kind <> 'passed' ORDER BY before.id DESC LIMIT 1)
            IN ('reserved', 'resumed', 'held', 'written')
        ORDER BY id LIMIT 500
        """
      return try Row.fetchAll(db, sql: sql, arguments: [last]).compactMap {
        try binding($0, in: db)
      }
    }
  }

  private func binding(_ row: Row, in db: Database) throws -> KnownBinding? {
    let event = Self.event(row)
    guard let job = event.job else { return nil }
    let goesOn: Bool = row["goes_on"]
    let draft: Data? = row["draft"]
    let standing = try standing(ofJob: job, before: event.number + (goesOn ? 0 : 1), in: db)
    guard let binding = standing.binding else { return nil }
    return KnownBinding(
      job: job, standing: standing, binding: binding, goesOn: goesOn, event: event,
      last: standing.epoch, epoch: row["epoch"], draft: draft.map(Array.init))
  }

  /// What this bench said last of each job that is on no tag here, where it has given it back or an
  /// operator's word did. What the pool has taken from it is not among them: another bench may go
  /// on with the tag.
  package func returnedTags() throws(JournalError) -> [Event] {
    try read { db in
      let sql = """
        WITH last AS (
          SELECT max(id) AS id FROM event WHERE job IS NOT NULL AND uid IS NOT NULL
            AND kind <> 'passed' GROUP BY job)
        SELECT event.*, session.mark
        FROM last JOIN event ON event.id = last.id JOIN job ON job.number = event.job
          JOIN session ON session.id = event.session
        WHERE job.uid IS NULL AND kind IN ('returned', 'released')
          AND coalesce(cause, '') NOT IN ('elsewhere', 'conflict', 'pool')
          AND \(Self.allTold)
        ORDER BY event.id
        """
      return try Row.fetchAll(db, sql: sql).map(Self.event)
    }
  }

  /// The runs of the program on this journal, with their numbers.
  package func runs() throws(JournalError) -> [(number: Int64, run: BenchRun)] {
    try read { db in try runs(in: db) }
  }

  func runs(in db: Database) throws -> [(number: Int64, run: BenchRun)] {
    try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY id").map { row in
      let mark: Data = row["mark"]
      let run = BenchRun(
        id: Array(mark), operatorName: row["operator"], command: row["command"],
        version: row["version"], host: row["host"], begun: row["begun_at"], ended: row["ended_at"])
      return (row["id"], run)
    }
  }

  /// Returns whether something happened to a tag in a run.
  package func hasEvents(_ run: Int64) throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE session = ?)", arguments: [run]) ?? false
    }
  }

  /// The pool has forgotten what it was told, and has not heard all of it again: it knows no event
  /// of this number.
  package func noteForgotten() throws(JournalError) {
    try write { db in try db.execute(sql: "UPDATE pool SET witness = -1") }
  }

  /// The pool has heard again what it had forgotten. By the last event that it knows then it shows
  /// whether it forgets once more; nil: it knows none, and could forget none.
  package func noteReminded(of last: Int64?) throws(JournalError) {
    try write { db in try db.execute(sql: "UPDATE pool SET witness = ?", arguments: [last]) }
  }

  package func note(_ claim: PoolClaim, boundTo job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [job, claim.epoch])
    }
  }
}
