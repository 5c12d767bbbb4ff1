import JobLists
import LedgerSQLite

/// The rows that a journal has, by what they say: so that none is taken up twice, and none that
/// makes the code or the message of another.
final class KnownRows {
  private var numbers: [[UInt8]: Int] = [:]
  /// The number of the last job.
  private(set) var last = 0
  private let duplicates: Duplicates
  private let files: MessageFiles
  private var check = JobCheck()
  /// The lines of other runs count for nothing here: their jobs are called by their numbers, which
  /// stand above all lines.
  private static let firstJob = 3_000_000_000

  init(_ files: MessageFiles) throws(JobSourceError) {
    (self.files, duplicates) = (files, try Duplicates())
    check.nameOfLine = { line in
      line > Self.firstJob ? "job \(line - Self.firstJob)" : "line \(line)"
    }
  }

  /// Adds a job that the journal has.
  func add(_ job: PlannedJob) throws(JobSourceError) {
    (numbers[job.digest], last) = (job.number, max(last, job.number))
    let named = PlannedJob(
      number: job.number, line: Self.firstJob + job.number, offset: job.offset, name: job.name,
      message: job.message, tagType: job.tagType, uid: job.uid, locks: job.locks,
      hasPassword: job.hasPassword, columns: job.columns, digest: job.digest)
    _ = try check.problem(of: named, files, duplicates)
  }

  /// The number of the job that says the same; nil: there is none.
  func number(of job: PlannedJob) -> Int? { numbers[job.digest] }

  /// What is wrong with a new row; nil: nothing, and it counts as known.
  func problem(of job: PlannedJob) throws(JobSourceError) -> RowError? {
    if let problem = try check.problem(of: job, files, duplicates) { return problem }
    (numbers[job.digest], last) = (job.number, job.number)
    return nil
  }
}
