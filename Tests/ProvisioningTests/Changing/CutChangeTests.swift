import JobLists
import PN532Simulator
import SeriesReports
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

  /// Locks all pages of an NTAG213, as another program may.
  private func lock(_ tag: any StoredTag) {
    _ = tag.eeprom.program([0xFF, 0xFF], at: 10)
    _ = tag.eeprom.program([0xFF, 0xFF, 0x3F], at: 160)
  }

  @Test("of a tag that was locked in the middle is said what it holds, and the run ends")
  func locked() throws {
    let count = try commands("ntag213")
    var said: Set<String> = []
    for case (let place, let back) in (0..<count).flatMap({ [($0, false), ($0, true)] }) {
      let bench = try ChangingBench()
      let tag = try ChangingBench.tag()
      if back { try bench.run([TestReader("1", [tag])]) }
      let before = ChangingBench.message(on: tag)
      var faults = FaultPlan.none
      faults.exchanges = [(.at(place), .removed(afterObeying: place.isMultiple(of: 2) == back))]
      try bench.run([TestReader("1", [tag], faults: faults)], back: back)
      tag.powerOff()
      lock(tag)
      let memory = tag.eeprom.bytes
      let isBegun = try !bench.journal.open(.readOnly).reservations().isEmpty
      let ending = try bench.run([TestReader("1", [tag])], back: back)
      #expect(tag.eeprom.bytes == memory, "\(place)")
      let link = ChangingBench.link(on: tag)
      let isNew = link == (back ? "https://old.example/t/7F" : "https://new.example/7F")
      let outcome = ending.outcomes.first
      if isBegun, !isNew {
        let text = outcome?.trouble?.text ?? ""
        #expect(outcome?.verdict == .failed && outcome?.isScrap == true, "\(place): \(ending)")
        let holds =
          ChangingBench.message(on: tag) == before
          ? (back ? "its new message" : "the message that it held before") : "neither"
        #expect(text.contains("locked since: it holds \(holds)"), "\(place): \(text)")
        said.insert(holds)
        let again = try bench.run([TestReader("1", [tag])], back: back)
        #expect(again.outcomes.allSatisfy { $0.trouble?.known == .scrap }, "\(again)")
        // Whoever asks for all tags as they were hears each time of the one that is not.
        let undone = back ? again : try bench.run([TestReader("1", [tag])], back: true)
        #expect(undone.summary.lost == [UID(tag.uid)], "\(place), \(back): \(undone)")
      } else if isBegun {
        #expect(outcome?.verdict == .passed, "\(place): \(ending)")
      }
      #expect(ending.summary.waitedFor.isEmpty, "\(place), \(back): \(ending.summary)")
      #expect(try bench.journal.open(.readOnly).reservations().isEmpty, "\(place), \(back)")
      #expect(try bench.journal.open(.readOnly).verify(messages: true) == [], "\(place)")
    }
    #expect(said.count == 3, "\(said)")
  }

  @Test("a tag that was put back is called so, and its series is not complete")
  func putBack() throws {
    let bench = try ChangingBench()
    let tags = try (0..<2).map { try ChangingBench.tag("ntag213", $0) }
    try bench.run([TestReader("1", tags)])
    for (back, count) in [(true, 1), (false, 0)] {
      tags[0].powerOff()
      let ending = try bench.run([TestReader("1", [tags[0]])], back: back)
      #expect(ending.summary.lost.isEmpty)
      let journal = try bench.journal.open(.readOnly)
      for (index, tag) in tags.enumerated() {
        guard case .written(let written)? = try journal.history(of: UID(tag.uid)) else {
          Issue.record("\(back)")
          continue
        }
        #expect(written.isPutBack == (back && index == 0), "\(index), \(back)")
      }
      let report = try journal.report()
      #expect(report.putBack == count && report.isComplete == !back)
      #expect(report.verdict.contains("1 tag was put back") == back, "\(report.verdict)")
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
