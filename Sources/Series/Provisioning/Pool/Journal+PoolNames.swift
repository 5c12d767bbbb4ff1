import Foundation
import GRDB
import Ledger
import LedgerSQLite

/// The names under which the pool knows the events and runs of a bench. An event has the same name
/// each time it is sent. Two events never share a name, even if a journal was copied or restored.
extension Journal {
  /// In a query of events: the mark of the run in which one happened.
  static let mark = "(SELECT mark FROM session WHERE session.id = event.session) AS mark"

  /// The name of a run, from a row with its `mark`.
  static func runName(_ row: Row) -> [UInt8] {
    let mark: Data? = row["mark"]
    return mark.map(Array.init) ?? []
  }

  /// The name of the event with this number.
  func eventName(_ number: Int64) throws(JournalError) -> EventID {
    try read { db in
      let sql = """
        SELECT mark FROM event JOIN session ON session.id = event.session WHERE event.id = ?
        """
      let mark = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: [number])
      let name = digest(of: Array(mark ?? Data()) + Array("event \(number)".utf8))
      return EventID(name.prefix(16)) ?? EventID()
    }
  }

  /// The name of the `number`th inspection of a bench.
  static func poolName(_ kind: String, _ number: Int64, of bench: String) -> [UInt8] {
    Array(digest(of: Array("\(bench) \(kind) \(number)".utf8)).prefix(16))
  }
}
