import Foundation
import GRDB
import JobLists
import TagMemory

/// Rows that somebody has changed in the file: a job is to be what its list said, and to stand
/// where its events say.
extension Journal {
  /// Throws where the job that a tag is to get is not what it was when it was taken up, or its
  /// events say that it stands elsewhere: no tag is written by such a row.
  func check(_ job: PlannedJob, for uid: UID?, in db: Database) throws {
    let change = try change(ofJob: job.number, in: db)
    guard try isAsTakenUp(job, change, for: uid, in: db) else {
      throw damaged(Self.otherRow(job.number))
    }
    if let text = try contradictions(in: db, of: job.number).flatMap(\.texts).first {
      throw damaged(text)
    }
  }

  private func damaged(_ sentence: String) -> JournalError {
    .damaged(path, reason: sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast())
  }

  /// A sentence for each job whose row is not what it was when it was taken up.
  func otherRows(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM job ORDER BY number")
    var found: [String] = []
    while let row = try rows.next() {
      let job = try StoredJob.job(row)
      if try !isAsTakenUp(job, StoredChange(row), for: nil, in: db) {
        found.append(Self.otherRow(job.number))
      }
    }
    return found
  }

  private static func otherRow(_ job: Int) -> String {
    "Job \(job) is not what its row said when it was taken up."
  }

  /// `uid`: that of the tag which is to get the job.
  private func isAsTakenUp(
    _ job: PlannedJob, _ change: StoredChange?, for uid: UID?, in db: Database
  ) throws -> Bool {
    guard let change else { return job.isAsListed }
    let first = try db.cachedStatement(
      sql: "SELECT uid FROM event WHERE job = ? AND uid IS NOT NULL ORDER BY id LIMIT 1")
    let known = try Data.fetchOne(first, arguments: [job.number]).map { UID($0) }
    guard let owner = known ?? uid else { return false }
    return job.digest == TagChange.digest(of: owner, change.before, change.after)
  }
}
