import Foundation
import GRDB
import Ledger

extension Journal {
  /// Returns whether a run is at work.
  package func isAtWork() throws(JournalError) -> Bool {
    try read { db in try !Self.sessionsAtWork(in: db).isEmpty }
  }

  /// The newest runs, the newest first. One whose process is gone has ended with its last event.
  package func runs(limit: Int) throws(JournalError) -> [SeriesRun] {
    try read { db in
      let atWork = try Self.sessionsAtWork(in: db)
      let rows = try Row.fetchAll(
        db.cachedStatement(sql: "SELECT * FROM session ORDER BY id DESC LIMIT ?"),
        arguments: [limit])
      return try rows.map { row in
        let (number, begun): (Int64, Int64) = (row["id"], row["begun_at"])
        var ended: Int64? = row["ended_at"]
        let wasCutOff = ended == nil && !atWork.contains(number)
        if wasCutOff { ended = try Self.lastSign(of: number, db) ?? begun }
        return SeriesRun(
          bench: row["host"], operatorName: row["operator"], began: begun, ended: ended,
          wasCutOff: wasCutOff, id: "\(number)")
      }
    }
  }

  /// The end of its last event, or when a station last showed something else.
  private static func lastSign(of session: Int64, _ db: Database) throws -> Int64? {
    let event = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT started_at, duration FROM (SELECT * FROM event ORDER BY id DESC LIMIT 2000)
          WHERE session = ? ORDER BY id DESC LIMIT 1
          """), arguments: [session]
    ).map { row -> Int64 in
      let (started, duration): (Int64, Int64) = (row["started_at"], row["duration"])
      return started.asStoredTime + duration.asStoredTime / 1000
    }
    let shown = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(since) FROM station WHERE session = ?"),
      arguments: [session])
    return [event, shown].compactMap(\.self).max()
  }

  /// Returns what stations showed last, the latest first.
  package func stations(limit: Int) throws(JournalError) -> [NamedStation] {
    try read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT station.*, session.host, job.name AS job_name FROM station
            JOIN session ON session.id = station.session
            LEFT JOIN job ON job.number = station.job ORDER BY since DESC LIMIT ?
            """), arguments: [limit]
      ).map { row in
        let session: Int64 = row["session"]
        return NamedStation(
          bench: row["host"], run: "\(session)", shown: ShownStation(row),
          jobName: row["job_name"])
      }
    }
  }
}
