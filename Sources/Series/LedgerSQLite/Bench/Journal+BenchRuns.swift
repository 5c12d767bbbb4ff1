import Foundation
import GRDB
import Ledger

/// The runs of a bench, which its pool knows.
extension Journal {
  /// The runs of the program on this journal, with their numbers.
  package func runs() throws(JournalError) -> [(number: Int64, run: BenchRun)] {
    try read { db in try runs(in: db) }
  }

  func runs(in db: Database) throws -> [(number: Int64, run: BenchRun)] {
    try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY id").map { row in
      let mark: Data = row["mark"]
      let run = BenchRun(
        id: Array(mark), operatorName: row["operator"], command: row["command"],
        version: row["version"], host: row["host"], begun: row["begun_at"], ended: row["ended_at"])
      return (row["id"], run)
    }
  }

  /// Returns whether something happened to a tag in a run.
  package func hasEvents(_ run: Int64) throws(JournalError) -> Bool {
    try read { db in
      let sql = """
        SELECT EXISTS (SELECT 1 FROM event WHERE session = ?1)
          OR EXISTS (SELECT 1 FROM inspection WHERE session = ?1)
        """
      return try Bool.fetchOne(db, sql: sql, arguments: [run]) ?? false
    }
  }
}
