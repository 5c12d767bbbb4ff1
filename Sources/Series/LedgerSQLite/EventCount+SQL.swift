import Foundation
import GRDB
import Ledger

extension EventCount {
  /// An expression that gives the count of a row of `event`, by the rule of `EventKind.count`.
  package static let sql: String = {
    func branch(_ kind: EventKind) -> String {
      let usual = kind.count(nil, setsAside: false)
      let others = allCases.filter { $0 != usual }.compactMap { count -> String? in
        let causes = TagCause.allCases.filter {
          ($0, kind) != (.conflict, .passed) && kind.count($0, setsAside: false) == count
        }
        guard !causes.isEmpty else { return nil }
        let words = causes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "WHEN event.cause IN (\(words)) THEN '\(count.rawValue)'"
      }
      guard !others.isEmpty else { return "WHEN '\(kind.rawValue)' THEN '\(usual.rawValue)'" }
      let contradiction =
        kind == .passed
        ? """
         WHEN event.cause = '\(TagCause.conflict.rawValue)' THEN CASE WHEN EXISTS (
          SELECT 1 FROM scrap WHERE scrap.event = event.id)
          THEN '\(kind.count(.conflict, setsAside: true).rawValue)'
          ELSE '\(kind.count(.conflict, setsAside: false).rawValue)' END
        """ : ""
      return "WHEN '\(kind.rawValue)' THEN CASE\(contradiction) \(others.joined(separator: " "))"
        + " ELSE '\(usual.rawValue)' END"
    }
    let branches = EventKind.allCases.map(branch).joined(separator: " ")
    return "CASE event.kind \(branches) ELSE '\(EventCount.none.rawValue)' END"
  }()

  /// Whether a row of `event` counts so.
  package var condition: String { "(\(Self.sql)) = '\(rawValue)'" }
}

extension Figures {
  /// What happened up to the event with this number.
  package init(_ db: Database, upTo number: Int64 = .max) throws {
    self.init()
    // The text is that of the row with the smallest id, as SQLite has it beside min().
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT \(EventCount.sql) AS counted, cause, tag, count(*), min(id) AS first, text,
            CASE WHEN kind = 'passed' AND cause = 'conflict' THEN uid END AS contradicted
          FROM event WHERE id <= ? AND kind IN ('written', 'returned', 'held', 'passed')
          GROUP BY counted, cause, tag, contradicted ORDER BY first
          """), arguments: [number])
    while let row = try rows.next() {
      let contradicted: Data? = row[6]
      add(
        EventCount(rawValue: row[0]) ?? .none, row[1], tagType: row[2], example: row[5],
        times: row[3], contradicting: contradicted.map(Array.init))
    }
  }
}
