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

  private let reel: Product?

  /// `reel`: the type of tag that lies there; nil: any.
  init(command: String, options: TagOptions, reel: Product?) {
    self.command = command
    self.options = options
    self.reel = reel
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  func perform(_ makeSeries: () throws(BenchError) -> RawSeries) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let series = try makeSeries()
      let interruption = Interruption()
      let source = try TagRun(command: command, options: options, reel: reel).open(interruption)
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
    if options.json { console.json(JSONLine.text(RawJSON(command: command, report: report))) }
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

/// What became of raw commands, as `--json` prints it. What is nil is absent.
struct RawJSON: Encodable {
  struct Answer: Encodable {
    var answer: String
    var sw1: String?
    var sw2: String?
    var statusText: String?

    init(_ answer: RawAnswer) {
      self.answer = Hex.string(answer.data)
      sw1 = answer.status.map { Hex.byte($0.sw1) }
      sw2 = answer.status.map { Hex.byte($0.sw2) }
      statusText = answer.status.map { "\($0)" }
    }
  }

  var command: String
  var uid: String?
  var tag: String?
  var result: String
  /// One for each command that was answered; the last one's members stand beside it, too.
  var answers: [Answer]
  var answer: String?
  var sw1: String?
  var sw2: String?
  var statusText: String?
  var durationMs: Int?
  var error: TagJSON.Failure?

  init(command: String, report: RawReport) {
    self.command = command
    uid = report.target?.uid.hex
    tag = report.product?.name
    result = report.failure != nil ? "failed" : report.isPlanned ? "planned" : "read"
    answers = report.answers.map(Answer.init)
    (answer, sw1) = (answers.last?.answer, answers.last?.sw1)
    (sw2, statusText) = (answers.last?.sw2, answers.last?.statusText)
    durationMs = report.target.map { _ in Int(report.duration / .milliseconds(1)) }
    error = report.failure.map { TagJSON.Failure(code: $0.exitCode, message: $0.message) }
  }
}
