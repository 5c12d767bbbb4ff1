import ArgumentParser
import Bench
import Bytes
import Line
import Provisioning
import TagMemory
import TagProgramming

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Provision {
  func run(_ preferences: Preferences) throws {
    let console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    try console.conclude("provision") { () throws(BenchError) in try perform(console, preferences) }
  }

  private func perform(
    _ console: Console, _ preferences: Preferences
  ) throws(BenchError) -> ExitStatus {
    let text = ProvisionText(
      console, isSilent: stations.silent || options.quiet, hasKeys: !scanner.scan.contains("-"),
      warnsOfClassics: link.isGiven)
    defer { text.end() }
    let run = try ProvisioningRun(
      try settings(console, preferences), tell: { text.show($0) }, shouldStop: { text.shouldStop() }
    )
    let list = try run.check(isDryRun: options.dryRun)
    if options.dryRun { return try plan(list, run, preferences, console) }
    try options.requireConsent(toLock: locking.lock)
    let journal = journal(preferences)
    if record.journal == nil, let journal { console.remark("The journal is \(journal).") }
    var readers = try readers(preferences)
    readers.settings = options.readerSettings(try options.openTrace(preferences), preferences)
    StationGuard.install()
    let outcome = try run.work(list, on: readers)
    text.end()
    if let failures = outcome.resultFailures {
      console.complain(
        "nfcprog: --on-result did not take \(counted(failures.count, "result")): \(failures.last) The next run with --on-result sends the results of good tags again."
      )
    }
    let status = conclude(outcome, readers.settings.trace, console, isKept: journal != nil)
    return status == .success && outcome.refusedRows > 0 ? .badInput : status
  }

  private func conclude(
    _ outcome: ProvisioningRun.Outcome, _ trace: Trace?, _ console: Console, isKept: Bool
  ) -> ExitStatus {
    let summary = outcome.summary
    let isReprint = results.reprintLabels != nil
    var conclusion = LineConclusion(
      summary, defective: outcome.defectiveJobs, isAll: outcome.isAll,
      wanted: record.rewrite ? nil : stations.count,
      leftWhenClosed: outcome.leftWhenClosed, begun: outcome.begun, isKept: isKept,
      rewrites: record.rewrite)
    if conclusion.status == .success, outcome.conflicts > 0 {
      conclusion = conclusion.failing(with: Self.conflict(outcome.conflicts))
    }
    if conclusion.status == .success,
      let failure = LabelText.failure(outcome.prints, afterReprint: isReprint)
    {
      conclusion = conclusion.failing(with: failure)
    } else if let failure = LabelText.failure(outcome.prints, afterReprint: isReprint) {
      console.complain("nfcprog: \(failure.message)")
    }
    defer { if let exported = outcome.exported { console.saved(exported) } }
    return conclusion.tell(
      on: console, trace,
      as: {
        LineJSON(
          summary, ending: $0.ending, recalled: outcome.conflicts, prints: outcome.prints,
          resultsNotTaken: outcome.resultFailures?.count, failure: $0.failure)
      }, lines: SummaryText.lines(summary))
  }

  /// Tags that messages have named as the line worked.
  private static func conflict(_ count: Int) -> BenchError {
    BenchError(
      .tagTrouble,
      count == 1
        ? "1 tag is to be set aside: the database contradicts this bench about it. A message above names it."
        : "\(count) tags are to be set aside: the database contradicts this bench about them. Messages above name them."
    )
  }

  /// `--dry-run`: the list, and the plan for the first tag where a reader is named.
  private func plan(
    _ list: CheckedJobs, _ run: ProvisioningRun, _ preferences: Preferences, _ console: Console
  ) throws(BenchError) -> ExitStatus {
    let count = list.report.rowCount
    let longest =
      run.source.writesImages
      ? "" : ", the longest message has \(counted(list.report.longestLength, "byte"))"
    console.result("The list is good: \(counted(count, "job"))\(longest). Nothing was written.")
    guard count > 0, preferences.readerName(options.reader) != nil else { return .success }
    let known = try run.known()
    guard try !run.isDone(list, by: known) else {
      console.result("No job is left for a tag.")
      return .success
    }
    var refused: [String] = []
    var command = CommandRun(
      "provision", options, preferences,
      tagType: run.source.namesTags ? nil : run.onlyTagType())
    command.listedSecret = { run.oldPassword(of: $0) }
    command.surveysMemory = run.source.writesImages
    return try command.plan { tag throws(BenchError) in
      refused = []
      if let trouble = try run.trouble(with: tag, by: known) {
        throw BenchError(
          .refused,
          ([trouble.text, trouble.advice] as [String?]).compactMap(\.self).joined(separator: " "))
      }
      return try run.firstJob(of: list, for: tag, by: known, at: Int64(time(nil))) {
        refused.append($0)
      }
    } check: { () throws(BenchError) in
      guard !refused.isEmpty else { return }
      let (count, most) = (refused.count, 10)
      throw BenchError(
        .badInput,
        (["This tag cannot take \(counted(count, "row")) of the list."] + refused.prefix(most)
          + (count > most ? ["And \(count - most) more."] : [])).joined(separator: "\n"))
    }
  }
}
