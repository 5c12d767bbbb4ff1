import ArgumentParser
import Bench
import Line
import Provisioning
import TagMemory
import TagProgramming

/// A command that reads tag after tag at the readers of a line, and writes to none.
struct CollectingCommand {
  let command: String
  let options: TagOptions
  let stations: StationOptions
  /// Is true if no time without a tag ends the run.
  let follows: Bool
  let preferences: Preferences

  private var console: Console {
    Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  /// Runs with what `settings` gives and tells of each tag, and how it ends. Throws the exit status
  /// of a failure.
  func run(_ settings: () throws(BenchError) -> CollectingRun.Settings) throws {
    try console.conclude(command) { () throws(BenchError) in try perform(settings()) }
  }

  private func perform(_ given: CollectingRun.Settings) throws(BenchError) -> ExitStatus {
    var settings = given
    (settings.line.count, settings.line.failureLimit) = (stations.count, stations.stopAfterFailures)
    (settings.line.timeout, settings.line.follows) = (.seconds(options.timeout), follows)
    settings.line.hold = .seconds(stations.hold ?? (LineOutput.isLive(on: console) ? 2 : 0))
    settings.isDry = options.dryRun
    var readers = try stations.readers(options, preferences)
    let trace = try options.openTrace(preferences)
    readers.settings = options.readerSettings(trace, preferences)
    let text = ProvisionText(
      console, command: command, isSilent: stations.silent || options.quiet,
      hasKeys: settings.expected != "-")
    defer { text.end() }
    StationGuard.install()
    let run = CollectingRun(
      settings, tell: { text.show($0) }, shouldStop: { text.shouldStop() })
    let outcome = try run.work(on: readers)
    text.end()
    let conclusion = LineConclusion(outcome.summary, reading: outcome.found, count: stations.count)
    return conclusion.tell(
      on: console, trace,
      as: { CollectedSummaryJSON(command, outcome.summary, outcome.found, $0) },
      lines: CollectedText.lines(outcome, file: options.dryRun ? nil : settings.file))
  }
}
