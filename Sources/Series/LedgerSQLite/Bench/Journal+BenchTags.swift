import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

/// Where the bench's own journal follows what the pool says of a tag.
extension Journal {
  /// A job of the list; nil: the list does not have it.
  package func plannedJob(_ number: Int) throws(JournalError) -> PlannedJob? {
    try read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT * FROM job WHERE number = ?"), arguments: [number]
      ).map(StoredJob.job)
    }
  }

  /// Returns whether what the bench knows of a tag is what the pool says: the same job with the
  /// same message, where it may go on. `isWritten`: the pool has it as finished.
  package func hasTag(
    _ uid: [UInt8], withJob number: Int, _ digest: [UInt8], isWritten: Bool
  ) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM job JOIN pool_claim ON pool_claim.job = number
          WHERE uid = ? AND number = ? AND message_digest = ?
            AND (state = 'reserved' OR ?))
        """
      return try Bool.fetchOne(
        db.cachedStatement(sql: sql), arguments: [Data(uid), number, Data(digest), isWritten])
        ?? false
    }
  }

  /// Returns whether the pool has not heard yet that the tag has the job, and it is the tag's
  /// first.
  package func isNew(_ reservation: Reservation) throws(JournalError) -> Bool {
    try read { db in
      let sql = "SELECT EXISTS (SELECT 1 FROM untold WHERE id = ?)"
      let isUntold = try Bool.fetchOne(
        db.cachedStatement(sql: sql), arguments: [reservation.token])
      return try isUntold == true
        && standing(ofJob: reservation.job.number, before: reservation.token, in: db).isPending
    }
  }

  /// Returns whether the tag still has the job by this reservation.
  package func isInForce(_ reservation: Reservation) throws(JournalError) -> Bool {
    try standing(ofJob: reservation.job.number)?.epoch == reservation.token
  }

  /// The bench drops what it has of a job, which is in other hands or on no tag of its own. What it
  /// drops is not told: the pool knows better. `tag`: only where the job is on this one;
  /// `setsAside`: it is not to be used again, by the pool's word.
  package func drop(
    _ number: Int, from tag: [UInt8]? = nil, _ session: JournalSession, _ cause: TagTrouble,
    setsAside: Bool = false
  ) throws(JournalError) {
    try write { db in
      if let tag, try jobs(where: .onTag(tag), in: db) != [number] { return }
      try drop(number, session, cause, setsAside: setsAside, in: db)
    }
  }

  /// Drops what the bench has of a job, and returns the number of what was written down, nil where
  /// there was nothing to drop. `setsAside`: the tag is not to be used again.
  @discardableResult
  package func drop(
    _ number: Int, _ session: JournalSession, _ cause: TagTrouble, setsAside: Bool = false,
    in db: Database
  ) throws -> Int64? {
    try db.cachedStatement(sql: "DELETE FROM pool_claim WHERE job = ?").execute(arguments: [number])
    guard let standing = try standing(ofJob: number, in: db), let held = standing.binding else {
      return nil
    }
    let tag = PresentedTag(uid: UID(held.tag), tagType: held.type, station: "", reader: "")
    if standing.isWritten || standing.isHeld {
      try session.echo(.reserved(job: number, tag: held.tag, held.message), tag, in: db)
    }
    return try session.echo(
      .returned(job: number, tag: held.tag, setsAside: setsAside), tag, cause, in: db)
  }

  /// The tag with this job is not to be used: the pool contradicts what the bench says of it. Its
  /// label and its result are nobody's.
  package func setAside(
    _ uid: [UInt8], of number: Int, _ session: JournalSession, _ trouble: TagTrouble
  ) throws(JournalError) {
    try write { db in
      guard try jobs(where: .onTag(uid), in: db) == [number],
        try drop(number, session, trouble, setsAside: true, in: db) != nil
      else { return }
      for table in ["result_due", "label_print"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [number])
      }
      try db.execute(
        sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL", arguments: [number])
    }
  }

  /// A job that failed here waits for a tag again.
  package func revive(_ number: Int, _ session: JournalSession, in db: Database) throws {
    guard try standing(ofJob: number, in: db)?.state == .failed else { return }
    try session.echo(.retried(job: number), in: db)
  }

  /// Takes up what another bench has begun or finished on a tag; this bench goes on with it, once
  /// the pool has said that it may.
  package func take(
    _ tag: Binding, of number: Int, in epoch: Int64, _ presented: PresentedTag,
    draft: [UInt8]?, _ session: JournalSession
  ) throws(JournalError) {
    try write { db in
      let uid = tag.tag
      if let other = try jobs(where: .onTag(uid), in: db).first, other != number {
        try drop(other, session, Self.elsewhere, in: db)
      }
      try drop(number, session, Self.elsewhere, in: db)
      try revive(number, session, in: db)
      try session.echo(
        .reserved(job: number, tag: uid, tag.message),
        PresentedTag(
          uid: presented.uid, tagType: presented.tagType ?? tag.type, station: presented.station,
          reader: presented.reader), draft: draft, in: db)
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [number, epoch])
    }
  }

  /// Takes a reservation back that the pool has refused before anything was written.
  /// `keepsClaim`: the job is still this bench's, for another tag.
  package func undo(
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
  /// that is known of the two here says so from then on (`returnedTags`). A tag that was set aside
  /// stays so, for its own reason.
  package func noteElsewhere(
    _ number: Int, on tag: PresentedTag, holding message: MessageFacts, _ session: JournalSession
  ) throws(JournalError) {
    try write { db in
      guard let uid = tag.uid?.bytes else { return }
      let aside = try Row.fetchOne(
        db,
        sql: """
          SELECT cause, text FROM scrap JOIN event ON event.id = scrap.event WHERE scrap.uid = ?
          """, arguments: [Data(uid)])
      var trouble = Self.elsewhere
      if let aside {
        let (cause, text): (String?, String?) = (aside["cause"], aside["text"])
        trouble = TagTrouble(
          cause == TagCause.conflict.rawValue ? .conflict : .elsewhere,
          [text, trouble.text].compactMap { $0 }.joined(separator: " "))
      }
      try noteElsewhere(
        number, on: tag, holding: message, session, trouble, setsAside: aside != nil, in: db)
    }
  }

  private func noteElsewhere(
    _ number: Int, on tag: PresentedTag, holding message: MessageFacts,
    _ session: JournalSession, _ trouble: TagTrouble, setsAside: Bool, in db: Database
  ) throws {
    guard let uid = tag.uid?.bytes,
      try standing(ofJob: number, in: db)?.state == .pending,
      try jobs(where: .onTag(uid), in: db).isEmpty,
      try jobs(where: .holding(message.digest), in: db).isEmpty
    else { return }
    try session.echo(.reserved(job: number, tag: uid, message), tag, in: db)
    try drop(number, session, trouble, setsAside: setsAside, in: db)
  }

  /// The pool has refused the event with which an inspection took the job of a bad tag, which held
  /// `message`: what it has found does not count, and the tag is not set aside by it. Whoever tells
  /// the pool calls this before the pool knows the event as a refused one, so that a crash leaves
  /// nothing counted. Other events change nothing.
  package func voidInspection(
    taking event: Event, holding message: MessageFacts, _ session: JournalSession
  ) throws(JournalError) {
    try write { db in
      // What was done with the tag then was written down at once, with the inspection's words.
      let sql = """
        DELETE FROM inspection WHERE id = (SELECT max(found.id) FROM inspection AS found
          JOIN event ON event.job = found.job AND event.uid = found.uid
            AND event.session = found.session AND event.cause = found.cause
            AND event.text IS found.text
          WHERE event.id = ?1 + 1 AND event.kind IN ('returned', 'held') AND found.result = 'bad')
        """
      try db.cachedStatement(sql: sql).execute(arguments: [event.number])
      guard db.changesCount > 0, let job = event.job, let uid = event.tag else { return }
      let isAside = try Row.fetchOne(
        db, sql: "SELECT 1 FROM scrap WHERE uid = ? AND event = ? + 1",
        arguments: [Data(uid), event.number])
      guard isAside != nil else { return }
      let tag = PresentedTag(
        uid: UID(uid), tagType: event.tagType, station: event.station ?? "",
        reader: event.reader ?? "")
      try noteElsewhere(
        job, on: tag, holding: message, session, Self.elsewhere, setsAside: false, in: db)
    }
  }

  package static let elsewhere = TagTrouble(.elsewhere, "Another bench goes on with the job.")
}
