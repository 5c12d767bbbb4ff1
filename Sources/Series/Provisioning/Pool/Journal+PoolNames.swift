import Foundation
import GRDB
import Ledger
import LedgerSQLite

/// The names under which the pool knows the events and runs of a bench. An event has the same name
/// each time it is sent. Two events never share a name, even if a journal was copied or restored.
extension Journal {
  /// In a query of events: the mark of the run in which one happened.
  static let mark = "(SELECT mark FROM session WHERE session.id = event.session) AS mark"

  /// The name of a run, from a row with its `mark`, or, as runs of earlier versions have none, with
  /// its number as `session` and the `bench`.
  static func runName(_ row: Row) -> [UInt8] {
    if let mark: Data = row["mark"] { return Array(mark) }
    return poolName("session", row["session"], of: row["bench"])
  }

  /// The name of the event with this number.
  func eventName(_ number: Int64) throws(JournalError) -> EventID {
    try read { db in
      let sql = """
        SELECT bench, (SELECT mark FROM event JOIN session ON session.id = event.session
          WHERE event.id = ?) AS mark FROM pool
        """
      let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [number])
      let mark: Data? = row?["mark"]
      let name = mark.map { digest(of: Array($0) + Array("event \(number)".utf8)) }
      return EventID((name ?? Self.poolName("event", number, of: row?["bench"] ?? "")).prefix(16))
        ?? EventID()
    }
  }

  /// The name of the `number`th event, run or inspection of a bench.
  static func poolName(_ kind: String, _ number: Int64, of bench: String) -> [UInt8] {
    Array(digest(of: Array("\(bench) \(kind) \(number)".utf8)).prefix(16))
  }
}
