import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Jobs that are decided once the tag was looked at")
struct DecidingTests {
  static let message = try! url("https://example.com/t/0001")

  /// What the decision saw, and the report.
  private func write(
    _ message: Message = message, on bench: Bench, asked: inout [TagFound]
  ) -> TagReport {
    let reader = TagReader(link: DirectLink(bench.chip), clock: TestTime().clock)
    var options = RunOptions()
    options.patience = .zero
    let programmer = Programmer(reader: reader, options: options)
    var seen: [TagFound] = []
    defer { asked += seen }
    guard let tag = try? reader.select() else {
      return TagReport(.failed, failure: JobFailure(.noTagInTime))
    }
    do throws(SurveyError) {
      let surveyed = try programmer.survey(tag)
      seen.append(surveyed.found)
      return surveyed.run(.write(message, WriteOptions()))
    } catch {
      return error.report
    }
  }

  @Test("the decision costs a factory NTAG213 no further command")
  func cheap() throws {
    var asked: [TagFound] = []
    let report = write(on: try Bench("ntag213"), asked: &asked)
    #expect(report.result == .written && report.newMessage == .present)
    #expect(report.counts.frames == 12)
    #expect(asked.count == 1 && asked[0].product?.name == "ntag213" && asked[0].message == [])
    #expect(asked[0].status == .readWrite && asked[0].capacity == 137)
  }

  @Test(
    "the decision sees the whole message, or that there is none",
    arguments: ["ntag213", "ntag216", "ultralight", "ultralight-c", "classic1k", "classic4k"])
  func seesMessage(_ product: String) throws {
    let bench = try Bench(product, content: .blank)
    var asked: [TagFound] = []
    let long = Message(try TextRecord(String(repeating: "x", count: 30), language: "en").record)
    #expect(write(long, on: bench, asked: &asked).failure == nil)
    #expect(asked[0].message == nil && asked[0].status == .notSupported)
    #expect(write(on: bench, asked: &asked).failure == nil)
    #expect(asked[1].message == long.serialize() && asked[1].status == .readWrite)
    #expect(bench.run(.read).message == Self.message)
  }

  @Test("a tag that is to be left alone is left alone", arguments: ["ntag213", "classic1k"])
  func leaves(_ product: String) throws {
    let bench = try Bench(product)
    let before = bench.memory
    let reader = TagReader(link: DirectLink(bench.chip), clock: .system)
    let refusal = JobFailure(.leftAlone)
    let report = try Programmer(reader: reader, options: RunOptions())
      .survey(try reader.select()).leave(refusal)
    #expect(
      report.failure?.cause == refusal.cause && report.newMessage == .absent
        && bench.memory == before)
  }

  @Test(
    "a failed tag never holds the message where the report says that it does not",
    arguments: ["ntag213", "ultralight", "classic1k"], [true, false])
  func truthful(_ product: String, isEmpty: Bool) throws {
    let old = try url("https://example.com/another/address")
    func bench(_ faults: FaultPlan = .none) throws -> Bench {
      let bench = try Bench(product)
      if !isEmpty { #expect(bench.run(.write(old, WriteOptions())).failure == nil) }
      return Bench(bench.tag, faults: faults)
    }
    var asked: [TagFound] = []
    let undisturbed = try bench()
    #expect(write(on: undisturbed, asked: &asked).failure == nil)
    var absent = 0
    var possible = 0
    for place in 0..<undisturbed.chip.places.exchanges {
      for isAfter in [false, true] {
        var faults = FaultPlan()
        faults.exchanges = [(.at(place), .removed(afterObeying: isAfter))]
        let bench = try bench(faults)
        let report = write(on: bench, asked: &asked)
        guard report.failure != nil else { continue }
        let held = Bench(bench.tag).run(.read).message
        switch report.newMessage {
        case .absent:
          absent += 1
          #expect(held != Self.message, "place \(place)")
        case .possible: possible += 1
        case .present: Issue.record("a tag that went away is not read back")
        }
      }
    }
    #expect(absent > 0 && possible > 0)
  }
}
