import Bench
import BringUp
import LibNFCReaders
import Readers

/// One run of `bring-up`, from its options to its report and exit status.
struct BringUpRun {
  private let points: PointOptions
  private let line: BringUpReaderOptions
  private let preferences: Preferences
  private let console: Console
  /// Where the report is kept.
  private let file: NamedFile?

  init(
    _ points: PointOptions, _ line: BringUpReaderOptions, _ output: BringUpOutputOptions,
    _ preferences: Preferences, _ console: Console
  ) throws(BenchError) {
    file = try output.report.map { path throws(BenchError) in
      try NamedFile(path, .files(output.force))
    }
    (self.points, self.line) = (points, line)
    (self.preferences, self.console) = (preferences, console)
  }

  func perform() throws(BenchError) -> ExitStatus {
    let names = self.points.names
    let points = try BoardQuestions.points(named: names)
    if self.points.list {
      for point in points {
        console.result("\(point.name): \(point.question)\n  \(point.wish.request)")
      }
      return .success
    }
    let choice = try ReaderChoice(naming: line.reader, preferences)
    let simulated: SimulatedReader? =
      switch choice.place {
      case .simulated(let specs):
        try SimulatedReader(specs, isHandled: true, onFailure: console.complain)
      case .replayed(let trace): try SimulatedReader(replaying: trace)
      case .connection: nil
      }
    var report = BringUpReport(
      reader: line.reader ?? choice.name, firmware: nil,
      version: ProgramVersion.number + (ProgramVersion.commit.map { " (\($0))" } ?? ""),
      libnfc: LibraryVersion.libnfc, results: [])
    // Until the end: what a program that is killed leaves.
    report.isInterrupted = true
    do throws(BenchError) {
      try ask(points, choice, simulated, &report)
    } catch {
      try? simulated?.end()
      throw error
    }
    try simulated?.end()
    return try conclude(report, choice)
  }

  /// Asks `points`, and keeps the report after each.
  private func ask(
    _ points: [BringUpPoint], _ choice: ReaderChoice, _ simulated: SimulatedReader?,
    _ report: inout BringUpReport
  ) throws(BenchError) {
    let isNamed = !self.points.names.isEmpty
    let interruption = Interruption()
    let shouldStop = interruption.question
    let (bench, hands): (BringUpBench, any BringUpHands)
    do throws(ReaderError) {
      let connection: ConnectionString
      (connection, hands) = try self.hands(choice, simulated, shouldStop)
      bench = try BringUpBench(
        connection, hands: hands, rounds: self.points.rounds, mayLoseBoard: isNamed,
        shouldStop: shouldStop)
    } catch {
      if error == .interrupted { return }
      throw BenchError(error)
    }
    defer { bench.close() }
    report.firmware = bench.firmware.map { "\($0)" }
    (report.kernel, report.driver) = (KernelRelease.runningName, bench.lineDriver)
    // Before a person spends an hour: a file that cannot be written is said at once.
    try keep(report)
    do throws(ReaderError) {
      _ = try BoardQuestions.run(points, isNamed: isNamed, on: bench, hands: hands) { result in
        report.results.append(result)
        show(result)
        // What fails now fails at the end, too, where it is said.
        _ = try? keep(report)
      }
      report.isInterrupted = false
    } catch {
      if error != .interrupted { throw BenchError(error) }
    }
  }

  /// Writes the report to its file, where one was named.
  @discardableResult
  private func keep(_ report: BringUpReport) throws(BenchError) -> NamedFile.Saved? {
    try file?.write(Array(report.text.utf8), isSecret: true)
  }

  private func hands(
    _ choice: ReaderChoice, _ simulated: SimulatedReader?, _ shouldStop: @escaping () -> Bool
  ) throws(ReaderError) -> (ConnectionString, any BringUpHands) {
    if let simulated {
      let hands: any BringUpHands =
        simulated.script.map { ReplayHands(simulated, $0) } ?? SimulatedHands(simulated)
      return (try ConnectionString(simulated.port), hands)
    }
    guard case .connection(let connection) = choice.place else { throw .noTag }
    let hands = ConsoleHands(
      console, patience: .seconds(line.timeout), shouldStop: shouldStop)
    hands.connection = connection
    return (connection, hands)
  }

  private func show(_ result: BoardQuestions.Result) {
    if console.quiet, result.judgement.verdict != .failed { return }
    for line in BringUpReport.lines(result) { console.result(line) }
  }

  /// Writes what is to be kept, and prints the end.
  private func conclude(
    _ report: BringUpReport, _ choice: ReaderChoice
  ) throws(BenchError) -> ExitStatus {
    var report = report
    var late: BenchError?
    if line.apply, !report.limits.isEmpty {
      do throws(BenchError) {
        report.applied = try preferences.write(report.limits, of: choice.lastingName)
      } catch {
        late = error
      }
    }
    var saved: NamedFile.Saved?
    do throws(BenchError) {
      saved = try keep(report)
    } catch {
      late = late ?? error
    }
    if console.json { console.json(BringUpJSON(report)) }
    for line in report.conclusion { console.result(line) }
    if let saved { console.saved(saved) }
    if let late {
      console.complain(late)
      return late.status
    }
    if report.isInterrupted { return .interrupted }
    return report.count(.failed) > 0 ? .mismatch : .success
  }
}
