import Foundation
import GRDB
import NDEF
import TagMemory

extension JournalSession {
  /// Keeps a job for the tag, before anything is written to it.
  ///
  /// A tag that has a job, reserved or (when `rewriting`) written, gets the same one; any other the next that is
  /// waiting for its type, in order. `make` gives the bytes of the message; it must not use the journal. On the disk
  /// when this returns. The tag must have a UID.
  public func reserve(
    for tag: PresentedTag, rewriting: Bool = false,
    make: (PlannedJob) throws(JobRefusal) -> [UInt8]
  ) throws(JournalError) -> ReservationOutcome {
    guard let uid = tag.uid else { return .unsuited("The tag's UID is not known.") }
    return try journal.write { db in
      switch try journal.history(of: uid, in: db) {
      case .written(let written) where !rewriting: return .written(written)
      case .written(let written): return try again(written.job, tag, make, db)
      case .reserved(let reserved) where !mayTake(reserved, tag): return .inUse(reserved)
      case .reserved(let reserved): return try again(reserved.job, tag, make, db)
      case .scrap, nil: return try next(tag, make, db)
      }
    }
  }

  /// Takes over the reservation of a tag that holds the reserved message already, `content` being what it holds:
  /// what is left to be done is to finish it. Nil when the tag has no reservation, another content, or is in use.
  public func takeUp(_ tag: PresentedTag, holding content: [UInt8]) throws(JournalError)
    -> Reservation?
  {
    guard let uid = tag.uid else { return nil }
    return try journal.write { db in
      guard case .reserved(let reserved) = try journal.history(of: uid, in: db),
        reserved.digest == digest(of: content), mayTake(reserved, tag)
      else { return nil }
      let number = reserved.job.number
      let event = try record(.resumed, tag, job: number, in: db)
      try db.cachedStatement(sql: "UPDATE job SET event = ?, tag = ? WHERE number = ?")
        .execute(arguments: [event, tag.tagType, number])
      return Reservation(
        job: reserved.job, tag: tag, message: content, digest: reserved.digest, token: event)
    }
  }

  /// Whether nobody else works on the tag: a station that sees the tag it works on anew may start over.
  private func mayTake(_ reserved: ReservedTag, _ tag: PresentedTag) -> Bool {
    switch reserved.holder {
    case .nobody, .gone: true
    case .working(let station, let process):
      station == tag.station && process == ProcessIdentity.current.process
    case .unknown: false
    }
  }

  private func again(
    _ job: PlannedJob, _ tag: PresentedTag, _ make: (PlannedJob) throws(JobRefusal) -> [UInt8],
    _ db: Database
  ) throws -> ReservationOutcome {
    switch try message(for: job, make, db) {
    case .success(let message): try .reserved(keep(job, tag, message, db))
    case .failure(.defective(let reason)), .failure(.unsuitedTag(let reason)): .unsuited(reason)
    }
  }

  private func next(
    _ tag: PresentedTag, _ make: (PlannedJob) throws(JobRefusal) -> [UInt8], _ db: Database
  ) throws -> ReservationOutcome {
    while let job = try journal.nextPending(for: tag.tagType, in: db) {
      switch try message(for: job, make, db) {
      case .success(let message): return try .reserved(keep(job, tag, message, db))
      case .failure(.unsuitedTag(let reason)): return .unsuited(reason)
      case .failure(.defective(let reason)):
        let trouble = TagTrouble("defective-job", reason)
        let event = try record(.refused, nil, job: job.number, trouble, in: db)
        try db.cachedStatement(sql: "UPDATE job SET state = 'failed', event = ? WHERE number = ?")
          .execute(arguments: [event, job.number])
      }
    }
    let others = "SELECT EXISTS (SELECT 1 FROM job WHERE state = 'pending')"
    return try Bool.fetchOne(db, sql: others) == true ? .nothingFits : .nothingLeft
  }

  /// The job's message, unless another job has the same.
  private func message(
    for job: PlannedJob, _ make: (PlannedJob) throws(JobRefusal) -> [UInt8], _ db: Database
  ) throws -> Result<[UInt8], JobRefusal> {
    let message: [UInt8]
    do throws(JobRefusal) { message = try make(job) } catch { return .failure(error) }
    if let other = try journal.job(holding: digest(of: message), in: db), other != job.number {
      return .failure(.defective("Its message is that of job \(other)."))
    }
    return .success(message)
  }

  private func keep(_ job: PlannedJob, _ tag: PresentedTag, _ message: [UInt8], _ db: Database)
    throws -> Reservation
  {
    let digest = digest(of: message)
    let event = try record(.reserved, tag, job: job.number, in: db)
    let uid = tag.uid.map { Data($0.bytes) }
    try db.cachedStatement(
      sql: """
        UPDATE job SET state = 'reserved', event = ?, uid = ?, tag = ?, message_digest = ?, message_length = ?,
          uri = ?, is_locked = NULL, is_protected = NULL WHERE number = ?
        """
    ).execute(arguments: [
      event, uid, tag.tagType, Data(digest), message.count, Self.link(in: message), job.number,
    ])
    try db.cachedStatement(sql: "DELETE FROM scrap WHERE uid = ?").execute(arguments: [uid])
    return Reservation(job: job, tag: tag, message: message, digest: digest, token: event)
  }

  /// The first link that the message carries.
  private static func link(in message: [UInt8]) -> String? {
    guard let records = try? Message(parsing: message).records else { return nil }
    for record in records {
      switch record.content {
      case .uri(let link): return link.uri
      case .smartPoster(let poster): return poster.uri.uri
      case .absoluteURI(let link): return link.uri
      default: continue
      }
    }
    return nil
  }
}
