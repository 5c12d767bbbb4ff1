import BenchKit
import Bytes
import TagMemory
import TagProgramming
import Wire

/// A command that sends raw commands, from its options to its answers and exit status.
struct RawRun {
  let command: String
  let options: TagOptions
  let console: Console

  private let tagType: Product?

  /// `tagType`: the type of tag that lies there; nil: any.
  init(command: String, options: TagOptions, tagType: Product?) {
    self.command = command
    self.options = options
    self.tagType = tagType
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  func perform(_ makeSeries: () throws(BenchError) -> RawSeries) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let series = try makeSeries()
      let interruption = Interruption()
      let source = try TagRun(command: command, options: options, tagType: tagType).open(
        interruption)
      let report = series.run(
        on: source.reader, timeout: .seconds(options.timeout), dryRun: options.dryRun,
        shouldStop: { interruption.isRequested })
      let closing = Result { () throws(BenchError) in try source.close() }
      show(report)
      try closing.get()
      return ExitStatus(rawValue: report.failure?.exitCode ?? 0) ?? .bug
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
