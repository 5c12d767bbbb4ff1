import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A tag to which nothing was sent")
struct UnsentTests {
  private static let (old, new): ([UInt8], [UInt8]) = ([1, 2, 3, 4], [5, 6, 7, 8])

  /// What a finished tag is, and how it is written once more.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var first: @Sendable (inout LineOptions) -> Void = { _ in }
    var again: @Sendable (inout LineOptions) -> Void = { _ in }
    var isRefused = true
  }

  static let kinds = [
    Kind(
      testDescription: "another password, without the first",
      first: { $0.protection = Protection(password: old) },
      again: { $0.protection = Protection(password: new) }),
    Kind(
      testDescription: "another password, with a wrong one",
      first: { $0.protection = Protection(password: old) },
      again: { ($0.protection, $0.credentials.password) = (Protection(password: new), new) }),
    Kind(
      testDescription: "hidden, without the password",
      first: { $0.protection = Protection(password: old, readToo: true) },
      again: { $0.protection = Protection(password: old, readToo: true) }),
    Kind(
      testDescription: "another password, with the first",
      first: { $0.protection = Protection(password: old) },
      again: { ($0.protection, $0.credentials.password) = (Protection(password: new), old) },
      isRefused: false),
    Kind(
      testDescription: "a password",
      again: { $0.protection = Protection(password: new) }, isRefused: false),
    Kind(testDescription: "nothing new", isRefused: false),
  ]

  /// A bench with a finished tag; `others`: jobs that wait beside it.
  private func finished(_ kind: Kind, others: Int) throws -> (LineBench, any StoredTag) {
    let bench = try LineBench(codes: 1 + others)
    let tag = try LineBench.tag(0)
    let done = try bench.run([TestReader("1", [tag])], kind.first)
    #expect(done.summary.passed == 1)
    tag.powerOff()
    return (bench, tag)
  }

  private func expectAsBefore(
    _ bench: LineBench, _ tag: any StoredTag, _ summary: LineSummary, _ place: String
  ) throws {
    let journal = try bench.journal.open(.readOnly)
    guard case .written? = try journal.history(of: UID(tag.uid)) else {
      Issue.record("\(place): \(summary)")
      return
    }
    #expect(summary.waitedFor.isEmpty, "\(place): \(summary)")
    #expect(try journal.verify(messages: true) == [], "\(place)")
  }

  @Test(
    "keeps its finished job, and what it refuses ends alike beside other jobs", arguments: kinds)
  func refused(_ kind: Kind) throws {
    for others in [0, 1] {
      let (bench, tag) = try finished(kind, others: others)
      let memory = tag.eeprom.bytes
      let ending = try bench.run([TestReader("1", [tag])]) {
        kind.again(&$0)
        $0.rewrite = true
      }
      try expectAsBefore(bench, tag, ending.summary, "\(others)")
      guard kind.isRefused else {
        #expect(ending.summary.passed == 1, "\(ending)")
        continue
      }
      #expect(tag.eeprom.bytes == memory && ending.summary.passed == 0)
      #expect(ending.summary.lastFailure == .refused, "\(ending)")
    }
  }

  @Test(
    "keeps its finished job wherever it is taken away or the reader goes silent", arguments: kinds)
  func cut(_ kind: Kind) throws {
    for place in 0..<60 {
      for isSilent in [false, true] {
        let (bench, tag) = try finished(kind, others: 0)
        var faults = FaultPlan.none
        if !isSilent { faults.exchanges = [(.at(place), .removed(afterObeying: false))] }
        let reader = TestReader("1", [tag], faults: faults, lostAnswer: isSilent ? place : nil)
        let ending = try bench.run([reader]) {
          kind.again(&$0)
          $0.rewrite = true
        }
        guard ending.outcomes.allSatisfy({ $0.counts.writes == 0 }) else { continue }
        try expectAsBefore(bench, tag, ending.summary, "\(place), \(isSilent)")
      }
    }
  }

  @Test("gets its job back to the others where it had none before")
  func fresh() throws {
    for place in 0..<60 {
      let bench = try LineBench(codes: 1)
      let tag = try LineBench.tag(0)
      var faults = FaultPlan.none
      faults.exchanges = [(.at(place), .removed(afterObeying: false))]
      let ending = try bench.run([TestReader("1", [tag], faults: faults)]) { $0.patience = .zero }
      guard ending.outcomes.allSatisfy({ $0.counts.writes == 0 }), ending.summary.passed == 0
      else { continue }
      #expect(try bench.journal.open(.readOnly).tally().pending == 1, "\(place): \(ending)")
    }
  }

  @Test("from the field is as the journal had it", arguments: [false, true])
  func changed(_ back: Bool) throws {
    for place in 0..<60 {
      let bench = try ChangingBench()
      let tag = try ChangingBench.tag()
      if back { try bench.run([TestReader("1", [tag])]) }
      tag.powerOff()
      var faults = FaultPlan.none
      faults.exchanges = [(.at(place), .removed(afterObeying: false))]
      let ending = try bench.run([TestReader("1", [tag], faults: faults)], back: back)
      guard ending.outcomes.allSatisfy({ $0.counts.writes == 0 }), ending.summary.passed == 0
      else { continue }
      let journal = try bench.journal.open(.readOnly)
      #expect(try journal.tally().jobs == (back ? 1 : 0), "\(place): \(ending)")
      #expect(try journal.reservations().isEmpty && ending.summary.waitedFor.isEmpty, "\(place)")
    }
  }
}
