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
    let tag: [UInt8]
    let digest: [UInt8]
    let isWritten: Bool
    /// What happened to it then waits to be told.
    let goesOn: Bool
    let event: Int64
    /// The last event of the job that the pool has heard of, or should have.
    let last: Int64?
    let station: String?
    let reader: String?
    let started: Int64
    /// The job's, when this bench heard of it last.
    let epoch: Int64?
    let detail: PoolDetail
  }

  /// The tags that have jobs here, as they were before what waits to be told, in the order of what
  /// happened; some of those behind the event with this number.
  func bindings(after last: Int64) throws(JournalError) -> [KnownBinding] {
    try read { db in
      let sql = """
        SELECT job.number, job.state, job.uid, job.tag, job.message_digest, job.message_length,
          job.uri, job.day, job.message, job.is_locked, job.is_protected, event.id AS event,
          event.station, event.reader, event.started_at, event.session, pool.bench, \(Self.mark),
          pool_claim.epoch, false AS goes_on, event.id AS last
        FROM job JOIN event ON event.id = job.event JOIN pool
        LEFT JOIN pool_claim ON pool_claim.job = job.number
        WHERE job.uid IS NOT NULL AND job.event > ?1 AND NOT EXISTS (SELECT 1 FROM pool_outbox
          WHERE pool_outbox.job = job.number AND was IS NOT NULL)
        UNION ALL
        SELECT pool_outbox.job, was, uid, tag, message_digest, message_length, uri, day, message,
          is_locked, is_protected, event.id, station, reader, started_at, session, pool.bench,
          \(Self.mark), pool_claim.epoch, true, (SELECT max(id) FROM event AS before
            WHERE before.job = pool_outbox.job AND before.id < event.id AND kind <> 'passed')
        FROM pool_outbox JOIN event ON event.id = pool_outbox.event JOIN pool
        LEFT JOIN pool_claim ON pool_claim.job = pool_outbox.job
        WHERE pool_outbox.event > ?1 AND was IN ('reserved', 'written') AND pool_outbox.event IN (
          SELECT min(event) FROM pool_outbox WHERE was IS NOT NULL GROUP BY job)
        ORDER BY event LIMIT 500
        """
      return try Row.fetchAll(db, sql: sql, arguments: [last]).map { row in
        let (uid, digest): (Data, Data) = (row["uid"], row["message_digest"])
        let message: Data? = row["message"]
        var detail = PoolDetail()
        detail.tagType = row["tag"]
        (detail.length, detail.uri, detail.day) = (row["message_length"], row["uri"], row["day"])
        detail.message = message.map(Array.init)
        (detail.isLocked, detail.isProtected) = (row["is_locked"], row["is_protected"])
        detail.session = Self.runName(row)
        return KnownBinding(
          job: row["number"], tag: Array(uid), digest: Array(digest),
          isWritten: row["state"] == "written", goesOn: row["goes_on"], event: row["event"],
          last: row["last"], station: row["station"], reader: row["reader"],
          started: row["started_at"], epoch: row["epoch"], detail: detail)
      }
    }
  }

  /// A tag whose job this bench has given to other tags, and what it said of that then.
  struct ReturnedTag {
    let job: Int
    let tag: [UInt8]
    /// Whether the tag is not to be used.
    let isScrap: Bool
    /// Whether an operator's word did it.
    let isReleased: Bool
    let event: LedgerEvent
    let detail: PoolDetail
  }

  /// The jobs that are on no tag here, each with the tag that it was on last, where that was this
  /// bench's doing. What the pool has taken from it is not among them: another bench may go on with
  /// the tag.
  func returnedTags() throws(JournalError) -> [ReturnedTag] {
    try read { db in
      let sql = """
        WITH last AS (
          SELECT max(id) AS id FROM event WHERE job IS NOT NULL AND uid IS NOT NULL
            AND kind <> 'passed' GROUP BY job)
        SELECT event.*, pool.bench, \(Self.mark),
          EXISTS (SELECT 1 FROM scrap WHERE scrap.event = event.id AND scrap.uid = event.uid)
            AS is_scrap
        FROM last JOIN event ON event.id = last.id JOIN job ON job.number = event.job JOIN pool
        WHERE job.uid IS NULL AND kind IN ('returned', 'released')
          AND coalesce(cause, '') NOT IN ('elsewhere', 'conflict', 'pool')
          AND NOT EXISTS (SELECT 1 FROM pool_outbox
            WHERE pool_outbox.job = job.number AND was IS NOT NULL)
        ORDER BY event.id
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        let (uid, kind): (Data, String) = (row["uid"], row["kind"])
        let event = LedgerEvent(
          number: row["id"], kind: kind, job: row["job"], tag: Array(uid),
          station: row["station"], reader: row["reader"], cause: row["cause"], text: row["text"],
          started: row["started_at"], duration: row["duration"])
        var detail = PoolDetail()
        (detail.tagType, detail.steps) = (row["tag"], row["steps"])
        detail.session = Self.runName(row)
        return ReturnedTag(
          job: row["job"], tag: Array(uid), isScrap: row["is_scrap"],
          isReleased: kind == EventKind.released.rawValue, event: event, detail: detail)
      }
    }
  }

  /// A run of a bench by its number here, and when it ended.
  struct KnownRun {
    let number: Int64
    let session: PoolSession
    let ended: Int64?
  }

  /// The runs of the bench.
  func runs() throws(JournalError) -> [KnownRun] {
    try read { db in
      let sql = """
        SELECT session.*, session.id AS session, bench FROM session JOIN pool ORDER BY session.id
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        let session = PoolSession(
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
