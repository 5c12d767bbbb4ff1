import Bench
import Foundation
import JobLists
import Line
import Provisioning
import Testing

@Suite("The events of a run, as they come", .timeLimit(.minutes(2)))
struct ProvisioningEventsTests {
  private static func run(_ numbers: String) throws -> ProvisioningRun {
    let list = JobListChoice(
      numbers: try CodeRange(parsing: numbers), url: "https://example.com/t/{code}")
    return try ProvisioningRun(ProvisioningSettings(list))
  }

  /// The job of the tag that passed here; nil for other events.
  private static func passed(_ event: ProvisioningEvent) -> Int? {
    guard case .line(let event) = event, case .finished(let outcome) = event.kind else {
      return nil
    }
    return outcome.written?.job.number
  }

  private static func isEnd(_ event: ProvisioningEvent) -> Bool {
    if case .ended = event { true } else { false }
  }

  @Test("all come, in order, and then the result")
  func all() async throws {
    let events = try Self.run("1..6").events(
      on: LineReaders(named: ["sim:ntag213*3", "sim:ntag213*3"]))
    var jobs: Set<Int> = []
    var hasEnded = false
    for try await event in events {
      if let job = Self.passed(event) {
        jobs.insert(job)
        #expect(!hasEnded)
      }
      hasEnded = hasEnded || Self.isEnd(event)
    }
    #expect(jobs == Set(1...6) && hasEnded)
    #expect(try await events.outcome.summary.passed == 6)
  }

  @Test("a task that is cancelled hears all events until its stations have ended")
  func cancelled() async throws {
    // A job more than there are tags, so that nothing but the task ends the run.
    let events = try Self.run("1..41").events(
      on: LineReaders(named: ["sim:ntag213*20", "sim:ntag213*20"]))
    let (heard, hasEnded) = try await Task {
      var heard = 0
      var hasEnded = false
      for try await event in events {
        hasEnded = hasEnded || Self.isEnd(event)
        guard Self.passed(event) != nil else { continue }
        heard += 1
        if heard == 2 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
      return (heard, hasEnded)
    }.value
    let summary = try await events.outcome.summary
    #expect(hasEnded && heard == summary.passed && summary.passed < 41)
    guard case .interrupted = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
  }

  @Test("a run whose events nobody hears keeps none of them")
  func unheard() async throws {
    let events = try Self.run("1..3").events(on: LineReaders(named: ["sim:ntag213*3"]))
    #expect(try await events.outcome.summary.passed == 3)
    for try await event in events { Issue.record("kept: \(event)") }
  }

  @Test("who leaves the loop ends the stations, and the result waits for them")
  func left() async throws {
    let events = try Self.run("1..40").events(on: LineReaders(named: ["sim:ntag213*40"]))
    for try await event in events where Self.passed(event) != nil { break }
    let summary = try await events.outcome.summary
    #expect((1..<40).contains(summary.passed))
  }

  @Test("a run that is at work does not begin twice, and may begin again later")
  func twice() async throws {
    let run = try Self.run("1..40")
    let first = run.events(on: try LineReaders(named: ["sim:ntag213*40"]))
    var iterator = first.makeAsyncIterator()
    _ = try await iterator.next()
    let failure = await #expect(throws: BenchError.self) {
      _ = try await run.events(on: LineReaders(named: ["sim:ntag213*3"])).outcome
    }
    #expect(failure?.code == .usage)
    first.stop()
    while try await iterator.next() != nil {}
    #expect(try await first.outcome.summary.passed < 40)
    let again = run.events(on: try LineReaders(named: ["sim:ntag213"]))
    again.stop()
    guard case .interrupted = try await again.outcome.summary.ending else {
      Issue.record("The run has not begun again.")
      return
    }
  }

  @Test("a run for no tag, or on no reader, is a mistake of its caller", arguments: [0, -1])
  func nothing(count: Int) throws {
    let list = JobListChoice(numbers: try CodeRange(parsing: "1..2"), url: "https://e.com/{code}")
    var settings = ProvisioningSettings(list)
    settings.line.count = count
    #expect(throws: BenchError.self) { try ProvisioningRun(settings) }
    #expect(throws: BenchError.self) { try LineReaders(named: []) }
  }

  @Test("the mistakes of a bad list come as an event, each with its line")
  func mistakes() async throws {
    let list = JobListChoice(numbers: try CodeRange(parsing: "1..3"), url: "https://e.com/same")
    let events = try ProvisioningRun(ProvisioningSettings(list)).events(
      on: LineReaders(named: ["sim:ntag213"]))
    var problems: [RowError] = []
    let failure = await #expect(throws: BenchError.self) {
      for try await case .listChecked(let report) in events { problems = report.problems }
    }
    #expect(failure?.code == .badInput && failure?.localizedDescription == failure?.reason)
    #expect(problems.map(\.line) == [2, 3])
  }

  @Test("a reader that cannot be opened is what the events end with")
  func noReader() async throws {
    let events = try Self.run("1..3").events(
      on: LineReaders(named: ["pn532_uart:/dev/ttyUSB77"]))
    let failure = await #expect(throws: BenchError.self) { for try await _ in events {} }
    #expect(failure?.code == .unavailable)
    await #expect(throws: BenchError.self) { _ = try await events.outcome }
  }
}
