import Bytes
import Foundation
import GRDB
import LedgerSQLite
import TagMemory

extension Report {
  /// Looks up which keys tags were given, and what inspections have found.
  mutating func addProofs(_ db: Database) throws {
    let rings = try Row.fetchAll(
      db,
      sql: """
        SELECT key_ring.*, count(*) AS tags FROM job
          JOIN keys_given ON keys_given.event =
            (SELECT max(event) FROM keys_given AS each WHERE each.job = job.number)
          JOIN key_ring ON key_ring.id = keys_given.keys
        WHERE job.state = 'written' GROUP BY key_ring.id ORDER BY key_ring.id
        """)
    keys = try rings.map { Keys(identity: try Journal.identity($0), tags: $0["tags"]) }
    let counts = try Row.fetchOne(
      db,
      sql: """
        SELECT sum(result IS 'good'), sum(result IS 'bad'), sum(result IS NULL AND job.state = 'written')
        FROM inspection JOIN job ON job.number = inspection.job
        """)
    (inspections.good, inspections.bad) = (counts?[0] ?? 0, counts?[1] ?? 0)
    inspections.due = counts?[2] ?? 0
    inspections.faults = try Row.fetchAll(
      db,
      sql:
        "SELECT job, uid, inspected_at, text FROM inspection WHERE result = 'bad' ORDER BY id LIMIT 20"
    ).map { row in
      let uid: Data = row[1]
      return Inspections.Fault(
        job: row[0], uid: UID(uid), when: Date(milliseconds: row[2]), text: row[3] ?? "")
    }
  }

  /// Lines on inspections; none where nothing was to be inspected.
  var inspectionLines: [String] {
    let found = inspections
    guard found.good + found.bad + found.due > 0 else { return [] }
    return ["Inspections: \(inspectionText)"]
      + found.faults.map {
        "  \($0.uid), job \($0.job), \($0.when.reportMinute): \($0.text)".escapingControls
      }
  }

  /// `12 good, 0 bad, 1 pending`.
  var inspectionText: String {
    let found = inspections
    return "\(Self.number(found.good)) good, \(Self.number(found.bad)) bad, "
      + "\(Self.number(found.due)) pending"
  }
}
