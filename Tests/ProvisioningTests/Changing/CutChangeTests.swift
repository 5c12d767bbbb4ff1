import JobLists
import PN532Simulator
import TagMemory
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A change that was cut off is finished, and nothing is lost")
struct CutChangeTests {
  /// How many commands a change of such a tag takes.
  private func commands(_ product: String) throws -> Int {
    let reader = TestReader("1", [try ChangingBench.tag(product)])
    try ChangingBench().run([reader])
    return reader.link.sent.count
  }

  @Test("wherever the reader goes silent, forth and back", arguments: ChangingTests.products)
  func silent(_ product: String) throws {
    let count = try commands(product)
    for place in stride(from: 0, to: count, by: product == "classic1k" ? 7 : 1) {
      let bench = try ChangingBench()
      let tag = try ChangingBench.tag(product)
      let before = ChangingBench.message(on: tag)
      for back in [false, true] {
        try bench.run([TestReader("1", [tag], lostAnswer: place)], back: back) { $0.count = 1 }
        tag.powerOff()
        // What the tag held is not lost, whatever it holds now.
        let held = ChangingBench.message(on: tag)
        if held != before {
          let stored = try bench.journal.open(.readOnly).change(ofJob: 1)
          #expect(stored?.before == before, "\(product), \(place)")
        }
        let ending = try bench.run([TestReader("1", [tag])], back: back)
        // The first run may have finished it.
        let isDone = ending.outcomes.allSatisfy {
          $0.verdict == .passed || $0.trouble?.known == .written
        }
        #expect(isDone, "\(product), \(place), \(back): \(ending.outcomes)")
        #expect(
          ChangingBench.link(on: tag)
            == (back ? "https://old.example/t/7F" : "https://new.example/7F"),
          "\(product), \(place)")
      }
      #expect(ChangingBench.message(on: tag) == before, "\(product), \(place)")
      #expect(try bench.journal.open(.readOnly).verify(messages: true) == [], "\(place)")
    }
  }

  @Test("a tag that is swapped for another in the middle gets nothing of the other's")
  func swapped() throws {
    let count = try commands("ntag213")
    for place in 0..<count {
      let bench = try ChangingBench()
      let tag = try ChangingBench.tag("ntag213", 1)
      let other = try ChangingBench.tag("ntag213", 2, link: "https://old.example/t/other")
      let before = [tag, other].map { ChangingBench.message(on: $0) }
      var faults = FaultPlan.none
      faults.exchanges = [(.at(place), .swapped(for: other))]
      try bench.run([TestReader("1", [tag], faults: faults)])
      let links = ["https://old.example/t/other", "https://new.example/other"]
      #expect(links.contains(ChangingBench.link(on: other) ?? ""), "\(place)")
      try bench.run([TestReader("1", [tag, other])])
      #expect(ChangingBench.link(on: tag) == "https://new.example/7F", "\(place)")
      #expect(ChangingBench.link(on: other) == "https://new.example/other", "\(place)")
      try bench.run([TestReader("1", [other, tag])], back: true)
      #expect([tag, other].map { ChangingBench.message(on: $0) } == before, "\(place)")
      #expect(try bench.journal.open(.readOnly).verify(messages: true) == [], "\(place)")
    }
  }

  @Test("two stations put their tags back, and the run ends with the last one")
  func both() throws {
    let bench = try ChangingBench()
    let tags = try (0..<6).map { try ChangingBench.tag("ntag213", $0) }
    let halves = [Array(tags[..<3]), Array(tags[3...])]
    try bench.run(halves.map { TestReader("\($0.count)", $0) })
    let ending = try bench.run(halves.map { TestReader("\($0.count)", $0) }, back: true) {
      $0.timeout = .seconds(20)
    }
    guard case .complete = ending.summary.ending else {
      Issue.record("\(ending.summary)")
      return
    }
    #expect(ending.summary.passed == 6)
  }
}
