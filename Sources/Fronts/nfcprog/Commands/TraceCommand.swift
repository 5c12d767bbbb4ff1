import ArgumentParser
import Bench
import Bytes
import Traces

/// `trace`: a trace as a person reads it.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show what a trace says, exchange by exchange.",
    discussion: """
        nfcprog trace session.trace
        nfcprog trace session.trace --errors            # what failed or is odd
        nfcprog trace session.trace --compare other.trace   # where do they part?

      Reads what --trace, report-problem and bring-up --report write, captures as JSON Lines, debugging logs of libnfc \
      (LIBNFC_LOG_LEVEL=3) and nfcpy, and Proxmark3's trace list. Commands and answers are in words; what is odd begins with !. \
      --reader sim:trace=FILE is a board that answers as the one of the trace. Exit status with --compare: 0 if both runs are \
      the same, 76 if they part.
      """)

  @Argument(help: ArgumentHelp("The trace; - for standard input.", valueName: "file"))
  var file: String

  @OptionGroup(title: "Selection") var filter: TraceFilter

  @Option(
    help: ArgumentHelp("Show where another run parts from this one.", valueName: "other"))
  var compare: String?

  @OptionGroup(title: "Output") var output: DocumentOptions

  func run() throws {
    let console = Console(json: output.json)
    try console.conclude("trace") { () throws(BenchError) in try show(console) }
  }

  private func show(_ console: Console) throws(BenchError) -> ExitStatus {
    let first = try TraceFile(at: file)
    if let compare {
      let session = try first.session(named: filter.log, in: file)
      let other = try TraceFile(at: compare).session(named: filter.log, in: compare)
      return self.compare(session, other, console)
    }
    let sessions =
      filter.log == nil ? first.sessions : [try first.session(named: filter.log, in: file)]
    for session in sessions {
      let reading = TraceReading(session)
      if let name = session.name, !output.json { console.result("\(name):") }
      for row in reading.rows where filter.shows(row) {
        if output.json { console.json(TraceReadingJSON(row)) }
        if !output.json { console.result(TraceText.line(row)) }
      }
      for remark in reading.remarks { console.remark("! line \(remark.line): \(remark.text)") }
    }
    return .success
  }

  private func compare(
    _ first: RecordedSession, _ second: RecordedSession, _ console: Console
  ) -> ExitStatus {
    let comparison = TraceComparison(first, second)
    func row(_ session: RecordedSession, _ place: Int?) -> TraceReading.Row? {
      place.map { TraceReading(session).rows[$0 - 1] }
    }
    let rows = (row(first, comparison.firstPlace), row(second, comparison.secondPlace))
    if output.json {
      console.json(TraceComparisonJSON(comparison, first: rows.0, second: rows.1))
    }
    for line in TraceText.lines(comparison, rows.0, rows.1) { console.result(line) }
    return comparison.difference == nil ? .success : .mismatch
  }
}

/// Which exchanges of a trace are shown.
struct TraceFilter: ParsableArguments {
  @Option(help: ArgumentHelp("Only what was sent to the tag with this UID.", valueName: "uid"))
  var tag: String?

  @Option(help: ArgumentHelp("Only these steps: 12, or 12-20.", valueName: "step"))
  var step: String?

  @Flag(help: "Only what failed or is odd.")
  var errors = false

  @Option(
    help: ArgumentHelp("Which capture, of a file with several.", valueName: "name"))
  var log: String?

  func validate() throws {
    if let tag, (try? Hex.bytes(tag))?.isEmpty != false {
      throw ValidationError("--tag takes a UID, such as 04a1b2c3d4e5f6.")
    }
    if step != nil, steps == nil {
      throw ValidationError("--step takes a number of an exchange or a range, such as 12-20.")
    }
  }

  private var steps: ClosedRange<Int>? {
    guard let parts = step?.split(separator: "-", omittingEmptySubsequences: false).map({ Int($0) })
    else { return nil }
    guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1],
      first >= 1, last >= first
    else { return nil }
    return first...last
  }

  func shows(_ row: TraceReading.Row) -> Bool {
    if let tag, let wanted = try? Hex.bytes(tag), row.tag != Hex.string(wanted) { return false }
    if let steps, !steps.contains(row.number) { return false }
    return !errors || row.isError || !row.oddities.isEmpty
  }
}
