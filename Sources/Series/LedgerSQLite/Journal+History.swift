import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

extension Journal {
  /// What is known of the tag with this UID; nil: nothing.
  package func history(of uid: UID) throws(JournalError) -> TagHistory? {
    if let pool { return try pool.history(of: uid) }
    return try localHistory(of: uid)
  }

  /// Returns what this file knows of the tag.
  package func localHistory(of uid: UID) throws(JournalError) -> TagHistory? {
    try read { db in try history(of: uid, in: db) }
  }

  /// The job whose message, written or reserved, has this SHA-256: how copies are recognised.
  package func job(holding digest: [UInt8]) throws(JournalError) -> Int? {
    if let pool { return try pool.job(holding: digest) }
    return try jobs(where: .holding(digest)).first
  }

  /// How many jobs wait for a tag, as far as a station can get one.
  package func jobsLeft() throws(JournalError) -> Int {
    if let pool { return pool.jobsLeft }
    return try localTally().pending
  }

  /// What is reserved, by job number; of a pool, what is this bench's.
  package func reservations() throws(JournalError) -> [ReservedTag] {
    if let pool { pool.lookAgain() }
    return try localReservations()
  }

  package func localReservations() throws(JournalError) -> [ReservedTag] {
    try read { db in try reservations(in: db) }
  }

  /// The UIDs of the tags that are finished, in the order of their jobs.
  package func writtenUIDs() throws(JournalError) -> [UID] {
    try read { db in
      try Data.fetchAll(
        db, sql: "SELECT uid FROM job WHERE state = 'written' ORDER BY number"
      ).map { UID($0) }
    }
  }

  /// The finished tags, in the order of their jobs.
  package func writtenTags() throws(JournalError) -> [WrittenTag] {
    try read { db in
      let sql = Self.jobsWithEvents + " WHERE job.state = 'written' ORDER BY job.number"
      return try Row.fetchAll(db, sql: sql).map(Self.writtenTag)
    }
  }

  /// How many jobs stand where.
  package func tally() throws(JournalError) -> Tally {
    if let tally = pool?.tally() { return tally }
    return try localTally()
  }

  package func localTally() throws(JournalError) -> Tally {
    try read { db in try tally(in: db) }
  }

  package func tally(in db: Database) throws -> Tally {
    // The partial indexes answer for the states; what is left is written.
    func count(_ table: String) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
    var tally = Tally()
    tally.pending = try count("job WHERE state = 'pending'")
    tally.reserved = try count("job WHERE state = 'reserved'")
    tally.failed = try count("job WHERE state = 'failed'")
    tally.written = try count("job") - tally.pending - tally.reserved - tally.failed
    tally.scrap = try count("scrap")
    return tally
  }

  func history(of uid: UID, in db: Database) throws -> TagHistory? {
    let key = Data(uid.bytes)
    let jobs = try db.cachedStatement(sql: Self.jobsWithEvents + " WHERE job.uid = ?")
    if let row = try Row.fetchOne(jobs, arguments: [key]) {
      return row["state"] == "written"
        ? .written(try Self.writtenTag(row)) : .reserved(try Self.reservedTag(row))
    }
    let scrap = try db.cachedStatement(
      sql: """
        SELECT event.started_at, event.cause, event.text, event.job FROM scrap JOIN event ON event.id = scrap.event
        WHERE scrap.uid = ?
        """)
    return try Row.fetchOne(scrap, arguments: [key]).map { row in
      .scrap(
        ScrapTag(
          uid: uid, when: Date(milliseconds: row["started_at"]), trouble: Self.trouble(row),
          job: row["job"]))
    }
  }

  package func reservations(in db: Database) throws -> [ReservedTag] {
    let sql = Self.jobsWithEvents + " WHERE job.state = 'reserved' ORDER BY job.number"
    return try Row.fetchAll(db, sql: sql).map(Self.reservedTag)
  }

  /// The tag that holds this job; nil where none does.
  package func writtenTag(ofJob number: Int) throws(JournalError) -> WrittenTag? {
    try read { db in
      let sql = Self.jobsWithEvents + " WHERE job.number = ? AND job.state = 'written'"
      return try Row.fetchOne(db, sql: sql, arguments: [number]).map(Self.writtenTag)
    }
  }

  package func writtenTag(ofJob number: Int, in db: Database) throws -> WrittenTag {
    let statement = try db.cachedStatement(sql: Self.jobsWithEvents + " WHERE job.number = ?")
    guard let row = try Row.fetchOne(statement, arguments: [number]) else {
      throw JournalError.damaged(path, reason: "job \(number) is missing")
    }
    return try Self.writtenTag(row)
  }

  /// The first job behind the first `passed`, in the source's order, that waits for this type of
  /// tag or, where `takesAny`, for any.
  func nextPending(
    for tagType: String?, orAny takesAny: Bool, behind passed: Int = 0, in db: Database
  ) throws -> PlannedJob? {
    let isBench = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM pool)"))
    if isBench == true {
      let claimed = try db.cachedStatement(sql: Self.nextClaimed)
      return try Row.fetchOne(claimed, arguments: [tagType, takesAny, passed]).map(StoredJob.job)
    }
    let any = try db.cachedStatement(
      sql:
        "SELECT min(number) FROM job WHERE state = 'pending' AND wanted_tag IS NULL AND number > ?")
    let its = try db.cachedStatement(
      sql: "SELECT min(number) FROM job WHERE state = 'pending' AND wanted_tag = ? AND number > ?")
    let numbers = [
      takesAny ? try Int.fetchOne(any, arguments: [passed]) : nil,
      try Int.fetchOne(its, arguments: [tagType, passed]),
    ]
    guard let number = numbers.compactMap({ $0 }).min() else { return nil }
    let job = try db.cachedStatement(sql: "SELECT * FROM job WHERE number = ?")
    return try Row.fetchOne(job, arguments: [number]).map(StoredJob.job)
  }

  /// A bench has few claims, and a batch many jobs: CROSS JOIN has SQLite begin with the claims.
  static let nextClaimed = """
    SELECT job.* FROM pool_claim CROSS JOIN job ON job.number = pool_claim.job
    WHERE stage = 'entrusted' AND state = 'pending'
      AND (wanted_tag IS NULL AND ?2 OR wanted_tag = ?1) AND job.number > ?3
    ORDER BY pool_claim.job LIMIT 1
    """

  /// The job of this number, when it waits for this very tag, for its type or, where `takesAny`,
  /// for any.
  func pending(
    _ number: Int, for tag: PresentedTag, orAny takesAny: Bool, in db: Database
  ) throws -> PlannedJob? {
    let job = try db.cachedStatement(
      sql: """
        SELECT * FROM job WHERE number = ? AND state = 'pending'
          AND (wanted_tag IS NULL AND ? OR wanted_tag IN (?, ?, ?))
          AND (NOT EXISTS (SELECT 1 FROM pool) OR EXISTS (SELECT 1 FROM pool_claim
            WHERE pool_claim.job = number AND stage = 'entrusted'))
        """)
    let (type, uid) = (tag.tagType, tag.uid)
    return try Row.fetchOne(
      job,
      arguments: [
        number, takesAny, type, uid.map(WantedTag.text), WantedTag(uid: uid, type: type).stored,
      ]
    ).map(StoredJob.job)
  }

  /// Jobs, each with the event that brought it where it stands, and that event's session.
  package static let jobsWithEvents = """
    SELECT job.*, event.kind, event.station, event.reader, event.cause, event.text, event.started_at,
      event.duration, session.operator, session.host, session.boot, session.namespace, session.process,
      session.process_start, session.ended_at, session.id AS session_id
    FROM job JOIN event ON event.id = job.event JOIN session ON session.id = event.session
    """

  package static func writtenTag(_ row: Row) throws -> WrittenTag {
    let (uid, digest): (Data, Data) = (row["uid"], row["message_digest"])
    let (started, duration): (Int64, Int64) = (row["started_at"], row["duration"])
    var tag = WrittenTag(
      job: try StoredJob.job(row), uid: UID(uid), tagType: row["tag"], digest: Array(digest),
      length: row["message_length"], uri: row["uri"], isLocked: row["is_locked"],
      isProtected: row["is_protected"], when: Date(began: started, lasting: duration),
      station: row["station"] ?? "", reader: row["reader"] ?? "", operatorName: row["operator"])
    tag.isPutBack =
      StoredChange(row).map { LedgerSQLite.digest(of: $0.before) == tag.digest } ?? false
    return tag
  }

  static func reservedTag(_ row: Row) throws -> ReservedTag {
    let (uid, digest): (Data, Data) = (row["uid"], row["message_digest"])
    let isHeld = row["kind"] == EventKind.held.rawValue
    return ReservedTag(
      job: try StoredJob.job(row), uid: UID(uid), tagType: row["tag"], digest: Array(digest),
      since: Date(milliseconds: row["started_at"]), station: row["station"] ?? "",
      reader: row["reader"] ?? "", operatorName: row["operator"],
      trouble: isHeld ? trouble(row) : nil, holder: isHeld ? .nobody : holder(row))
  }

  private static func holder(_ row: Row) -> ReservedTag.Holder {
    guard row["ended_at"] == nil as Int64? else { return .gone }
    let process = process(row)
    return switch process.isAlive {
    case true?: .working(station: row["station"] ?? "", process: process.process)
    case false?: .gone
    case nil: .unknown(host: process.host)
    }
  }

  /// The process of a session.
  static func process(_ row: Row) -> ProcessIdentity {
    ProcessIdentity(
      host: row["host"], boot: row["boot"], namespace: row["namespace"], process: row["process"],
      start: row["process_start"])
  }

  private static func trouble(_ row: Row) -> TagTrouble {
    TagTrouble(stored: row["cause"] ?? "", row["text"] ?? "")
  }
}
