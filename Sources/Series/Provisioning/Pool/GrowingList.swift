import JSON
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// The list that a batch has in the pool, looked through once, to which rows are added that
/// somebody sends: each piece is checked beside all rows before it, which are not read again.
///
/// The list is in a file without a name; what is known of its rows takes some 80 MB of memory where
/// they are a million. After an error, or after rows that were not added, it is of no more use.
package final class GrowingList: @unchecked Sendable {
  // Unchecked: one thread after the other uses it.

  private let address: PoolAddress
  private let reading: PoolListReading
  private let spool: SourceFile
  private let source: JobSource
  private let description: SourceDescription
  private let settings: String
  private let digest: ListDigest
  private let duplicates: Duplicates
  /// Behind the last row that was looked at.
  private var rows: TableRows
  /// How many were.
  private var count = 0

  /// The batch's name.
  package var batch: String { address.batch }

  /// Reads the batch's list and checks it. Throws `closed` where the batch takes no rows.
  package init(at address: PoolAddress) throws(SentList.Refusal) {
    self.address = address
    do throws(PoolError) { reading = try PoolListReading(address) } catch { throw .pool(error) }
    do throws(JobSourceError) {
      spool = try SourceFile(keeping: SentList.name)
      duplicates = try Duplicates()
    } catch {
      throw .mistakes([error.message])
    }
    let hasList = try Self.read(reading, into: spool)
    guard reading.batch.closed == nil else { throw .pool(.closed(address.batch)) }
    guard hasList else { throw .mistakes([Self.noList]) }
    description = PooledList.description(of: reading.batch)
    settings = JSONText.pairs(description.settings.map { ($0.name, $0.value) })
    digest = ListDigest(kind: description.kind, settings: settings)
    do throws(JobSourceError) {
      source = try JobSource(spool, description.jobSettings)
      guard !source.writesImages else { throw SentList.images }
    } catch {
      throw .mistakes([error.message])
    }
    rows = source.follow()
    try lookOn { _ in nil }
  }

  /// Reads and checks what others have added meanwhile.
  package func readOn() throws(SentList.Refusal) {
    _ = try Self.read(reading, into: spool)
    guard reading.batch.closed == nil else { throw .pool(.closed(address.batch)) }
    try lookOn { _ in nil }
  }

  /// Checks the rows of a CSV text and adds them, as a whole or not at all. Throws their mistakes,
  /// by the lines of the text. False: somebody else has added some meanwhile. Notes the request
  /// that asks for it.
  package func add(
    _ csv: String, _ request: PoolRequest? = nil
  ) throws(SentList.Refusal) -> Bool {
    let (known, start) = (reading.batch, rows)
    let sent: SentRows
    do throws(JobSourceError) {
      sent = try SentRows(csv, for: source, description.jobSettings)
      try spool.append(sent.bytes[...])
    } catch {
      throw .mistakes([error.message])
    }
    try lookOn { sent.lines[$0 - start.place.line + 1] }
    let whole = PoolList(
      kind: description.kind, source: description.name, settings: settings, digest: digest.soFar,
      jobs: count)
    func refusal(_ error: PoolError) -> SentList.Refusal {
      guard case .onTag(let line, let name, let batch, let job) = error else { return .pool(error) }
      let sentLine = sent.lines[line - start.place.line + 1] ?? line
      return .pool(.onTag(line: sentLine, name, batch: batch, job: job))
    }
    let isAdded = try PoolStore.add(
      whole, sent.bytes, to: known, at: address, request, refusal
    ) { (take) throws(SentList.Refusal) in
      var (added, number) = (start, known.jobs)
      while let row = added.next() {
        number += 1
        let job: PlannedJob
        do throws(RowError) { job = try source.plan.job(row.get(), number: number) } catch {
          throw .mistakes([error.description])
        }
        try take(PoolJob(job)) { MessagesOnTags.digest(of: job, source.files) }
      }
    }
    reading.skip(sent.bytes)
    return isAdded
  }

  /// Checks all rows that were not looked at yet. `line`: by which number somebody knows a line
  /// that he sends; nil: the batch has it.
  private func lookOn(_ line: @escaping (Int) -> Int?) throws(SentList.Refusal) {
    var (report, check) = (JobReport(), JobCheck())
    check.patience = SentList.patience
    check.nameOfLine = { number in
      line(number).map { "line \($0)" } ?? "line \(number) of the batch's list"
    }
    check.found = { [digest] in digest.add($0.digest) }
    while !report.isCutShort, let row = rows.next() {
      count += 1
      let job = Result { () throws(RowError) in try source.plan.job(row.get(), number: count) }
      do throws(JobSourceError) {
        try check.look(at: job, source.files, duplicates, &report)
      } catch {
        throw .mistakes([error.message])
      }
    }
    guard report.isGood else { throw .mistakes(report.lines { line($0) ?? $0 }) }
  }

  /// False: the batch has no list in the pool.
  private static func read(
    _ reading: PoolListReading, into spool: SourceFile
  ) throws(SentList.Refusal) -> Bool {
    try reading.read(SentList.Refusal.pool) { bytes throws(SentList.Refusal) in
      do throws(JobSourceError) { try spool.append(bytes[...]) } catch {
        throw .mistakes([error.message])
      }
    }
  }

  private static let noList =
    "This batch has no list in the database: a bench has loaded it. Add rows to that bench's list and give --extend there."
}

extension JobReport {
  /// The mistakes for people, a line each, with other numbers of lines.
  fileprivate func lines(_ line: (Int) -> Int) -> [String] {
    let lines = problems.map {
      RowError(line: line($0.line), column: $0.column, $0.message).description
    }
    return lines + self.lines.dropFirst(problems.count)
  }
}
