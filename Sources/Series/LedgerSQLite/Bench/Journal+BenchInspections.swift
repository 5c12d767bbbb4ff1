import Foundation
import GRDB
import Ledger

/// Inspections of a bench that the pool has not heard of.
extension Journal {
  /// The first of them; `told`: nil where it was dropped.
  package func firstUntoldInspection() throws(JournalError) -> (
    number: Int64, id: [UInt8], told: PoolInspection?
  )? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT pool_inspection.id AS number, pool_inspection.name, inspection.job,
            inspection.uid, reason, result, station, reader, cause, text, inspected_at, mark
          FROM pool_inspection LEFT JOIN inspection ON inspection.id = pool_inspection.id
          LEFT JOIN session ON session.id = inspection.session
          ORDER BY pool_inspection.id LIMIT 1
          """)
      guard let row = try Row.fetchOne(statement) else { return nil }
      let (number, name): (Int64, Data) = (row["number"], row["name"])
      let id = Array(name)
      guard let job: Int = row["job"], let uid: Data = row["uid"] else { return (number, id, nil) }
      var told = PoolInspection(id: id, job: job, tag: Array(uid), reason: row["reason"])
      told.session = (row["mark"] as Data?).map(Array.init)
      told.result = row["result"]
      (told.station, told.reader) = (row["station"], row["reader"])
      (told.cause, told.text, told.inspected) = (row["cause"], row["text"], row["inspected_at"])
      return (number, id, told)
    }
  }

  /// The pool has heard of it, as `told` has it; what changed meanwhile is sent again.
  package func noteTold(inspection number: Int64, _ told: PoolInspection?) throws(JournalError) {
    try write { db in
      let sql = """
        DELETE FROM pool_inspection WHERE id = ?1 AND (
          SELECT coalesce(result, '') || coalesce(inspected_at, '') FROM inspection WHERE id = ?1)
          IS ?2
        """
      let known = told.map { ($0.result ?? "") + ($0.inspected.map(String.init) ?? "") }
      try db.cachedStatement(sql: sql).execute(arguments: [number, known])
    }
  }
}
