import Foundation
import GRDB
import Ledger

/// The names under which the pool knows the events and runs of a bench. An event has the same name
/// each time it is sent. Two events never share a name, even if a journal was copied or restored: a
/// name follows from the event's run and from its seal, and so from all that happened before.
extension Journal {
  /// An event with the name of its run, from a row of `event` with the run's `mark` behind it.
  static func event(_ row: Row) -> Event {
    let mark: Data = row["mark"]
    var event = Event(row)
    event.run = Array(mark)
    return event
  }

  /// The name of the event with this number; nil: there is none.
  package func eventName(_ number: Int64) throws(JournalError) -> EventID? {
    try read { db in
      let sql = """
        SELECT mark || seal FROM event JOIN session ON session.id = event.session
        WHERE event.id = ?
        """
      let content = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: [number])
      return content.flatMap { EventID(digest(of: Array($0)).prefix(16)) }
    }
  }
}
