import Foundation
import GRDB
import JobLists
import Ledger
import LedgerSQLite

extension Report {
  /// Adds the journal's figures up.
  init(_ db: Database, of journal: Journal, tally: Tally, created: Date) throws {
    self.init()
    self.journal = journal.path
    self.created = created
    self.tally = tally
    reserved = try journal.reservations(in: db)
    if let row = try Row.fetchOne(db, sql: "SELECT kind, name, settings FROM source") {
      source = SourceDescription(
        kind: row["kind"], name: row["name"],
        settings: try StoredJob.pairs(row["settings"]).map { .init($0.0, $0.1) })
    }
    try addSessions(db)
    try addWork(db)
    try addList(db)
    try addSetAside(db)
    try addEvents(db)
    try addProofs(db)
    prints = try Journal.openPrints(in: db)
    try addSteps(db)
    try addPeriods(db)
  }

  private mutating func addSessions(_ db: Database) throws {
    sessions = try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY id").map { row in
      var session = Session()
      session.number = row["id"]
      (session.operatorName, session.host) = (row["operator"], row["host"])
      session.version = row["version"]
      session.begun = Date(milliseconds: row["begun_at"])
      session.ended = (row["ended_at"] as Int64?).map(Date.init(milliseconds:))
      return session
    }
  }

  private mutating func addEvents(_ db: Database) throws {
    figures = try Figures(db)
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT reader, group_concat(DISTINCT station) AS stations, sum(kind = 'written') AS written, sum(\(EventCount.failure.condition)) AS failed,
          sum(\(EventCount.leftAlone.condition)) AS left, sum(\(Self.duration)) FILTER (WHERE kind = 'written') AS spent,
          max(\(Self.duration)) FILTER (WHERE kind = 'written') AS longest, count(*) AS presented
        FROM event WHERE kind IN ('written', 'returned', 'held', 'passed') GROUP BY reader ORDER BY reader
        """)
    var spent: Int64 = 0
    for row in rows {
      var reader = Reader()
      (reader.name, reader.stations) = (row["reader"] ?? "", row["stations"] ?? "")
      (reader.written, reader.failed, reader.left) = (row["written"], row["failed"], row["left"])
      let time: Int64 = row["spent"] ?? 0
      reader.meanDuration = .microseconds(time / Int64(max(1, reader.written)))
      readers.append(reader)
      presented += row["presented"] as Int
      spent += time
      longestDuration = max(longestDuration, .microseconds(row["longest"] as Int64? ?? 0))
    }
    meanDuration = .microseconds(spent / Int64(max(1, successes)))
    releases =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE kind = 'released'") ?? 0
    presented += releases
  }

  private mutating func addSteps(_ db: Database) throws {
    let time = "min(max(CAST(step.value AS INTEGER), 0), 1000000000000)"
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT step.key AS name, count(*) AS count, sum(\(time)) AS total,
          max(\(time)) AS longest
        FROM event, json_each(event.steps) AS step WHERE event.kind = 'written'
        GROUP BY step.key ORDER BY total DESC, name
        """)
    steps = rows.map { row in
      let (total, longest): (Int64, Int64) = (row["total"], row["longest"])
      return Step(
        name: row["name"], count: row["count"],
        mean: .microseconds(total / Int64(max(1, successes))), longest: .microseconds(longest))
    }
  }

  private mutating func addPeriods(_ db: Database) throws {
    guard let first, let last else { return }
    let span = last.timeIntervalSince(first)
    let length = Self.periodLength(over: span, atMost: 40)
    periodLength = .seconds(length)
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(Self.ended) / ? AS period, sum(kind = 'written') AS written,
          sum(kind <> 'written') AS failed
        FROM event WHERE kind IN ('written', 'returned', 'held', 'passed')
          AND (kind = 'written' OR \(EventCount.failure.condition))
        GROUP BY period ORDER BY period
        """, arguments: [length * 1000])
    for row in rows {
      let number: Int64 = row["period"]
      let period = Period(
        start: Date(milliseconds: number * Int64(length) * 1000), written: row["written"],
        failed: row["failed"])
      while let before = periods.last?.start.addingTimeInterval(Double(length)),
        before < period.start
      {
        periods.append(Period(start: before))
      }
      periods.append(period)
    }
  }

  /// The length of a period in seconds that people count in, so that `count` at most are as long
  /// as `seconds`.
  package static func periodLength(over seconds: Double, atMost count: Int) -> Int {
    lengths.first { seconds / Double($0) <= Double(count) } ?? Int(seconds) / count
  }

  private static let lengths = [
    1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400, 604_800,
  ]
}
