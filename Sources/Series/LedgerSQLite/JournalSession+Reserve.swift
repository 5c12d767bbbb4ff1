import Foundation
import GRDB
import JobLists
import Ledger
import NDEF
import TagMemory

extension JournalSession {
  /// Keeps a job for the tag, before anything is written to it.
  ///
  /// A tag that has a job, reserved or (when `rewriting`) written, gets the same one; any other the
  /// next that is waiting for its type, in order; `wanted`: that job and no other; `takesAny`: or
  /// one that is for any type. `make` gives the bytes of the message as of a day (`2026-11-21`, in
  /// UTC), `today` for a job that was never on a tag; it must not use the journal. A reserved job
  /// keeps the message that it was reserved with. `keys`: those that the tag is to get, which the
  /// journal names before any of them changes. On the disk when this returns. The tag must have a
  /// UID.
  package func reserve(
    for tag: PresentedTag, rewriting: Bool = false, wanted: Int? = nil, takesAny: Bool = true,
    today: String = "", keys: GivenKeys? = nil,
    make: @escaping (_ job: PlannedJob, _ day: String) throws(JobRefusal) -> [UInt8]
  ) throws(JournalError) -> ReservationOutcome {
    guard tag.uid != nil else { return Self.noUID }
    mark()
    let make = Maker(today: today, takesAny: takesAny, make: make)
    guard let pool = journal.pool else {
      let outcome = try reserveHere(tag, rewriting, wanted, keys, make)
      if case .reserved(let reservation) = outcome { tell(reservation.token) }
      return outcome
    }
    return try pool.reserve(for: tag, rewriting: rewriting, wanted: wanted, self) {
      () throws(JournalError) in
      make.unfit.jobs = []
      return (try reserveHere(tag, rewriting, wanted, keys, make), make.unfit.jobs)
    }
  }

  /// The job of a tag that holds it, finished, and the message that `reserve` would write once
  /// more; nil where this journal has no job on the tag, or no message can be made of it.
  package func foreseen(
    for tag: PresentedTag, today: String,
    make: @escaping (_ job: PlannedJob, _ day: String) throws(JobRefusal) -> [UInt8]
  ) throws(JournalError) -> (job: PlannedJob, message: [UInt8])? {
    guard let uid = tag.uid else { return nil }
    return try journal.read { db in
      guard case .written(let written)? = try journal.history(of: uid, in: db),
        let day = try String.fetchOne(
          db.cachedStatement(sql: "SELECT day FROM job WHERE number = ?"),
          arguments: [written.job.number]),
        case .success(let message) = try message(
          for: written.job, Maker(today: today, takesAny: true, make: make), day, db)
      else { return nil }
      return (written.job, message)
    }
  }

  static let noUID = ReservationOutcome.left(
    TagTrouble(.noTag, "The tag's UID is not known."))

  /// Reserves a job for the tag by what this journal says.
  private func reserveHere(
    _ tag: PresentedTag, _ rewriting: Bool, _ wanted: Int?, _ keys: GivenKeys?, _ make: Maker
  ) throws(JournalError) -> ReservationOutcome {
    guard let uid = tag.uid else { return Self.noUID }
    return try journal.write { db in
      let outcome: ReservationOutcome =
        switch try journal.history(of: uid, in: db) {
        case .written(let written) where !rewriting: .written(written)
        case .written(let written): try again(written.job, nil, tag, make, db)
        case .reserved(let reserved) where !mayTake(reserved, tag): .inUse(reserved)
        case .reserved(let reserved): try again(reserved.job, reserved, tag, make, db)
        case .scrap, nil: try next(tag, wanted, make, db)
        }
      if case .reserved(let reservation) = outcome { try note(keys, reservation, in: db) }
      return outcome
    }
  }

  /// Takes over the reservation of a tag that holds the reserved message already, `content` being
  /// what it holds: what is left to be done is to finish it. Nil when the tag has no reservation,
  /// another content, or is in use.
  package func takeUp(
    _ tag: PresentedTag, holding content: [UInt8], keys: GivenKeys? = nil
  ) throws(JournalError) -> Reservation? {
    guard let pool = journal.pool else { return try takeUpHere(tag, content, keys) }
    return try pool.takeUp(tag, self) { () throws(JournalError) in
      try takeUpHere(tag, content, keys)
    }
  }

  private func takeUpHere(
    _ tag: PresentedTag, _ content: [UInt8], _ keys: GivenKeys?
  ) throws(JournalError) -> Reservation? {
    guard let uid = tag.uid else { return nil }
    return try journal.write { db in
      guard case .reserved(let reserved) = try journal.history(of: uid, in: db),
        reserved.digest == digest(of: content)
      else { return nil }
      let number = reserved.job.number
      try journal.check(reserved.job, for: uid, in: db)
      let taking = LedgerCommand.takeOver(bench: bench(tag), tag: uid.bytes)
      guard
        let event = try carryOutIfAllowed(
          taking, on: number, tag, isAtWork: !mayTake(reserved, tag), in: db)
      else { return nil }
      let reservation = Reservation(
        job: reserved.job, tag: tag, message: content, digest: reserved.digest, token: event)
      try note(keys, reservation, in: db)
      return reservation
    }
  }

  private func note(_ given: GivenKeys?, _ reservation: Reservation, in db: Database) throws {
    guard let given else { return }
    try Journal.note(given, by: reservation.token, ofJob: reservation.job.number, in: db)
  }

  /// Returns whether nobody else works on the tag: a station that sees the tag it works on anew may
  /// start over.
  func mayTake(_ reserved: ReservedTag, _ tag: PresentedTag) -> Bool {
    switch reserved.holder {
    case .nobody, .gone: true
    case .working(let station, let process):
      station == tag.station && process == ProcessIdentity.current.process
    case .unknown: false
    }
  }

  /// How messages are made.
  private struct Maker {
    let today: String
    /// Is true if jobs are taken that are for any type of tag.
    let takesAny: Bool
    let make: (PlannedJob, String) throws(JobRefusal) -> [UInt8]
    let unfit = Unfit()
  }

  /// Jobs that were passed by, as they do not fit the tag.
  private final class Unfit {
    var jobs: [Int] = []
  }

  /// The job that the tag has, once more: with the message that it was reserved with, or as of the
  /// day it was given.
  private func again(
    _ job: PlannedJob, _ reserved: ReservedTag?, _ tag: PresentedTag, _ maker: Maker, _ db: Database
  ) throws -> ReservationOutcome {
    let kept = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT day, message FROM job WHERE number = ?"),
      arguments: [job.number])
    let day: String? = kept?["day"]
    if reserved != nil, let message: Data = kept?["message"] {
      return try .reserved(keep(job, tag, Array(message), day ?? maker.today, db))
    }
    let made = try day ?? self.made(of: job, on: maker.today, db)
    switch try message(for: job, maker, made, db) {
    case .success(let message):
      return try .reserved(keep(job, tag, message, made, db))
    case .failure(.defective(let reason)), .failure(.unsuitedTag(let reason)):
      return .left(TagTrouble(.unsuited, reason))
    }
  }

  /// So many rows in a row are passed by for one tag: nobody waits while a whole list is tried.
  private static let mostPassed = 5000

  private func next(_ tag: PresentedTag, _ wanted: Int?, _ maker: Maker, _ db: Database) throws
    -> ReservationOutcome
  {
    // A row that does not fit this tag holds up none behind it.
    var (passed, unsuited): (Int, String?) = (0, nil)
    for _ in 0..<Self.mostPassed {
      guard
        let job = try wanted.map({
          try journal.pending($0, for: tag, orAny: maker.takesAny, in: db)
        })
          ?? journal.nextPending(
            for: tag.tagType, orAny: maker.takesAny, behind: passed, in: db)
      else { break }
      let made = try self.made(of: job, on: maker.today, db)
      switch try message(for: job, maker, made, db) {
      case .success(let message):
        return try .reserved(keep(job, tag, message, made, db))
      case .failure(.unsuitedTag(let reason)):
        guard wanted == nil else { return .left(TagTrouble(.unsuited, reason)) }
        (passed, unsuited) = (job.number, unsuited ?? reason)
        maker.unfit.jobs.append(job.number)
      case .failure(.defective(let reason)):
        try fail(job, because: TagTrouble(.defectiveJob, reason), in: db)
        guard wanted == nil else { return .left(TagTrouble(.unsuited, reason)) }
      }
    }
    if let unsuited { return .left(TagTrouble(.unsuited, unsuited)) }
    let others = "SELECT EXISTS (SELECT 1 FROM job WHERE state = 'pending')"
    return try Bool.fetchOne(db, sql: others) == true ? .nothingFits : .nothingLeft
  }

  /// What the job's message is filled with today. A code that was drawn for it stays its own,
  /// unless a tag may have it that the job was taken from.
  private func made(of job: PlannedJob, on today: String, _ db: Database) throws -> String {
    guard job.message.codeLength != nil else { return today }
    let statement = try db.cachedStatement(
      sql: """
        SELECT made_for FROM event WHERE job = ?1 AND kind = 'reserved' AND id > coalesce(
          (SELECT max(id) FROM event WHERE job = ?1 AND (sets_aside OR cause = 'reset')), 0)
        ORDER BY id DESC LIMIT 1
        """)
    let before = try String.fetchOne(statement, arguments: [job.number])
    return RandomCode.made(
      on: today, for: job, keeping: before.flatMap { TagFields.parts(of: $0).code })
  }

  /// No message can be made of the job.
  package func fail(_ job: PlannedJob, because trouble: TagTrouble) throws(JournalError) {
    try journal.write { db in try fail(job, because: trouble, in: db) }
  }

  private func fail(_ job: PlannedJob, because trouble: TagTrouble, in db: Database) throws {
    let (epoch, nobody) = (try journal.standing(ofJob: job.number, in: db)?.epoch ?? 0, "")
    try carryOut(
      [.claim(bench: nobody, until: 0), .refuse(bench: nobody, epoch: epoch + 1)],
      on: job.number, nil, trouble, in: db)
  }

  /// The job's message, unless another job has the same.
  private func message(for job: PlannedJob, _ maker: Maker, _ day: String, _ db: Database) throws
    -> Result<[UInt8], JobRefusal>
  {
    let message: [UInt8]
    do throws(JobRefusal) { message = try maker.make(job, day) } catch { return .failure(error) }
    if let other = try journal.jobs(where: .holding(digest(of: message)), in: db).first,
      other != job.number
    {
      return .failure(.defective("Its message is that of job \(other)."))
    }
    return .success(message)
  }

  func keep(
    _ job: PlannedJob, _ tag: PresentedTag, _ message: [UInt8], _ day: String, _ db: Database
  ) throws -> Reservation {
    let facts = MessageFacts(
      digest: digest(of: message), length: message.count, uri: Self.link(in: message),
      day: day.isEmpty ? nil : day)
    let (bench, uid) = (bench(tag), tag.uid?.bytes ?? [])
    try journal.check(job, for: tag.uid, in: db)
    let standing = try journal.standing(ofJob: job.number, in: db) ?? JobStanding()
    let commands: [LedgerCommand] =
      standing.isPending
      ? [
        .claim(bench: bench, until: 0),
        .bind(bench: bench, epoch: standing.epoch + 1, tag: uid, message: facts),
      ] : [.takeOver(bench: bench, tag: uid, message: facts)]
    // What was looked up before in the same transaction leaves nothing that the rules refuse.
    let event = try carryOut(commands, on: job.number, tag, draft: message, in: db)
    return Reservation(
      job: job, tag: tag, message: message, digest: facts.digest, token: event)
  }

  /// The first link that the message carries.
  package static func link(in message: [UInt8]) -> String? {
    (try? Message(parsing: message))?.firstLink?.link
  }
}
