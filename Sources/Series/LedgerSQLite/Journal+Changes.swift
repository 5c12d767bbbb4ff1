import CardCrypto
import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

/// What a tag from the field held when it came, and what it is to hold: bytes of messages.
package struct StoredChange: Hashable, Sendable {
  package let before: [UInt8]
  package let after: [UInt8]

  /// Nil for the row of a job of a list.
  init?(_ row: Row) {
    guard let before: Data = row["before"], let after: Data = row["after"] else { return nil }
    (self.before, self.after) = (Array(before), Array(after))
  }
}

/// A series of tags from the field, each of which gets another message: a job for each, by its UID.
extension Journal {
  /// Makes sure that the journal is one of such a series. `rules`: those that it is for, which an
  /// empty one takes up; nil: those that it has. Throws `sourceChanged` where it has others.
  package func adopt(changes rules: SourceDescription?) throws(JournalError) {
    try write { db in
      guard let known = try source(in: db)?.description else {
        guard let rules else { throw JournalError.holdsNothing(path) }
        return try insert(rules, adopted: clock(), into: db)
      }
      var difference = SourceDifference()
      difference.settings = rules.map { $0.differences(from: known) } ?? []
      if rules == nil, known.kind != ChangeRules.kind {
        difference.settings = ["the source was \(known.kind), is \(ChangeRules.kind)"]
      }
      guard difference.isNone else { throw JournalError.sourceChanged(difference) }
    }
  }

  /// What the job's tag held before, and what it is to hold; nil: the job is one of a list.
  package func change(ofJob number: Int) throws(JournalError) -> StoredChange? {
    try read { db in try change(ofJob: number, in: db) }
  }

  func change(ofJob number: Int, in db: Database) throws -> StoredChange? {
    let statement = try db.cachedStatement(sql: "SELECT before, after FROM job WHERE number = ?")
    return try Row.fetchOne(statement, arguments: [number]).flatMap(StoredChange.init)
  }

  /// How many tags hold their new message, read back.
  package func changedTags() throws(JournalError) -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM job WHERE state = 'written' AND before IS NOT NULL
            AND message_digest <> (\(Self.firstDigest))
          """) ?? 0
    }
  }

  /// The tags whose change was begun and that were set aside: nobody can put them back.
  package func lostTags() throws(JournalError) -> [UID] {
    try read { db in
      try Data.fetchAll(
        db,
        sql: """
          SELECT uid FROM event WHERE id IN (
            SELECT max(event.id) FROM event JOIN job ON job.number = event.job
            WHERE before IS NOT NULL AND state = 'pending' AND event.uid IS NOT NULL GROUP BY number)
          ORDER BY job
          """
      ).map { UID($0) }
    }
  }

  /// Of a tag from the field: SHA-256 of what it held when it came.
  static let firstDigest =
    "SELECT digest FROM event WHERE event.job = job.number AND digest IS NOT NULL ORDER BY id LIMIT 1"

  /// A sentence for each tag from the field of which something else is kept than was sealed, when
  /// it came, as what it held and what it is to hold.
  func otherChanges(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, before, after, (\(Self.firstDigest)) AS held,
          (\(Self.firstDigest) OFFSET 1) AS wanted FROM job WHERE before IS NOT NULL ORDER BY number
        """)
    var found: [String] = []
    while let row = try rows.next() {
      guard let change = StoredChange(row) else { continue }
      let (held, wanted): (Data?, Data?) = (row["held"], row["wanted"])
      if held != Data(digest(of: change.before)) || wanted != Data(digest(of: change.after)) {
        found.append("Job \(row["number"] as Int) has other messages than those of its tag.")
      }
    }
    return found
  }
}

extension JournalSession {
  /// Keeps a job for a tag from the field, before anything is written to it: the tag is to hold its
  /// new message or, where `isBack`, the one that it held when it came. A tag that is not known yet
  /// gets `change`; nil: it gets no job. On the disk when this returns: both messages, whole.
  package func reserve(
    _ change: TagChange?, for tag: PresentedTag, isBack: Bool
  ) throws(JournalError) -> ReservationOutcome {
    guard let uid = tag.uid else { return Self.noUID }
    mark()
    let outcome = try journal.write { db -> ReservationOutcome in
      let job: PlannedJob
      switch try journal.history(of: uid, in: db) {
      case .reserved(let reserved) where !mayTake(reserved, tag): return .inUse(reserved)
      case .reserved(let reserved): job = reserved.job
      case .written(let written): job = written.job
      case .scrap(let scrap): return .left(scrap.trouble)
      case nil:
        guard let change else { return .nothingLeft }
        job = try insert(change, in: db)
        // So the seal of the event covers what the tag holds, too.
        _ = try keep(job, tag, change.before, "", db)
      }
      guard let known = try journal.change(ofJob: job.number, in: db) else { return .nothingFits }
      return .reserved(try keep(job, tag, isBack ? known.before : known.after, "", db))
    }
    if case .reserved(let reservation) = outcome { tell(reservation.token) }
    return outcome
  }

  private func insert(_ change: TagChange, in db: Database) throws -> PlannedJob {
    let last = try Int.fetchOne(db.cachedStatement(sql: "SELECT max(number) FROM job")) ?? 0
    let job = change.job(number: last + 1)
    try db.cachedStatement(sql: StoredJob.insertion).execute(arguments: StoredJob.values(job))
    try db.cachedStatement(sql: "UPDATE job SET before = ?, after = ? WHERE number = ?").execute(
      arguments: [Data(change.before), Data(change.after), job.number])
    return job
  }
}
