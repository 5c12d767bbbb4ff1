import Foundation
import GRDB
import Ledger

extension JournalSession {
  /// Keeps what these stations show now, in place of what they showed before.
  package func show(_ stations: [ShownStation]) throws(JournalError) {
    journal.pool?.show(stations)
    try journal.write { db in
      // What runs showed that are over is no news.
      let isFirst =
        try Int.fetchOne(
          db.cachedStatement(sql: "SELECT 1 FROM station WHERE session = ?"), arguments: [id])
        == nil
      if isFirst {
        let atWork = try Journal.sessionsAtWork(in: db)
        for session in try Int64.fetchAll(db, sql: "SELECT DISTINCT session FROM station")
        where !atWork.contains(session) {
          try db.execute(sql: "DELETE FROM station WHERE session = ?", arguments: [session])
        }
      }
      let insert = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO station VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      for station in stations {
        try insert.execute(arguments: [
          id, station.name, station.word, station.bin, station.text, station.job,
          station.uid.map { Data($0) }, station.since, station.position,
        ])
      }
    }
  }
}

extension ShownStation {
  /// As a row of `station` has it.
  package init(_ row: Row) {
    let uid: Data? = row["uid"]
    self.init(
      name: row["name"], word: row["word"], bin: row["bin"], text: row["text"], job: row["job"],
      uid: uid.map(Array.init), since: row["since"],
      position: row["position"])
  }
}
