import PN532Simulator
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A line over midnight")
struct MidnightTests {
  private static let table = "code,password,lock\nA,01020304,yes\n"
  private static let template = "https://example.com/t/{code}?d={date}"
  private let link = "https://example.com/t/A?d="

  private func run(
    _ bench: LineBench, _ tag: any VirtualTag, _ day: String, _ faults: FaultPlan = .none
  ) throws -> TagOutcome? {
    try bench.run([TestReader("1", [tag], faults: faults)]) { $0.day = { _ in day } }.outcomes.last
  }

  @Test(
    "a tag that is pulled at any exchange and laid down on the next day is finished with the first day's message",
    arguments: [false, true])
  func pulled(afterObeying: Bool) throws {
    var (held, isFinished, place) = (0, false, 0)
    while !isFinished, place < 200 {
      let bench = try LineBench(Self.table, template: Self.template)
      let tag = try LineBench.tag(0)
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .removed(afterObeying: afterObeying))]
      let first = try run(bench, tag, "2026-11-21", faults)
      isFinished = first?.verdict == .passed
      let isHeld = first?.verdict == .held
      if !isFinished {
        let second = try run(bench, tag, "2026-11-22")
        #expect(second?.verdict == .passed, "exchange \(place): \(String(describing: second))")
      }
      if isHeld {
        held += 1
        #expect(LineBench.link(on: tag) == link + "2026-11-21", "exchange \(place)")
      } else if !isFinished {
        let seen = LineBench.link(on: tag)
        #expect([link + "2026-11-21", link + "2026-11-22"].contains(seen), "exchange \(place)")
      }
      #expect(try bench.journal.open().tally().written == 1)
      place += 1
    }
    #expect(isFinished && held > 5, "\(held) tags were held")
  }

  @Test("a worn tag of yesterday is set aside today, and its job has today's date on the next tag")
  func worn() throws {
    var (bench, tag) = (
      try LineBench(Self.table, template: Self.template), try LineBench.tag(0)
    )
    let isHeld = try (8..<40).contains { place in
      (bench, tag) = (
        try LineBench(Self.table, template: Self.template), try LineBench.tag(0)
      )
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .removed(afterObeying: false))]
      let torn = try run(bench, tag, "2026-11-21", faults)
      return torn?.verdict == .held && LineBench.link(on: tag) == nil
    }
    #expect(isHeld)
    tag.eeprom.defects = tag.userMemory.lowerBound + 4..<tag.userMemory.upperBound
    var last: TagOutcome?
    for _ in 0..<2 { last = try run(bench, tag, "2026-11-22") }
    #expect(last?.bin == .bin, "\(String(describing: last))")
    let next = try LineBench.tag(1)
    #expect(try run(bench, next, "2026-11-22")?.verdict == .passed)
    #expect(LineBench.link(on: next) == link + "2026-11-22")
  }
}
