import JSON
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// A list that somebody sends for a pool, checked as a bench checks one: it becomes a batch that
/// has its list in the database.
package struct SentList {
  /// Why it does not.
  package enum Refusal: Error, Hashable, Sendable {
    /// The list has mistakes: a sentence for each of the first, and how many more there are.
    case mistakes([String])
    case pool(PoolError)
  }

  private let source: JobSource
  /// As the pool knows it.
  private let list: PoolList
  private let bytes: [UInt8]

  /// A list that is called `name`, with `settings`. Throws its mistakes.
  package init(
    _ csv: String, named name: String, _ settings: JobSource.Settings
  ) throws(Refusal) {
    bytes = Self.lines(csv)
    do throws(JobSourceError) {
      source = try JobSource(bytes, named: Self.name, settings)
      guard !source.hasSecrets else { throw Self.secrets }
      guard !source.writesImages else { throw Self.images }
      guard settings.message?.keyFiles.isEmpty ?? true else { throw Self.keyFiles }
    } catch {
      throw .mistakes([error.message])
    }
    let description = SourceDescription(kind: "csv", name: name, settings)
      .written(in: source.dialect)
    let settings = JSONText.pairs(description.settings.map { ($0.name, $0.value) })
    let digest = ListDigest(kind: description.kind, settings: settings)
    let report: JobReport
    do throws(JobSourceError) {
      var check = JobCheck()
      check.patience = Self.patience
      check.found = { digest.add($0.digest) }
      report = try check.report(on: source)
    } catch {
      throw .mistakes([error.message])
    }
    guard report.isGood else { throw .mistakes(report.lines) }
    list = PoolList(
      kind: description.kind, source: description.name, settings: settings,
      digest: digest.finalize(), jobs: report.rowCount)
  }

  /// Nobody reads more mistakes, and others have lists, too.
  static let patience = 1000

  /// What sentences call it.
  static let name = "The list"

  private static let secrets = JobSourceError(
    .badInput,
    "The list has a column of passwords. A list in a database is read by all who may look at it: give the list to each bench (nfcprog provision), or leave the column out."
  )

  static let images = JobSourceError(
    .badInput,
    "The list has a column of files with whole memories, which no database has: give the list to each bench (nfcprog provision)."
  )

  private static let keyFiles = JobSourceError(
    .badInput,
    "The template names a file with a key, {hmac…}, which no database has: give the list to each bench (nfcprog provision)."
  )

  /// Every line with its end, so that whatever is added begins a line.
  static func lines(_ csv: String) -> [UInt8] {
    var bytes = Array(csv.utf8)
    if let last = bytes.last, last != 0x0A, last != 0x0D { bytes.append(0x0A) }
    return bytes
  }

  // MARK: The pool

  /// Makes the batch that the address names of it, as a whole or not at all. Where that batch is
  /// there with the same list, nothing changes. Throws `otherJobs` where it has another. Notes the
  /// request that asks for it.
  package func make(
    at address: PoolAddress, now: Int64, _ request: PoolRequest? = nil
  ) throws(Refusal) {
    var list = list
    list.adopted = now
    try PoolStore.make(list, bytes, at: address, request, Refusal.pool) { (take) throws(Refusal) in
      try source.forEachJob { row throws(Refusal) in
        switch row {
        case .success(let job):
          try take(PoolJob(job)) { MessagesOnTags.digest(of: job, source.files) }
        case .failure(let problem): throw .mistakes([problem.description])
        }
      }
    }
  }
}

extension PoolJob {
  /// A job of a list.
  init(_ job: PlannedJob) {
    self.init(number: job.number, name: job.name, wantedTag: job.wanted.stored, digest: job.digest)
    place = (job.line, job.offset)
    texts = (
      JSONText.pairs(job.message.records.lazy.map { ($0.option, $0.text) }),
      JSONText.pairs(job.columns.lazy.map { ($0.name, $0.value) })
    )
    (locks, hasPassword) = (job.locks, job.hasPassword)
  }
}
