import Foundation
import GRDB
import JobLists

extension Journal {
  /// Takes a source up whose jobs come one by one, or makes sure that its settings are those that
  /// the journal has.
  package func adopt(following source: SourceDescription) throws(JournalError) {
    try write { db in
      guard let known = try Row.fetchOne(db, sql: "SELECT kind, settings FROM source") else {
        return try insert(source, into: db)
      }
      var difference = SourceDifference()
      difference.settings = try Self.differences(of: source, from: known)
      guard difference.isNone else { throw JournalError.sourceChanged(difference) }
    }
  }

  /// The jobs by what their rows say.
  package func jobsByDigest() throws(JournalError) -> [[UInt8]: Int] {
    try read { db in
      var jobs: [[UInt8]: Int] = [:]
      let rows = try Row.fetchCursor(db, sql: "SELECT number, row_digest FROM job")
      while let row = try rows.next() {
        let digest: Data = row["row_digest"]
        jobs[Array(digest)] = row["number"]
      }
      return jobs
    }
  }

  /// Adds a job behind the others.
  package func add(_ job: PlannedJob) throws(JournalError) { try add([job]) }

  /// Adds jobs behind the others, all of them or none.
  package func add(_ jobs: [PlannedJob]) throws(JournalError) {
    try write { db in
      let insert = try db.cachedStatement(sql: StoredJob.insertion)
      for job in jobs { try insert.execute(arguments: StoredJob.values(job)) }
    }
  }

  /// The row of a job has come again, and stands elsewhere.
  package func move(_ number: Int, to job: PlannedJob) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "UPDATE job SET line = ?, offset = ? WHERE number = ?")
        .execute(arguments: [job.line, Int64(clamping: job.offset), number])
    }
  }
}
