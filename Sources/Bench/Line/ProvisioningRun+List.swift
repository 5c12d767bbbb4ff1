import Bench
import JobLists
import LedgerSQLite
import Provisioning
import TagMemory
import TagProgramming

/// A list whose jobs can be put on tags.
public struct CheckedJobs: Sendable {
  /// The report says what the check found.
  public let report: JobReport
  /// Is true if the journal has its jobs already, as an earlier run found and adopted them.
  let isAdopted: Bool
}

/// The list: checked as a whole before the first tag, or found as an earlier run left it.
extension ProvisioningRun {
  /// Checks the list, every row. Fails with `badInput`, and lists its mistakes, where there are
  /// any.
  public func check() throws(BenchError) -> CheckedJobs { try check(isDryRun: false) }

  /// Checks the list, every row, and holds its links to what is asked of them. With `isDryRun` it
  /// checks also what an earlier run has found good. Fails with `badInput`, and lists its mistakes,
  /// where there are any.
  package func check(isDryRun: Bool) throws(BenchError) -> CheckedJobs {
    defer { tell(.workEnded) }
    if checksEachRow {
      let empty = JobReport(CheckedList(digest: [], jobs: 0, longest: 0))
      return CheckedJobs(report: empty, isAdopted: false)
    }
    if !isDryRun, settings.line.wake == nil, settings.list.settings.content == nil,
      let known = try knownList()
    {
      if !known.remarks.isEmpty { tell(.listChecked(known)) }
      return CheckedJobs(report: known, isAdopted: true)
    }
    return CheckedJobs(report: try checkRows(), isAdopted: false)
  }

  /// Is true if rows are checked one by one, as they come.
  package var checksEachRow: Bool { followed != nil }

  /// The type of tag that all rows are for; nil: they are for several, or for any.
  package func onlyTagType() -> Product? {
    var types: Set<String?> = []
    do throws(Enough) {
      try source.forEachJob { row throws(Enough) in
        if let row = try? row.get() { types.insert(row.tagType) }
        if types.count > 1 { throw Enough() }
      }
    } catch {}
    return types.count == 1 ? types.first?.flatMap(Product.named) : nil
  }

  /// The job that a run would put on the tag that lies there, which is that of the first row that
  /// the tag can take. `refuse` gets what is said of each row of its type that it cannot take.
  package func firstJob(
    of list: CheckedJobs, for tag: TagFound, by journal: Journal?, at secondsSince1970: Int64,
    refuse: (String) -> Void
  ) throws(BenchError) -> Job {
    let planner = RowPlanner(source, settings.line)
    let isFree = try isFree(for: tag, by: journal)
    let (found, day) = (RowPlanner.Found(tag), TagFields.day(secondsSince1970))
    let allFit = list.report.longestLength <= found.capacity ?? 0
    var first: (row: PlannedJob, message: [UInt8])?
    var refusal: String?
    do throws(Enough) {
      try source.forEachJob { row throws(Enough) in
        guard let row = try? row.get(), isFree(row.number),
          source.namesTags
            ? row.uid == tag.target.uid : row.tagType.map({ $0 == tag.product?.name }) ?? true
        else { return }
        if source.namesTags, let type = row.tagType, type != tag.product?.name {
          let found = tag.product?.displayName ?? "unknown"
          refusal =
            "Row \(row.number) is for this tag and for the type \(type); this one is of the type \(found)."
          throw Enough()
        }
        do throws(JobRefusal) {
          let message = try planner.message(
            of: row, for: found, on: RandomCode.made(on: day, for: row))
          if first == nil { first = (row, message) }
        } catch {
          // A row that is wrong and a row that does not fit this tag: both are 65, as in a run.
          switch error {
          case .defective(let reason), .unsuitedTag(let reason):
            refusal = refusal ?? reason
            refuse(reason)
          }
        }
        if first != nil, allFit { throw Enough() }
      }
    } catch {}
    guard let first else {
      throw BenchError(.badInput, refusal ?? "The list has no job for this tag.")
    }
    do throws(JobFailure) {
      return try planner.job(of: first.row, holding: first.message, for: tag.target.uid)
    } catch {
      throw BenchError(.badInput, error.what)
    }
  }

  /// The list as it was found good and adopted by an earlier run with this journal; nil where
  /// anything is different.
  private func knownList() throws(BenchError) -> JobReport? {
    guard let path = settings.journal, pooled == nil, !settings.follows else { return nil }
    tell(.workBegan("Comparing the list with the journal", unit: "rows", count: nil))
    let lists: [CheckedList]
    if PoolSeries.isPool(path) {
      lists = PoolSeries.checkedLists(path, state: stateFolder)
    } else {
      lists = [try? Journal(at: path, access: .readOnly).checkedList()].compactMap(\.self)
    }
    guard !lists.isEmpty, let digest = try digest() else { return nil }
    return lists.first { $0.digest == digest }.map { JobReport($0, remarks: source.remarks) }
  }

  func digest() throws(BenchError) -> [UInt8]? {
    do throws(JobSourceError) {
      return try source.digest(settings.list.description, version: settings.version)
    } catch {
      throw BenchError(error)
    }
  }

  private func checkRows() throws(BenchError) -> JobReport {
    var check = JobCheck()
    tell(.workBegan("Checking the list", unit: "rows", count: nil))
    check.progress = { [tell] in tell(.workAdvanced($0)) }
    check.wake = settings.line.wake
    check.provesTags = settings.line.personalisation != nil
    check.protects = settings.line.protection != nil
    if let label { check.refusal = label.problem }
    let report: JobReport
    do throws(JobSourceError) {
      report = try check.report(on: source)
    } catch {
      throw BenchError(error)
    }
    tell(.listChecked(report))
    guard report.isGood else {
      guard !report.lacksFilesOnly else {
        throw BenchError(
          .noInput, (["Nothing was written."] + report.lines).joined(separator: "\n"))
      }
      let count = report.problemCount == 1 ? "a mistake" : "\(report.problemCount) mistakes"
      throw BenchError(
        report.isUndecidedOnly ? .noTag : .badInput,
        (["The list has \(count); nothing was written."] + report.lines).joined(separator: "\n"))
    }
    return report
  }

  // MARK: The journal

  /// Opens the journal at `path`, which takes the list's jobs over.
  func open(_ path: String, _ list: CheckedJobs) throws(BenchError) -> Journal {
    tell(
      .workBegan("Comparing the list with the journal", unit: "rows", count: list.report.rowCount))
    let description = settings.list.description
    let digest = settings.follows ? nil : try digest()
    return try BenchError.journaled { () throws(JournalError) in
      let journal = try Journal(at: path, access: .readWrite(creating: true))
      if let bench = try journal.benchName() { throw .benchesJournal(path, bench: bench) }
      if settings.journal != nil { try settings.trail(of: journal).check() }
      if list.isAdopted { return journal }
      if settings.follows {
        try journal.adopt(following: description)
        return journal
      }
      try adopt(into: journal, extending: settings.extends, correcting: settings.corrects)
      try note(list, digest, in: journal)
      return journal
    }
  }

  /// Has the journal remember that the list was found good and taken up; `digest`: nil where it may
  /// have other jobs beside.
  func note(_ list: CheckedJobs, _ digest: [UInt8]?, in journal: Journal) throws(JournalError) {
    guard let digest else { return }
    try journal.note(
      CheckedList(digest: digest, jobs: list.report.rowCount, longest: list.report.longestLength))
  }

  /// Has the journal take the list's jobs up, or makes sure that it has them.
  func adopt(
    into journal: Journal, extending: Bool, correcting: Bool = false
  ) throws(JournalError) {
    var rows = 0
    _ = try journal.adopt(
      settings.list.description, extending: extending, correcting: correcting,
      isBeginning: settings.follows
    ) { adopt throws(JournalError) in
      try source.forEachJob { row throws(JournalError) in
        rows += 1
        tell(.workAdvanced(rows))
        switch row {
        case .success(let job): try adopt(job)
        case .failure(let problem): throw .sourceFailed("\(problem)")
        }
      }
    }
  }

  /// Refuses a journal that the list does not know yet, for a list of which a message is on a tag
  /// of another one. `marks`: whether the list is marked as used with this one.
  func guardList(
    _ journal: Journal, _ marker: ListMarker?, marks: Bool
  ) throws(JournalError) {
    guard let marker else { return }
    let (isUntouched, isKnown) = (try journal.isUntouched(), try marker.knows(journal))
    if isUntouched || marks && !isKnown, !settings.line.startsOver,
      !settings.takesUpLostBatches
    {
      try marker.check(journal, source.files)
    }
    if !isUntouched, marks {
      _ = try marker.add(journal, of: shownPool)
    }
  }
}
