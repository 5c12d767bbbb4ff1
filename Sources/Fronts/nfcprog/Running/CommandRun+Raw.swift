import Bench
import Bytes
import TagMemory
import TagProgramming

/// A command that sends raw commands, from its options to its answers and exit status.
extension CommandRun {
  /// Makes the commands, opens the reader, sends them to the tag, and prints the answers.
  func perform(_ makeSeries: () throws(BenchError) -> RawSeries) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let series = try makeSeries()
      var runOptions = RunOptions()
      runOptions.timeout = .seconds(options.timeout)
      (runOptions.dryRun, runOptions.expected) = (options.dryRun, tagType)
      let ending = try work(Interruption(), runOptions).run(series)
      show(ending.report)
      try ending.closing.get()
      say(ending.trace)
      return ExitStatus(rawValue: ending.report.failure?.exitCode ?? 0) ?? .bug
    } catch {
      return console.fail(command, error)
    }
  }

  private func show(_ report: RawReport) {
    if options.json {
      console.json(RawJSON(command: command, report: report, asking: RemedyText.option))
    }
    if !(options.json && options.quiet) {
      for answer in report.answers {
        let data = Hex.string(answer.data, separator: " ").uppercased()
        let status = answer.status.map {
          "\(Hex.string([$0.sw1, $0.sw2]).uppercased())  \($0)"
        }
        let parts = [data.isEmpty ? nil : data, status].compactMap(\.self)
        console.result(parts.isEmpty ? "(no data)" : parts.joined(separator: "  "))
      }
    }
    if report.isPlanned, !(options.json && options.quiet) {
      console.result("The tag is present; nothing was sent to it.")
    }
    if let failure = report.failure { console.complain("nfcprog: \(failure.message)") }
  }
}
