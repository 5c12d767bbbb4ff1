import GRDB
import JobLists
import Ledger

/// The journal's list, and where its jobs stood when the event `event` had happened.
package struct JournalOverview {
  /// Nil: no list was taken up yet.
  package var source: (description: SourceDescription, adopted: Int64)?
  package var tally: Tally
  /// 0: nothing has happened.
  package var event: Int64
}

extension Journal {
  /// What the journal is at this moment; `known`: where its jobs stood earlier, if that was looked
  /// up.
  package func overview(
    _ known: (event: Int64, tally: Tally)?
  ) throws(JournalError) -> JournalOverview {
    try read { db in
      let event = try Self.lastEvent(in: db)
      var overview = JournalOverview(tally: try Self.tally(db, known, upTo: event), event: event)
      overview.source = try source(in: db)
      return overview
    }
  }

  /// How many jobs stand where when the event `end` has happened.
  ///
  /// Jobs are counted once, and by their events from then on: a journal of a million jobs is not
  /// gone through for each look. What is reserved or failed has an index of its own, and is little.
  private static func tally(
    _ db: Database, _ known: (event: Int64, tally: Tally)?, upTo end: Int64
  ) throws -> Tally {
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
    if let known, known.event <= end, let change = try change(db, after: known.event, upTo: end) {
      tally.written = known.tally.written + change
    } else {
      let pending = try count("job WHERE state = 'pending'")
      tally.written = jobs - pending - tally.reserved - tally.failed
    }
    tally.pending = jobs - tally.reserved - tally.failed - tally.written
    return tally
  }

  /// By how much the number of finished jobs has changed; nil: by too many events to look at.
  private static func change(_ db: Database, after start: Int64, upTo end: Int64) throws -> Int? {
    guard end - start < 5000 else { return nil }
    func isWritten(_ end: String) -> String {
      """
      coalesce((SELECT kind = 'written' FROM event WHERE event.job = changed.job
        AND event.id <= \(end) AND kind <> 'passed' ORDER BY event.id DESC LIMIT 1), 0)
      """
    }
    return try Int.fetchOne(
      db.cachedStatement(
        sql: """
          WITH changed AS (SELECT DISTINCT job FROM event WHERE id > ?1 AND id <= ?2
            AND kind <> 'passed' AND job IS NOT NULL)
          SELECT coalesce(sum(\(isWritten("?2")) - \(isWritten("?1"))), 0) FROM changed
          """), arguments: [start, end])
  }
}
