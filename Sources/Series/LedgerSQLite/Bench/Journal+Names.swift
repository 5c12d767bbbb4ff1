import Foundation
import GRDB
import Ledger

/// The names under which the pool knows the events and runs of a bench. An event has the same name
/// each time it is sent. Two events never share a name, even if a journal was copied or restored.
extension Journal {
  /// An event with the name of its run, from a row of `event` with the run's `mark` behind it.
  static func event(_ row: Row) -> Event {
    let mark: Data = row["mark"]
    var event = Event(row)
    event.run = Array(mark)
    return event
  }

  /// The name of the event with this number.
  package func eventName(_ number: Int64) throws(JournalError) -> EventID {
    try read { db in
      let sql = """
        SELECT mark FROM event JOIN session ON session.id = event.session WHERE event.id = ?
        """
      let mark = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: [number])
      let name = digest(of: Array(mark ?? Data()) + Array("event \(number)".utf8))
      return EventID(name.prefix(16)) ?? EventID()
    }
  }
}
