import Foundation
import GRDB
import Ledger

/// The events of a journal are a chain: each has a seal, SHA-256 over the seal of the one before it
/// and all that it says. So an event that was changed, taken away or put in is found, unless
/// whoever did it has sealed all that follows anew.
extension Event {
  /// Before the first event.
  static let firstSeal = [UInt8](repeating: 0, count: 32)

  /// The seal of this event in a run of this number, behind the event with the seal `last`.
  func seal(_ session: Int64, after last: [UInt8]) -> [UInt8] {
    SealedEvent(self, session: session).seal(after: last)
  }

  /// The seal of the last event of a journal.
  static func lastSeal(in db: Database) throws -> [UInt8] {
    let seal = try Data.fetchOne(
      db.cachedStatement(sql: "SELECT seal FROM event ORDER BY id DESC LIMIT 1"))
    return seal.map(Array.init) ?? firstSeal
  }
}

extension Journal {
  /// A sentence for each event that does not follow the one before it as it did when it was written
  /// down.
  func brokenSeals(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM event ORDER BY id")
    var (last, found) = (Event.firstSeal, [String]())
    while let row = try rows.next() {
      let (event, seal): (Event, Data) = (Event(row), row["seal"])
      if event.seal(row["session"], after: last) != Array(seal) {
        found.append("Event \(event.number) was changed or put in, or what was before it is gone.")
      }
      last = Array(seal)
    }
    return found
  }
}
