import Foundation
import GRDB
import JobLists

extension Journal {
  /// Takes a source up whose jobs come one by one, or makes sure that its settings are those that
  /// the journal has.
  package func adopt(following source: SourceDescription) throws(JournalError) {
    try write { db in
      guard let known = try self.source(in: db)?.description else {
        return try insert(source, adopted: clock(), into: db)
      }
      var difference = SourceDifference()
      difference.settings = source.differences(from: known)
      guard difference.isNone else { throw JournalError.sourceChanged(difference) }
    }
  }

  /// What a row that came is to the journal.
  package enum Arrival {
    /// A new job, behind the others.
    case added(PlannedJob)
    /// The row of a job that it has, which stands elsewhere now.
    case moved(Int, to: PlannedJob)
    case nothing
  }

  /// Every job behind this number, in order, until `body` is false.
  package func forEachJob(
    behind number: Int = 0, _ body: (PlannedJob) throws -> Bool
  ) throws(JournalError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM job WHERE number > ? ORDER BY number", arguments: [number])
      while let row = try rows.next(), try body(StoredJob.job(row)) {}
    }
  }

  /// Takes up what `decide` makes of the next number, in one transaction: nobody else gives the
  /// number. It also gets the jobs behind the first `known`, which others may have added, and gives
  /// a value for its caller.
  package func addNext<Value>(
    behind known: Int, _ decide: (_ others: [PlannedJob], _ number: Int) throws -> (Value, Arrival)
  ) throws -> Value {
    var failure: (any Error)?
    let value = try write { db -> Value? in
      let others = try Row.fetchAll(
        db, sql: "SELECT * FROM job WHERE number > ? ORDER BY number", arguments: [known]
      ).map(StoredJob.job)
      let decided: (Value, Arrival)
      do {
        decided = try decide(others, (others.last?.number ?? known) + 1)
      } catch {
        failure = error
        return nil
      }
      switch decided.1 {
      case .added(let job):
        try db.cachedStatement(sql: StoredJob.insertion).execute(arguments: StoredJob.values(job))
      case .moved(let number, let job): try Self.move(number, to: job, in: db)
      case .nothing: break
      }
      return decided.0
    }
    if let failure { throw failure }
    guard let value else { throw JournalError.failed(path, reason: "a row was not taken") }
    return value
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
    try write { db in try Self.move(number, to: job, in: db) }
  }

  private static func move(_ number: Int, to job: PlannedJob, in db: Database) throws {
    try db.cachedStatement(sql: "UPDATE job SET line = ?, offset = ? WHERE number = ?")
      .execute(arguments: [job.line, Int64(clamping: job.offset), number])
  }
}
