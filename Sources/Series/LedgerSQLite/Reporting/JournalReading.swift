import Bytes
import CardCrypto
import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

/// A journal as it is at one moment: what reports are made of.
package struct JournalReading {
  let db: Database
  let journal: Journal

  package func tally() throws -> Tally { try journal.tally(in: db) }

  package func reservations() throws -> [ReservedTag] { try journal.reservations(in: db) }

  package func source() throws -> (description: SourceDescription, adopted: Int64)? {
    try journal.source(in: db)
  }

  package func runs() throws -> [(number: Int64, run: BenchRun)] { try journal.runs(in: db) }

  package func prints() throws -> OpenPrints { try Journal.openPrints(in: db) }

  /// Returns what happened to tags, in order, and in which runs; no reservations.
  package func forEachEvent(_ take: (Event, _ run: Int64) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM event WHERE kind IN (\(Self.ends)) ORDER BY id")
    while let row = try rows.next() { try take(Event(row), row[1]) }
  }

  /// What is said of a tag once somebody has done with it.
  static let ends = "'written', 'returned', 'held', 'passed', 'released'"

  /// The columns of the list, in order; rows that were added later may have others, too.
  package func columns() throws -> [String] {
    let texts = try String.fetchAll(
      db,
      sql: """
        SELECT columns FROM job WHERE number IN (SELECT min(number) FROM job UNION SELECT max(number) FROM job)
        ORDER BY number
        """)
    return try texts.flatMap(StoredJob.quickPairs).reduce(into: []) { columns, column in
      if !columns.contains(column.0) { columns.append(column.0) }
    }
  }

  /// By which two lists are told from each other: SHA-256 over the digests of the rows. Nil where
  /// there are none.
  package func listDigest() throws -> [UInt8]? {
    let (hash, digests) = (
      SHA256(), try Data.fetchCursor(db, sql: "SELECT row_digest FROM job ORDER BY number")
    )
    var isEmpty = true
    while let digest = try digests.next() {
      hash.update(digest)
      isEmpty = false
    }
    return isEmpty ? nil : hash.finalize()
  }

  /// How many finished tags are read-only for good, and how many have a password.
  package func locks() throws -> (locked: Int, protected: Int) {
    let row = try Row.fetchOne(
      db, sql: "SELECT sum(is_locked), sum(is_protected) FROM job WHERE state = 'written'")
    return (row?[0] ?? 0, row?[1] ?? 0)
  }

  /// Counts the tags from the field that hold what they held before their change.
  package func putBack() throws -> Int { try Journal.putBack(in: db) }

  /// How many tags are finished, by type; of those whose type was not told by an empty one.
  package func types() throws -> [String: Int] { try Journal.types(in: db) }

  /// The tags that are not to be used, by the events that say so, with the name of the job and the
  /// operator of the run.
  package func forEachSetAside(
    _ take: (Event, _ jobName: String?, _ operatorName: String) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT event.*, job.name, session.operator FROM scrap JOIN event ON event.id = scrap.event
        JOIN session ON session.id = event.session LEFT JOIN job ON job.number = event.job
        ORDER BY event.id
        """)
    while let row = try rows.next() { try take(Event(row), row["name"], row["operator"]) }
  }

  /// What the time of finished tags was spent on: how many had a step, and how long it took, all
  /// together and at most, in microseconds; the one that took longest first.
  package func steps() throws -> [(name: String, count: Int, total: Int64, longest: Int64)] {
    let time = "min(max(CAST(step.value AS INTEGER), 0), 1000000000000)"
    return try Row.fetchAll(
      db,
      sql: """
        SELECT step.key, count(*), sum(\(time)) AS total, max(\(time))
        FROM event, json_each(event.steps) AS step WHERE event.kind = 'written'
        GROUP BY step.key ORDER BY total DESC, step.key
        """
    ).map { ($0[0], $0[1], $0[2], $0[3]) }
  }

  /// Which keys finished tags were given, and how many tags.
  package func keys() throws -> [(identity: KeyRing.Identity, tags: Int)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT key_ring.*, count(*) AS tags FROM job
          JOIN keys_given ON keys_given.event =
            (SELECT max(event) FROM keys_given AS each WHERE each.job = job.number)
          JOIN key_ring ON key_ring.id = keys_given.keys
        WHERE job.state = 'written' GROUP BY key_ring.id ORDER BY key_ring.id
        """
    ).map { (try Journal.identity($0), $0["tags"]) }
  }

  package func inspections() throws -> InspectionFigures {
    let counts = try Row.fetchOne(
      db,
      sql: """
        SELECT sum(result IS 'good'), sum(result IS 'bad'), sum(result IS NULL AND job.state = 'written')
        FROM inspection JOIN job ON job.number = inspection.job
        """)
    var found = InspectionFigures()
    (found.good, found.bad, found.due) = (counts?[0] ?? 0, counts?[1] ?? 0, counts?[2] ?? 0)
    found.faults = try Row.fetchAll(
      db,
      sql:
        "SELECT job, uid, inspected_at, text FROM inspection WHERE result = 'bad' ORDER BY id LIMIT 20"
    ).map { row in
      let uid: Data = row[1]
      return InspectionFigures.Fault(
        job: row[0], uid: UID(uid), when: Date(milliseconds: row[2]), text: row[3] ?? "")
    }
    return found
  }
}

/// How many inspections there were, and how many finished tags wait for one.
package struct InspectionFigures: Hashable, Sendable {
  package var good = 0
  package var bad = 0
  package var due = 0
  /// The first twenty that were bad.
  package var faults: [Fault] = []

  package init() {}

  package var isEmpty: Bool { good + bad + due == 0 }

  package struct Fault: Hashable, Sendable {
    package let job: Int
    package let uid: UID
    package let when: Date
    package let text: String
  }
}

extension Journal {
  /// Looks at one moment of the journal, for a report.
  package func reading<Value>(
    _ body: (JournalReading) throws -> Value
  ) throws(JournalError) -> Value {
    try read { db in try body(JournalReading(db: db, journal: self)) }
  }
}
