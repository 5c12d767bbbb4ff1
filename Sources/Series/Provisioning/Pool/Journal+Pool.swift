import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// What a bench of a pool keeps on its own disk: its claims, and what the pool has not heard.
///
/// Every event leaves its number in `pool_outbox` by the tables' own triggers, in the same
/// transaction: nothing can happen to a job that the pool does not hear of in the end.
extension Journal {
  /// Makes the journal that of a bench; `name` stays what it was where it has one already.
  func becomeBench(_ name: String, of batch: [UInt8]) throws(JournalError) -> String {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO pool (id, bench, batch) VALUES (1, ?, ?)
          ON CONFLICT (id) DO UPDATE SET batch = excluded.batch
          """,
        arguments: [name, Data(batch)])
      // Lists know it by its batch: whichever bench uses one, it is the same series.
      try db.execute(sql: "UPDATE identity SET name = ?", arguments: [Data(batch)])
      return try String.fetchOne(db, sql: "SELECT bench FROM pool") ?? name
    }
  }

  // MARK: Claims

  /// A job that the pool gave to this bench.
  struct HeldClaim: Hashable {
    let job: Int
    let epoch: Int64
    let stage: String
  }

  /// The claims that no tag was bound to yet.
  func freeClaims() throws(JournalError) -> [HeldClaim] {
    try read { db in
      let sql = """
        SELECT job, epoch, stage FROM pool_claim WHERE stage IN ('claimed', 'entrusted')
        ORDER BY job
        """
      return try Row.fetchAll(db.cachedStatement(sql: sql)).map {
        HeldClaim(job: $0["job"], epoch: $0["epoch"], stage: $0["stage"])
      }
    }
  }

  /// Keeps claims; those of jobs that the bench has on a tag stay as they are. A job that failed
  /// here waits again: somebody has said so to the pool.
  func keep(_ claims: [PoolClaim], _ session: JournalSession?) throws(JournalError) {
    try write { db in
      for claim in claims {
        if let session { try revive(claim.job, session, in: db) }
        try db.cachedStatement(
          sql: """
            INSERT INTO pool_claim VALUES (?1, ?2, 'claimed') ON CONFLICT (job) DO UPDATE
            SET epoch = excluded.epoch, stage = 'claimed'
            WHERE stage IN ('claimed', 'done') OR (stage = 'entrusted' AND epoch <> excluded.epoch)
              OR (stage IN ('bound', 'conflict')
                AND (SELECT uid FROM job WHERE number = excluded.job) IS NULL)
            """
        ).execute(arguments: [claim.job, claim.epoch])
      }
    }
  }

  /// The pool has said which of its claims the bench may bind alone; the others are void.
  func settle(_ claims: [PoolClaim], entrusted: Set<Int>) throws(JournalError) {
    try write { db in
      for claim in claims {
        let sql =
          entrusted.contains(claim.job)
          ? "UPDATE pool_claim SET stage = 'entrusted' WHERE job = ? AND stage = 'claimed'"
          : "DELETE FROM pool_claim WHERE job = ? AND stage = 'claimed'"
        try db.cachedStatement(sql: sql).execute(arguments: [claim.job])
      }
    }
  }

  /// Forgets claims that no tag was bound to.
  func forget(_ jobs: some Sequence<Int>) throws(JournalError) {
    let jobs = Array(jobs)
    try write { db in
      for job in jobs {
        try db.cachedStatement(
          sql: "DELETE FROM pool_claim WHERE job = ? AND stage IN ('claimed', 'entrusted')"
        ).execute(arguments: [job])
      }
    }
  }

  /// Forgets all claims that no tag was bound to, at one moment: no tag gets them from then on.
  /// Gives the jobs of the others.
  func dropFreeClaims() throws(JournalError) -> Set<Int> {
    try write { db in
      try db.execute(sql: "DELETE FROM pool_claim WHERE stage IN ('claimed', 'entrusted')")
      return try Set(Int.fetchAll(db, sql: "SELECT job FROM pool_claim WHERE stage <> 'done'"))
    }
  }

  // MARK: The outbox

  /// Something that the pool has not heard of.
  struct Untold {
    var event: Event
    /// Where the job stood before.
    let before: JobStanding
    /// The message that the tag is to hold, where the journal still has it.
    let draft: [UInt8]?
    /// Of the job's claim, where there is one.
    let epoch: Int64?
    /// Whether the tag was set aside because the pool contradicts what is said of it and the job.
    let isInConflict: Bool
  }

  /// How much the pool has not heard of.
  func untoldCount() throws(JournalError) -> Int {
    try read { db in
      try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM pool_outbox")) ?? 0
    }
  }

  /// Whether something has happened to a tag, behind the event with the number `last`, that the
  /// pool has not heard of.
  func hasUntold(_ uid: [UInt8], after last: Int64) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM pool_outbox JOIN event ON event.id = pool_outbox.event
          WHERE pool_outbox.event > ? AND uid = ?)
        """
      return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [last, Data(uid)]) ?? false
    }
  }

  /// What the pool has not heard of behind the event with the number `last`, in order, `limit` at
  /// most.
  func untold(after last: Int64, limit: Int) throws(JournalError) -> [Untold] {
    try untold(Self.untoldEvents, [last, limit])
  }

  /// What happened first to each job that the pool gave out and has heard nothing of since.
  func untoldBeginnings() throws(JournalError) -> [Untold] {
    try untold(
      Self.untold + """
         WHERE pool_claim.epoch IS NOT NULL AND event.kind IN ('reserved', 'refused')
          AND event.id IN (\(Self.firstUntold)) ORDER BY event.job
        """, []
    ).filter(\.before.isPending)
  }

  /// The first event of each job that the pool has not heard of.
  static let firstUntold = """
    SELECT min(event.id) FROM pool_outbox JOIN event ON event.id = pool_outbox.event
    WHERE event.job IS NOT NULL AND event.kind <> 'passed' GROUP BY event.job
    """

  /// In a query of jobs: whether the pool has heard all that happened to one.
  static let allTold = """
    NOT EXISTS (SELECT 1 FROM pool_outbox JOIN event AS behind ON behind.id = pool_outbox.event
      WHERE behind.job = job.number AND behind.kind <> 'passed')
    """

  private func untold(
    _ sql: String, _ arguments: StatementArguments
  ) throws(JournalError) -> [Untold] {
    try read { db in
      try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
        try Self.untold(row, before: before(row, in: db), in: db)
      }
    }
  }

  static let untoldEvents =
    untold + " WHERE pool_outbox.event > ? ORDER BY pool_outbox.event LIMIT ?"

  private static let untold = """
    SELECT event.*, pool_claim.epoch, pool.bench, \(mark),
      (SELECT message FROM job WHERE number = event.job AND event.kind IN ('reserved', 'resumed')
        AND job.uid = event.uid AND coalesce(event.digest = job.message_digest, true)) AS draft,
      coalesce(pool_claim.stage = 'conflict', false) OR EXISTS (
        SELECT 1 FROM scrap JOIN event AS aside ON aside.id = scrap.event
        WHERE scrap.uid = event.uid AND aside.job = event.job AND aside.cause = 'conflict')
        AS is_in_conflict
    FROM pool_outbox JOIN event ON event.id = pool_outbox.event JOIN pool
    LEFT JOIN pool_claim ON pool_claim.job = event.job
    """

  private func before(_ row: Row, in db: Database) throws -> JobStanding {
    guard let job: Int = row["job"] else { return JobStanding() }
    return try standing(ofJob: job, before: row["id"], in: db)
  }

  private static func untold(_ row: Row, before: JobStanding, in db: Database) throws -> Untold {
    let draft: Data? = row["draft"]
    var event = Event(row)
    event.run = runName(row)
    event.keys = try keys(byEvent: event.number, in: db)?.stored
    return Untold(
      event: event, before: before, draft: draft.map(Array.init), epoch: row["epoch"],
      isInConflict: row["is_in_conflict"])
  }

  /// The pool has heard of all events up to the one with this number, and the epochs of their jobs
  /// are as they were. Without this it hears of them again, which changes nothing.
  func noteTold(upTo last: Int64) throws(JournalError) {
    try write { db in
      try db.cachedStatement(
        sql: """
          DELETE FROM pool_claim WHERE stage = 'done'
            AND job IN (SELECT job FROM pool_outbox JOIN event ON event.id = pool_outbox.event
              WHERE event.id <= ?1 AND kind <> 'passed')
            AND NOT EXISTS (SELECT 1 FROM pool_outbox JOIN event ON event.id = pool_outbox.event
              WHERE event.job = pool_claim.job AND event.id > ?1)
          """
      ).execute(arguments: [last])
      try db.cachedStatement(sql: "DELETE FROM pool_outbox WHERE event <= ?")
        .execute(arguments: [last])
      try db.cachedStatement(sql: "UPDATE pool SET last_told = ?").execute(arguments: [last])
    }
  }

  /// The bench has a job in another epoch now.
  func note(epoch: Int64, ofJob job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "UPDATE pool_claim SET epoch = ? WHERE job = ?")
        .execute(arguments: [epoch, job])
    }
  }

  /// The last event that the pool has heard of; nil: none.
  func lastTold() throws(JournalError) -> Int64? {
    try read { db in try Int64.fetchOne(db, sql: "SELECT last_told FROM pool") }
  }

  /// Whether the tag was set aside because the pool contradicts what this bench says of it.
  func isInConflict(_ uid: [UInt8]) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM scrap JOIN event ON event.id = scrap.event
            WHERE scrap.uid = ?1 AND cause = 'conflict')
          OR EXISTS (SELECT 1 FROM job JOIN pool_claim ON pool_claim.job = job.number
            WHERE job.uid = ?1 AND stage = 'conflict')
        """
      return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [Data(uid)]) ?? false
    }
  }
}
