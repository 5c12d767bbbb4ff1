import Foundation
import GRDB
import Ledger

extension Journal {
  /// Returns what happened after the event with this number, in order, `limit` at most; `batch`:
  /// what the journal is called.
  package func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(JournalError) -> [NamedEvent] {
    try events(batch, "WHERE event.id > ? ORDER BY event.id LIMIT ?", [number, limit])
  }

  /// The newest events up to the one with this number, in order, `limit` at most.
  package func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(JournalError) -> [NamedEvent] {
    try events(batch, "WHERE event.id <= ? ORDER BY event.id DESC LIMIT ?", [number, limit])
      .reversed()
  }

  /// Returns what happened to the tag of this UID.
  package func history(
    ofTag uid: [UInt8], of batch: String, limit: Int
  ) throws(JournalError) -> [NamedEvent] {
    try events(batch, "WHERE event.uid = ? ORDER BY event.id LIMIT ?", [Data(uid), limit])
  }

  package func history(
    ofJob number: Int, of batch: String, limit: Int
  ) throws(JournalError) -> [NamedEvent] {
    try events(batch, "WHERE event.job = ? ORDER BY event.id LIMIT ?", [number, limit])
  }

  private func events(
    _ batch: String, _ condition: String, _ values: StatementArguments
  ) throws(JournalError) -> [NamedEvent] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT event.*, session.host, job.name AS job_name
          FROM event JOIN session ON session.id = event.session
          LEFT JOIN job ON job.number = event.job \(condition)
          """)
      return try Row.fetchAll(statement, arguments: values).map { row in
        let session: Int64 = row["session"]
        return NamedEvent(
          Event(row), batch: batch, bench: row["host"], jobName: row["job_name"],
          run: "\(session)")
      }
    }
  }

  /// The number of the newest event; 0: there is none.
  package func lastEvent() throws(JournalError) -> Int64 {
    try read { db in try Self.lastEvent(in: db) }
  }

  static func lastEvent(in db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM event")) ?? 0
  }

  /// All events up to the one with this number are gone through once.
  package func figures(upTo number: Int64) throws(JournalError) -> Figures {
    try read { db in
      var figures = Figures()
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT * FROM event WHERE id <= ? AND kind IN (\(JournalReading.ends)) ORDER BY id",
        arguments: [number])
      while let row = try rows.next() {
        figures.take(Event(row))
      }
      return figures
    }
  }
}
