import PN532Simulator
import TagMemory
import Testing

@testable import Ledger
@testable import LedgerSQLite
@testable import Provisioning

/// Jobs for any type of tag go to tags of one type.
@Suite("A run that names no type of tag")
struct TagTypeTests {
  private func reel(_ products: [String]) throws -> [any StoredTag] {
    try products.enumerated().map { try LineBench.tag($0, $1) }
  }

  /// How long the end of a reel is waited for.
  private static let patience = Duration.seconds(4)

  private func types(_ summary: LineSummary) -> [String: Int] {
    summary.types.mapValues(\.written).filter { $0.value > 0 }
  }

  @Test("is bound to the type of its first tag, whatever comes after it")
  func bound() throws {
    let bench = try LineBench(codes: 9)
    let tags = try reel([
      "ntag213", "ntag216", "ntag213", "classic1k", "ultralight-ev1-11", "ntag213", "ntag215",
    ])
    let (summary, outcomes) = try bench.run([TestReader("1", tags)]) { $0.timeout = Self.patience }
    #expect(summary.passed == 3 && summary.left == 4 && summary.pending == 6)
    #expect(types(summary) == ["ntag213": 3])
    for outcome in outcomes where outcome.tagType != "ntag213" {
      #expect(outcome.trouble?.known == .wrongType && outcome.bin == .aside)
      #expect(outcome.trouble?.text.contains("--tag any") == true)
    }
    for (tag, outcome) in zip(tags, outcomes) {
      #expect((LineBench.link(on: tag) != nil) == (outcome.verdict == .passed))
    }
    let report = try bench.journal.open().report()
    #expect(report.settings.contains { $0.name == "Tags by type" && $0.value == "3 ntag213" })
    // The next run has a first tag of its own.
    let others = try (20..<22).map { try LineBench.tag($0, "ntag215") }
    #expect(
      types(try bench.run([TestReader("1", others)]) { $0.timeout = Self.patience }.summary) == [
        "ntag215": 2
      ])
  }

  @Test("takes all types where they may be mixed")
  func mixed() throws {
    let bench = try LineBench(codes: 9)
    let tags = try reel(["ntag213", "ntag216", "classic1k"])
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      ($0.mixesTypes, $0.timeout) = (true, Self.patience)
    }
    #expect(types(summary) == ["ntag213": 1, "ntag216": 1, "classic1k": 1])
  }

  @Test("is bound by no tag that got no job, and rows with a type of their own bind nothing")
  func unbound() throws {
    let bench = try LineBench(
      """
      code,tag
      A,ntag215
      B,
      C,
      D,ntag215
      """)
    let worn = try SimulatedTagSpec(parsing: "ntag216*99,bad=100%").tag(at: 30)
    let tags: [any StoredTag] =
      [worn] + (try reel(["ntag215", "ntag213", "ntag215", "ntag213", "ntag215"]))
    let (summary, outcomes) = try bench.run([TestReader("1", tags)]) { $0.timeout = Self.patience }
    #expect(outcomes.map(\.verdict) == [.failed, .passed, .passed, .passed, .passed])
    #expect(types(summary) == ["ntag215": 2, "ntag213": 2])
    guard case .complete = summary.ending else { throw Unexpected("\(summary.ending)") }
  }

  @Test("several stations are bound by the first of all")
  func stations() throws {
    let bench = try LineBench(codes: 30)
    let (left, right) = (
      try (0..<8).map { try LineBench.tag($0) },
      try (10..<18).map { try LineBench.tag($0, "ntag215") }
    )
    let (summary, _) = try bench.run([TestReader("1", left), TestReader("2", right)]) {
      $0.timeout = Self.patience
    }
    #expect(types(summary).count == 1 && summary.passed == 8 && summary.left == 8)
  }

  @Test("writes a tag of another type again that has its job")
  func again() throws {
    let bench = try LineBench(codes: 4)
    let other = try LineBench.tag(0, "ntag215")
    #expect(try bench.run([TestReader("1", [other])]).summary.passed == 1)
    other.powerOff()
    let tags: [any StoredTag] = [try LineBench.tag(1), other, try LineBench.tag(2)]
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      ($0.rewrite, $0.timeout) = (true, Self.patience)
    }
    #expect(types(summary) == ["ntag213": 2, "ntag215": 1])
  }
}
