import ArgumentParser
import Bench
import Line
import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Rewrite {
  func run(_ preferences: Preferences) throws {
    let console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    try console.conclude("rewrite") { () throws(BenchError) in try perform(console, preferences) }
  }

  private func perform(
    _ console: Console, _ preferences: Preferences
  ) throws(BenchError) -> ExitStatus {
    let text = ProvisionText(
      console, command: "rewrite", isSilent: stations.silent || options.quiet,
      warnsOfClassics: link.isGiven)
    defer { text.end() }
    let run = try RewritingRun(
      try settings(console), wake: try link.wakeCheck(beside: android), tell: { text.show($0) },
      shouldStop: { text.shouldStop() })
    guard !options.dryRun else { return try plan(run, preferences) }
    var readers = try stations.readers(options, preferences)
    let trace = try options.openTrace(preferences)
    readers.settings = options.readerSettings(trace, preferences)
    StationGuard.install()
    let summary = try run.work(on: readers)
    text.end()
    return LineConclusion(summary, rewriting: changes.undo, count: stations.count).tell(
      on: console, trace,
      as: {
        var object = LineJSON(summary, ending: $0.ending, failure: $0.failure)
        object.command = "rewrite"
        return object
      }, lines: SummaryText.lines(summary))
  }

  private func settings(_ console: Console) throws(BenchError) -> RewritingRun.Settings {
    var settings = RewritingRun.Settings(journal: changes.journal, rules: try changes.rules())
    (settings.operatorName, settings.commandLine) = (
      changes.operator ?? CommandOrigin.loginName, CommandOrigin.commandLine
    )
    (settings.version, settings.environment) = (ProgramVersion.number, Console.environment)
    var line = LineOptions()
    (line.count, line.failureLimit) = (stations.count, stations.stopAfterFailures)
    (line.timeout, line.follows) = (.seconds(options.timeout), following.follow)
    line.credentials = try options.credentials()
    line.hold = .seconds(stations.hold ?? (LineOutput.isLive(on: console) ? 2 : 0))
    settings.line = line
    return settings
  }

  /// `--dry-run`: the link of the tag that lies there, its new one, and what would be written.
  private func plan(
    _ run: RewritingRun, _ preferences: Preferences
  ) throws(BenchError) -> ExitStatus {
    var change: String?
    var command = CommandRun("rewrite", options, preferences)
    // A run reads what its first look does not show.
    command.surveysMemory = true
    return try command.plan { tag throws(BenchError) in
      let plan = try run.plan(for: tag, at: Int64(time(nil)))
      change = plan.change
      return plan.job
    } change: {
      change
    }
  }
}
