import JSON
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing
import Traces

import class Bench.ReplayLink
import class Bench.ReplayScript
import struct Bench.TraceJSON

@testable import TagProgramming

/// A job as `--trace` records it, and the same job on a board that answers from that.
struct RecordedRun {
  let report: TagReport
  /// The trace's text.
  let text: String

  /// What a person gets to know of the tag.
  var verdict: [String] {
    [
      "\(report.result), read back: \(report.verified)",
      report.failure.map { "\($0.kind): \($0.message)" } ?? "no failure",
      report.target.map { "\($0.uid) \($0.sak ?? 0)" } ?? "no tag",
      report.message.map { "\($0)" } ?? "no message",
    ] + report.details.map(\.text)
  }

  /// Does `job` on `chip`, whose tag has this technology, with what `link` makes of the link to it.
  init(
    _ job: Job, on chip: Chip, _ technology: TagTechnology, _ options: RunOptions,
    link: (DirectLink) -> any ChipLink = { $0 }
  ) {
    // Each look at the clock takes a little: nothing waits for ever, and all runs alike.
    let time = TestTime()
    let clock = HostClock(
      now: {
        time.advance(.microseconds(200))
        return time.elapsed
      }, sleep: time.clock.sleep)
    var text = ""
    let reader = TagReader(
      link: link(DirectLink(chip)),
      observer: { text += JSONLine.text(TraceJSON($0, opened: 0)) + "\n" }, clock: clock)
    if technology == .f { reader.technologies = [.feliCa] }
    if technology == .b { reader.technologies = [.typeB] }
    do {
      try reader.prepare()
    } catch {
      // The job says it again.
    }
    report = Programmer(reader: reader, options: options).run(job)
    self.text = text
  }

  /// Both runs of `job`, on a tag of `bench` and on a board that answers from the first.
  private static func pair(
    _ job: Job, on bench: Bench, _ change: (inout RunOptions) -> Void
  ) throws -> (first: RecordedRun, second: RecordedRun, script: ReplayScript) {
    var options = RunOptions()
    (options.timeout, options.patience) = (.milliseconds(300), .milliseconds(10))
    change(&options)
    let technology = bench.tag.technology
    let first = RecordedRun(job, on: bench.chip, technology, options) { link in
      link.strike(bench.hostFault)
      return link
    }
    let script = ReplayScript(try first.session, isTimed: false)
    let chip = Chip(field: Field())
    chip.script = script
    let second = RecordedRun(job, on: chip, technology, options) { ReplayLink($0, script) }
    return (first, second, script)
  }

  private var session: RecordedSession {
    get throws { try TraceFile(parsing: Array(text.utf8)).session(named: nil) }
  }

  /// The second run.
  static func replayed(_ job: Job, on bench: Bench) throws -> RecordedRun {
    try pair(job, on: bench) { _ in }.second
  }

  /// Records `job` on a tag of `bench`, replays it, and expects the same verdict and the same
  /// bytes. `what`: for the message.
  @discardableResult
  static func expectReplays(
    _ job: Job, on bench: Bench, _ what: @autoclosure () -> String,
    _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> RecordedRun {
    let (first, second, script) = try pair(job, on: bench, change)
    #expect(script.divergence == nil, "\(what()): \(script.divergence?.text ?? "")")
    #expect(second.verdict == first.verdict, "\(what())")
    let comparison = TraceComparison(try first.session, try second.session)
    #expect(
      comparison.difference == nil,
      "\(what()): they part at \(comparison.firstPlace ?? 0) and \(comparison.secondPlace ?? 0)")
    return first
  }
}
