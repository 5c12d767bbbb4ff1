import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// What a bench knows of its tags and runs, for a database that has forgotten them.
extension Journal {
  /// A tag that has a job here.
  struct KnownBinding {
    let job: Int
    let standing: JobStanding
    let binding: Binding
    /// What happened to it then waits to be told.
    let goesOn: Bool
    /// By which the bindings are in order: what brought it there, or what waits to be told.
    let event: Event
    /// The last event of the job that the pool has heard of, or should have.
    let last: Int64?
    /// The job's, when this bench heard of it last.
    let epoch: Int64?
    /// The message that the tag is to hold, where the journal still has it.
    let draft: [UInt8]?
  }

  /// The tags that have jobs here, as they were before what waits to be told, in the order of what
  /// happened; some of those behind the event with this number.
  func bindings(after last: Int64) throws(JournalError) -> [KnownBinding] {
    try read { db in
      let sql = """
        SELECT event.*, pool.bench, \(Self.mark), pool_claim.epoch, job.message AS draft,
          false AS goes_on
        FROM job JOIN event ON event.id = job.event JOIN pool
        LEFT JOIN pool_claim ON pool_claim.job = job.number
        WHERE job.uid IS NOT NULL AND job.event > ?1 AND \(Self.allTold)
        UNION ALL
        SELECT event.*, pool.bench, \(Self.mark), pool_claim.epoch,
          (SELECT message FROM job WHERE number = event.job AND job.uid = event.uid), true
        FROM event JOIN pool LEFT JOIN pool_claim ON pool_claim.job = event.job
        WHERE event.id > ?1 AND event.id IN (\(Self.firstUntold))
          AND (SELECT kind FROM event AS before WHERE before.job = event.job
            AND before.id < event.id AND kind <> 'passed' ORDER BY before.id DESC LIMIT 1)
            IN ('reserved', 'resumed', 'held', 'written')
        ORDER BY id LIMIT 500
        """
      return try Row.fetchAll(db, sql: sql, arguments: [last]).compactMap {
        try binding($0, in: db)
      }
    }
  }

  private func binding(_ row: Row, in db: Database) throws -> KnownBinding? {
    var event = Event(row)
    event.run = Self.runName(row)
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
  func returnedTags() throws(JournalError) -> [Event] {
    try read { db in
      let sql = """
        WITH last AS (
          SELECT max(id) AS id FROM event WHERE job IS NOT NULL AND uid IS NOT NULL
            AND kind <> 'passed' GROUP BY job)
        SELECT event.*, pool.bench, \(Self.mark)
        FROM last JOIN event ON event.id = last.id JOIN job ON job.number = event.job JOIN pool
        WHERE job.uid IS NULL AND kind IN ('returned', 'released')
          AND coalesce(cause, '') NOT IN ('elsewhere', 'conflict', 'pool')
          AND \(Self.allTold)
        ORDER BY event.id
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        var event = Event(row)
        event.run = Self.runName(row)
        return event
      }
    }
  }

  /// A run of a bench by its number here, and when it ended.
  struct KnownRun {
    let number: Int64
    let session: BenchRun
    let ended: Int64?
  }

  /// The runs of the bench.
  func runs() throws(JournalError) -> [KnownRun] {
    try read { db in
      let sql = """
        SELECT session.*, session.id AS session, bench FROM session JOIN pool ORDER BY session.id
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        let session = BenchRun(
          id: Self.runName(row), operatorName: row["operator"], command: row["command"],
          version: row["version"], host: row["host"], begun: row["begun_at"])
        return KnownRun(number: row["session"], session: session, ended: row["ended_at"])
      }
    }
  }

  /// Whether something happened to a tag in a run.
  func hasEvents(_ run: Int64) throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE session = ?)", arguments: [run]) ?? false
    }
  }

  /// The pool has forgotten what it was told, and has not heard all of it again: it knows no event
  /// of this number.
  func noteForgotten() throws(JournalError) {
    try write { db in try db.execute(sql: "UPDATE pool SET last_told = -1") }
  }

  /// The pool has heard again what it had forgotten. By the last event that it knows then it shows
  /// whether it forgets once more; nil: it knows none, and could forget none.
  func noteReminded(of last: Int64?) throws(JournalError) {
    try write { db in try db.execute(sql: "UPDATE pool SET last_told = ?", arguments: [last]) }
  }

  func note(_ claim: PoolClaim, boundTo job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [job, claim.epoch])
    }
  }
}
