import Foundation
import GRDB
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// Where the bench's own journal follows what the pool says of a tag.
extension Journal {
  /// A job of the list; nil: the list does not have it.
  func plannedJob(_ number: Int) throws(JournalError) -> PlannedJob? {
    try read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT * FROM job WHERE number = ?"), arguments: [number]
      ).map(StoredJob.job)
    }
  }

  /// Whether what the bench knows of a tag is what the pool says: the same job with the same
  /// message, where it may go on. `isWritten`: the pool has it as finished.
  func hasTag(
    _ uid: [UInt8], withJob number: Int, _ digest: [UInt8], isWritten: Bool
  ) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM job JOIN pool_claim ON pool_claim.job = number
          WHERE uid = ? AND number = ? AND message_digest = ? AND stage <> 'conflict'
            AND (state = 'reserved' OR ?))
        """
      return try Bool.fetchOne(
        db.cachedStatement(sql: sql), arguments: [Data(uid), number, Data(digest), isWritten])
        ?? false
    }
  }

  /// Whether the pool has not heard yet that the tag has the job, and it is the tag's first.
  func isNew(_ reservation: Reservation) throws(JournalError) -> Bool {
    try read { db in
      let sql = "SELECT was FROM pool_outbox WHERE event = ?"
      return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [reservation.token])
        == "pending"
    }
  }

  /// Whether the tag still has the job by this reservation.
  func isInForce(_ reservation: Reservation) throws(JournalError) -> Bool {
    try standing(ofJob: reservation.job.number)?.epoch == reservation.token
  }

  /// The bench drops what it has of a job, which is in other hands or on no tag of its own. What it
  /// drops is not told: the pool knows better. `tag`: only where the job is on this one.
  func drop(
    _ number: Int, from tag: [UInt8]? = nil, _ session: JournalSession, _ cause: TagTrouble
  ) throws(JournalError) {
    try write { db in
      if let tag, try job(ofTag: tag, in: db) != number { return }
      try drop(number, session, cause, in: db)
    }
  }

  /// The same; gives the number of what was written down, nil where there was nothing to drop.
  @discardableResult
  func drop(
    _ number: Int, _ session: JournalSession, _ cause: TagTrouble, in db: Database
  ) throws -> Int64? {
    try db.cachedStatement(sql: "DELETE FROM pool_claim WHERE job = ?").execute(arguments: [number])
    let sql = "SELECT state, uid, tag, event FROM job WHERE number = ?"
    guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [number]),
      let uid: Data = row["uid"]
    else { return nil }
    let tag = PresentedTag(uid: UID(uid), tagType: row["tag"], station: "", reader: "")
    if row["state"] == "written" || isHeld(row["event"], db) {
      let event = try session.record(.reserved, tag, job: number, in: db)
      try db.cachedStatement(
        sql: """
          UPDATE job SET state = 'reserved', event = ?, is_locked = NULL, is_protected = NULL
          WHERE number = ?
          """
      ).execute(arguments: [event, number])
      try untell(event, db)
    }
    let event = try session.record(.returned, tag, job: number, cause, in: db)
    try db.cachedStatement(sql: JournalSession.freeing).execute(arguments: [event, number])
    try untell(event, db)
    return event
  }

  /// The tag with this job is not to be used: the pool contradicts what the bench says of it. Its
  /// label and its result are nobody's.
  func setAside(
    _ uid: [UInt8], of number: Int, _ session: JournalSession, _ trouble: TagTrouble
  ) throws(JournalError) {
    try write { db in
      guard try job(ofTag: uid, in: db) == number,
        let event = try drop(number, session, trouble, in: db)
      else { return }
      try session.scrap(UID(uid), event, db)
      for table in ["result_due", "label_print"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [number])
      }
      try db.execute(
        sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL", arguments: [number])
    }
  }

  /// A job that failed here waits for a tag again.
  func revive(_ number: Int, _ session: JournalSession, in db: Database) throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM job WHERE number = ? AND state = 'failed')"
    guard try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [number]) == true else {
      return
    }
    let event = try session.record(.retried, nil, job: number, in: db)
    try db.cachedStatement(sql: "UPDATE job SET state = 'pending', event = ? WHERE number = ?")
      .execute(arguments: [event, number])
    try untell(event, db)
  }

  /// Takes up what another bench has begun or finished on a tag; this bench goes on with it, once
  /// the pool has said that it may.
  func take(
    _ tag: PoolTag, of number: Int, _ presented: PresentedTag, _ session: JournalSession
  ) throws(JournalError) {
    try write { db in
      let uid = presented.uid?.bytes ?? []
      if let other = try job(ofTag: uid, in: db), other != number {
        try drop(other, session, Self.elsewhere, in: db)
      }
      try drop(number, session, Self.elsewhere, in: db)
      try revive(number, session, in: db)
      let event = try session.record(.reserved, presented, job: number, in: db)
      try db.cachedStatement(
        sql: """
          UPDATE job SET state = 'reserved', event = ?, uid = ?, tag = ?, message_digest = ?,
            message_length = ?, uri = ?, day = ?, message = ? WHERE number = ? AND state = 'pending'
          """
      ).execute(arguments: [
        event, Data(uid), presented.tagType ?? tag.detail.tagType, Data(tag.digest),
        tag.detail.length ?? 0, tag.detail.uri, tag.detail.day, tag.detail.message.map { Data($0) },
        number,
      ])
      guard db.changesCount == 1 else { throw JournalError.reservationLost(job: number) }
      try untell(event, db)
      try db.cachedStatement(sql: "DELETE FROM scrap WHERE uid = ?").execute(arguments: [Data(uid)])
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [number, tag.epoch])
    }
  }

  /// Takes a reservation back that the pool has refused before anything was written.
  /// `keepsClaim`: the job is still this bench's, for another tag.
  func undo(
    _ reservation: Reservation, _ session: JournalSession, keepsClaim: Bool
  ) throws(JournalError) {
    let number = reservation.job.number
    try write { db in
      let epoch = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT epoch FROM pool_claim WHERE job = ?"), arguments: [number])
      try drop(
        number, session, TagTrouble(.pool, "The pool did not give the job to this tag."), in: db)
      guard keepsClaim, let epoch else { return }
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'entrusted')")
        .execute(arguments: [number, epoch])
    }
  }

  /// The pool has not taken a job back from its tag: another bench goes on with it there. The last
  /// that is known of the two here says so from then on (`returnedTags`).
  func noteElsewhere(
    _ number: Int, on tag: PresentedTag, holding digest: [UInt8], _ session: JournalSession
  ) throws(JournalError) {
    try write { db in
      let uid = tag.uid.map { Data($0.bytes) }
      let isFree = try Bool.fetchOne(
        db,
        sql: """
          SELECT state = 'pending' AND NOT EXISTS (
            SELECT 1 FROM job WHERE uid = ? OR message_digest = ?) FROM job WHERE number = ?
          """, arguments: [uid, Data(digest), number])
      guard isFree == true else { return }
      let event = try session.record(.reserved, tag, job: number, in: db)
      try db.execute(
        sql: """
          UPDATE job SET state = 'reserved', event = ?, uid = ?, tag = ?, message_digest = ?,
            message_length = 0 WHERE number = ?
          """, arguments: [event, uid, tag.tagType, Data(digest), number])
      try untell(event, db)
      try drop(number, session, Self.elsewhere, in: db)
    }
  }

  static let elsewhere = TagTrouble(.elsewhere, "Another bench goes on with the job.")

  private func isHeld(_ event: Int64?, _ db: Database) -> Bool {
    let kind = try? String.fetchOne(
      db, sql: "SELECT kind FROM event WHERE id = ?", arguments: [event])
    return kind == EventKind.held.rawValue
  }
}
