import Foundation
import GRDB
import Ledger
import LedgerSQLite
import TagMemory

extension Report {
  /// A tag that nobody may use.
  package struct SetAside: Hashable, Sendable {
    package var uid: UID
    package var tagType: String?
    package var when: Date
    /// The job that it did not get.
    package var job: Int?
    package var name: String?
    package var station: String?
    package var operatorName: String
    package var trouble: TagTrouble
  }

  /// Tags of one kind: the first of them, and how many there are.
  package struct SetAsideList: Hashable, Sendable {
    package var count = 0
    package var tags: [SetAside] = []

    /// So many are listed; a file of all rows has the others.
    static let limit = 2000

    fileprivate mutating func add(_ tag: @autoclosure () -> SetAside) {
      count += 1
      if tags.count < Self.limit { tags.append(tag()) }
    }
  }

  /// Looks up which tags are set aside, worn ones and those whose job was released.
  mutating func addSetAside(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT scrap.uid, event.kind, event.tag, \(Report.ended), event.job, job.name,
          event.station, session.operator, event.cause, event.text
        FROM scrap JOIN event ON event.id = scrap.event JOIN session ON session.id = event.session
        LEFT JOIN job ON job.number = event.job ORDER BY event.id
        """)
    while let row = try rows.next() {
      func tag() -> SetAside {
        let uid: Data = row[0]
        return SetAside(
          uid: UID(uid), tagType: row[2], when: Date(milliseconds: row[3]), job: row[4],
          name: row[5], station: row[6], operatorName: row[7],
          trouble: TagTrouble(stored: row[8] ?? "", row[9] ?? ""))
      }
      let kind: String = row[1]
      if kind == EventKind.released.rawValue { released.add(tag()) } else { scrap.add(tag()) }
    }
  }
}
