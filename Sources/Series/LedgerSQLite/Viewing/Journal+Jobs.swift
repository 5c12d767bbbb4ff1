import Foundation
import GRDB
import Ledger

extension Journal {
  /// Jobs behind the number `after`, in order, `limit` at most. Names and texts have no index: all
  /// jobs are gone through for them.
  package func jobs(
    _ filter: JobFilter, after: Int, limit: Int
  ) throws(JournalError) -> [ListedJob] {
    try read { db in
      var conditions = ["job.number > ?"]
      var values: [(any DatabaseValueConvertible)?] = [after]
      if let state = filter.state { conditions.append("job.state = '\(state.rawValue)'") }
      if let number = filter.number {
        conditions.append("job.number = ?")
        values.append(number)
      }
      if let tag = filter.tag {
        conditions.append("job.uid = ?")
        values.append(Data(tag))
      }
      if let name = filter.name {
        conditions.append("substr(job.name, 1, length(?)) = ?")
        values += [name, name]
      }
      if let last = filter.last {
        conditions.append("job.number <= ?")
        values.append(last)
      }
      if let text = filter.text {
        let numbers = try Self.numbers(
          db, conditions.joined(separator: " AND "), StatementArguments(values), text, limit)
        conditions = ["job.number IN (\(numbers.map(String.init).joined(separator: ",")))"]
        values = []
      }
      values.append(limit)
      let sql = """
        SELECT job.number, job.name, job.state, job.columns, job.uid AS job_uid,
          job.tag AS job_tag, job.uri, event.*
        FROM job LEFT JOIN event ON event.id = job.event
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY job.number LIMIT ?
        """
      // Not kept: with the numbers in it, it is another one for each search.
      return try Row.fetchAll(db, sql: sql, arguments: StatementArguments(values))
        .map(ListedJob.init)
    }
  }

  /// The jobs among those of the conditions that have a text, `limit` at most.
  private static func numbers(
    _ db: Database, _ conditions: String, _ values: StatementArguments, _ text: SearchText,
    _ limit: Int
  ) throws -> [Int] {
    var numbers: [Int] = []
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT number, name, uri, columns FROM job WHERE \(conditions) ORDER BY number",
      arguments: values)
    while numbers.count < limit, let row = try rows.next() {
      if text.isIn(name: row[1], link: row[2], columns: row[3]) { numbers.append(row[0]) }
    }
    return numbers
  }
}

extension ListedJob {
  fileprivate init(_ row: Row) {
    let (state, uid, event): (String, Data?, Int64?) = (row["state"], row["job_uid"], row["id"])
    self.init(
      number: row["number"], name: row["name"], state: State(rawValue: state) ?? .pending)
    columns = row["columns"]
    (tag, tagType, uri) = (uid.map(Array.init), row["job_tag"], row["uri"])
    self.event = event.map { _ in Event(row, behind: 7) }
  }
}
