import GRDB
import JobLists
import Ledger

/// The journal's list, and where its jobs stood when the event `event` had happened.
package struct JournalOverview {
  /// Nil: no list was taken up yet.
  package var source: (description: SourceDescription, adopted: Int64)?
  package var tally: Tally
  /// How many tags are finished, by type; of those whose type was not told by an empty one.
  package var types: [String: Int]
  /// Counts the tags from the field that hold what they held before their change, once every job is
  /// on a tag; 0 until then.
  package var putBack = 0
  /// 0: nothing has happened.
  package var event: Int64
}

extension Journal {
  /// What the journal is at this moment; `known`: what it was earlier, if that was looked up.
  package func overview(_ known: JournalOverview?) throws(JournalError) -> JournalOverview {
    try read { db in
      let event = try Self.lastEvent(in: db)
      let types = try Self.types(db, known, upTo: event)
      let written = types.values.reduce(0, +)
      var overview = JournalOverview(
        source: try source(in: db), tally: try Self.tally(db, written: written), types: types,
        event: event)
      if written == overview.tally.jobs {
        overview.putBack =
          if let known, known.event == event { known.putBack } else { try Self.putBack(in: db) }
      }
      return overview
    }
  }

  /// How many jobs stand where. What is reserved or failed has an index of its own, and is little.
  private static func tally(_ db: Database, written: Int) throws -> Tally {
    func count(_ table: String) throws -> Int {
      try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM \(table)")) ?? 0
    }
    var tally = Tally()
    // Jobs are numbered without a gap.
    let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(number) FROM job")) ?? 0
    let jobs = last.asStoredCount
    tally.reserved = try count("job WHERE state = 'reserved'")
    tally.failed = try count("job WHERE state = 'failed'")
    tally.scrap = try count("scrap")
    tally.written = written
    tally.pending = jobs - tally.reserved - tally.failed - tally.written
    return tally
  }

  /// How many tags are finished when the event `end` has happened, by type.
  ///
  /// Jobs are counted once, and by their events from then on: a journal of a million jobs is not
  /// gone through for each look.
  private static func types(
    _ db: Database, _ known: JournalOverview?, upTo end: Int64
  ) throws -> [String: Int] {
    if let known, known.event <= end, let change = try change(db, after: known.event, upTo: end) {
      return known.types.adding(change)
    }
    return try types(in: db)
  }

  /// Counts the tags from the field that hold what they held before their change.
  static func putBack(in db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM job WHERE state = 'written' AND before IS NOT NULL
          AND message_digest = (\(firstDigest))
        """) ?? 0
  }

  /// How many tags are finished, by type; of those whose type was not told by an empty one.
  static func types(in db: Database) throws -> [String: Int] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT coalesce(tag, ''), count(*) FROM job WHERE state = 'written' GROUP BY 1")
    return Dictionary(rows.map { row -> (String, Int) in (row[0], row[1]) }) { $1 }
  }

  /// By how much the numbers of finished tags have changed; nil: by too many events to look at.
  private static func change(
    _ db: Database, after start: Int64, upTo end: Int64
  ) throws -> [String: Int]? {
    guard end - start < 5000 else { return nil }
    func type(_ end: String) -> String {
      """
      (SELECT CASE WHEN kind = 'written' THEN coalesce(tag, '') END FROM event
        WHERE event.job = changed.job AND event.id <= \(end) AND kind <> 'passed'
        ORDER BY event.id DESC LIMIT 1)
      """
    }
    let statement = try db.cachedStatement(
      sql: """
        WITH changed AS (SELECT DISTINCT job FROM event WHERE id > ?1 AND id <= ?2
          AND kind <> 'passed' AND job IS NOT NULL)
        SELECT type, sum(number) FROM (
          SELECT \(type("?2")) AS type, 1 AS number FROM changed
          UNION ALL SELECT \(type("?1")), -1 FROM changed)
        WHERE type IS NOT NULL GROUP BY type
        """)
    let rows = try Row.fetchAll(statement, arguments: [start, end])
    return Dictionary(rows.map { row -> (String, Int) in (row[0], row[1]) }) { $1 }
  }
}
