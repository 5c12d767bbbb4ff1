import Foundation
import GRDB
import Ledger

/// What a bench of a pool keeps on its own disk: its claims, and what the pool has not heard.
///
/// What the bench owes the pool are its events behind the last one that the pool has heard of, but
/// for those by which the journal follows the pool's own word: nothing can happen to a job that the
/// pool does not hear of in the end.
extension Journal {
  /// Makes the journal that of a bench; `name` stays what it was where it has one already.
  package func becomeBench(_ name: String, of batch: [UInt8]) throws(JournalError) -> String {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO pool (id, bench, batch, told)
          VALUES (1, ?, ?, (SELECT coalesce(max(id), 0) FROM event))
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
  package struct HeldClaim: Hashable {
    package let job: Int
    package let epoch: Int64
    package let stage: String
  }

  /// The claims that no tag was bound to yet.
  package func freeClaims() throws(JournalError) -> [HeldClaim] {
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
  package func keep(_ claims: [PoolClaim], _ session: JournalSession?) throws(JournalError) {
    try write { db in
      for claim in claims {
        if let session { try revive(claim.job, session, in: db) }
        try db.cachedStatement(
          sql: """
            INSERT INTO pool_claim VALUES (?1, ?2, 'claimed') ON CONFLICT (job) DO UPDATE
            SET epoch = excluded.epoch, stage = 'claimed'
            WHERE stage IN ('claimed', 'done') OR (stage = 'entrusted' AND epoch <> excluded.epoch)
              OR (stage = 'bound' AND (SELECT uid FROM job WHERE number = excluded.job) IS NULL)
            """
        ).execute(arguments: [claim.job, claim.epoch])
      }
    }
  }

  /// The pool has said which of its claims the bench may bind alone; the others are void.
  package func settle(_ claims: [PoolClaim], entrusted: Set<Int>) throws(JournalError) {
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
  package func forget(_ jobs: some Sequence<Int>) throws(JournalError) {
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
  package func dropFreeClaims() throws(JournalError) -> Set<Int> {
    try write { db in
      try db.execute(sql: "DELETE FROM pool_claim WHERE stage IN ('claimed', 'entrusted')")
      return try Set(Int.fetchAll(db, sql: "SELECT job FROM pool_claim WHERE stage <> 'done'"))
    }
  }

  // MARK: What the pool has not heard

  /// Something that the pool has not heard of.
  package struct Untold {
    package var event: Event
    /// Where the job stood before.
    package let before: JobStanding
    /// The message that the tag is to hold, where the journal still has it.
    package let draft: [UInt8]?
    /// Of the job's claim, where there is one.
    package let epoch: Int64?
    /// Is true if the tag was set aside because the pool contradicts what is said of it and the
    /// job.
    package let isInConflict: Bool
    /// Is true if the pool may have forgotten it, or what comes before it.
    package let isAgain: Bool
    /// Is true if the pool had heard of it before it was restored.
    package let isHeard: Bool
    /// Is true if what happened to the job next was the pool's word, which took this back.
    package let isTakenBack: Bool
    /// Is true if nothing that this bench did to the job came later.
    package let isLast: Bool
  }

  /// How much the pool has not heard of.
  package func untoldCount() throws(JournalError) -> Int {
    try read { db in
      try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM untold")) ?? 0
    }
  }

  /// Returns whether something has happened to a tag, behind the event with the number `last`, that
  /// the pool has not heard of.
  package func hasUntold(_ uid: [UInt8], after last: Int64) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM untold WHERE id > ? AND uid = ?)
        """
      return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [last, Data(uid)]) ?? false
    }
  }

  /// What the pool has not heard of behind the event with the number `last`, in order, `limit` at
  /// most.
  package func untold(after last: Int64, limit: Int) throws(JournalError) -> [Untold] {
    try read { db in
      let statement = try db.cachedStatement(sql: Self.untoldEvents)
      return try Row.fetchAll(statement, arguments: [last, limit]).map { row in
        let (draft, job): (Data?, Int?) = (row["draft"], row["job"])
        var event = Self.event(row)
        event.keys = try Self.keys(byEvent: event.number, in: db)?.stored
        return Untold(
          event: event,
          before: try job.map { try standing(ofJob: $0, before: event.number, in: db) }
            ?? JobStanding(), draft: draft.map(Array.init), epoch: row["epoch"],
          isInConflict: row["is_in_conflict"], isAgain: row["is_again"],
          isHeard: row["is_heard"], isTakenBack: row["is_taken_back"], isLast: row["is_last"])
      }
    }
  }

  /// By one bound, and not by the view's and another one: SQLite would begin each time at the
  /// view's.
  package static let untoldEvents = """
    SELECT untold.*, session.mark, pool_claim.epoch,
      (SELECT message FROM job WHERE number = untold.job AND kind IN ('reserved', 'resumed')
        AND job.uid = untold.uid AND coalesce(untold.digest = job.message_digest, true)) AS draft,
      EXISTS (
        SELECT 1 FROM scrap JOIN event AS aside ON aside.id = scrap.event
        WHERE scrap.uid = untold.uid AND aside.job = untold.job AND aside.cause = 'conflict')
        AS is_in_conflict,
      untold.id <= (SELECT doubt FROM pool) AS is_again,
      untold.id <= (SELECT heard FROM pool) AS is_heard,
      kind IN ('reserved', 'resumed', 'returned', 'released', 'refused') AND coalesce((
        SELECT next.echo AND next.uid IS untold.uid FROM event AS next
        WHERE next.job = untold.job AND next.id > untold.id AND next.kind <> 'passed'
        ORDER BY next.id LIMIT 1), false) AS is_taken_back,
      NOT EXISTS (SELECT 1 FROM event AS later WHERE later.job = untold.job
        AND later.id > untold.id AND later.kind <> 'passed' AND NOT later.echo) AS is_last
    FROM event AS untold JOIN session ON session.id = untold.session
      LEFT JOIN pool_claim ON pool_claim.job = untold.job
    WHERE untold.id > max(?, (SELECT told FROM pool)) AND (NOT untold.echo OR untold.sets_aside
      AND untold.cause IS NOT 'conflict' AND untold.id <= (SELECT doubt FROM pool))
    ORDER BY untold.id LIMIT ?
    """

  /// How many jobs more than at the event with the number `last` are on tags here, or turned out to
  /// have no message.
  package func jobsTaken(after last: Int64) throws(JournalError) -> Int {
    func isTaken(_ condition: String) -> String {
      """
      coalesce((SELECT kind IN ('reserved', 'resumed', 'held', 'written', 'refused') FROM event
        WHERE event.job = changed.job AND kind <> 'passed' \(condition)
        ORDER BY event.id DESC LIMIT 1), 0)
      """
    }
    return try read { db in
      let sql = """
        WITH changed AS (SELECT DISTINCT job FROM event
          WHERE id > ?1 AND job IS NOT NULL AND kind <> 'passed' AND NOT echo)
        SELECT coalesce(sum(\(isTaken("")) - \(isTaken("AND event.id <= ?1"))), 0) FROM changed
        """
      return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [last]) ?? 0
    }
  }

  /// The last event that the pool has of this bench, as far as is known.
  package func told() throws(JournalError) -> Int64 {
    try read { db in try Int64.fetchOne(db, sql: "SELECT told FROM pool") ?? 0 }
  }

  /// The pool has heard of all events up to the one with this number, and the epochs of their jobs
  /// are as they were. Without this it hears of them again, which changes nothing.
  package func noteTold(upTo last: Int64) throws(JournalError) {
    try write { db in
      try db.cachedStatement(
        sql: """
          DELETE FROM pool_claim WHERE stage = 'done'
            AND job IN (SELECT job FROM untold WHERE id <= ?1 AND kind <> 'passed')
            AND NOT EXISTS (SELECT 1 FROM untold WHERE untold.job = pool_claim.job AND id > ?1)
          """
      ).execute(arguments: [last])
      try db.cachedStatement(sql: "UPDATE pool SET told = max(told, ?)").execute(arguments: [last])
    }
  }

  /// The pool is older than it was: it had heard of this bench's events up to `known`, and the last
  /// that it has is `last`. What happened up to now is told as to one that has forgotten it.
  package func noteForgotten(
    behind last: Int64, knownUpTo known: Int64
  ) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: """
          UPDATE pool SET heard = max(heard, told, ?1), told = ?2,
            doubt = (SELECT coalesce(max(id), 0) FROM event)
          """, arguments: [known, last])
      // Nobody knows which of them it has forgotten; one that it has stays as it is.
      try db.execute(sql: "INSERT OR IGNORE INTO pool_inspection SELECT id, name FROM inspection")
    }
  }

  /// The bench has a job in another epoch now.
  package func note(epoch: Int64, ofJob job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "UPDATE pool_claim SET epoch = ? WHERE job = ?")
        .execute(arguments: [epoch, job])
    }
  }

  /// Returns whether the tag was set aside because the pool contradicts what this bench says of it.
  package func isInConflict(_ uid: [UInt8]) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM scrap JOIN event ON event.id = scrap.event
          WHERE scrap.uid = ? AND cause = 'conflict')
        """
      return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [Data(uid)]) ?? false
    }
  }
}
