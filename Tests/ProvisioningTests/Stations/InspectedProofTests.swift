import NDEF
import PN532Simulator
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("Inspections of tags that fill in a part of their message by themselves")
struct InspectedProofTests {
  /// Tags in the hand of a test.
  private final class Tray: @unchecked Sendable {
    // Sendable by hand: the station's thread uses it during a run, the test before and after.
    let tags: [any StoredTag]
    init(_ tags: [any StoredTag]) { self.tags = tags }
  }

  private static func asks(_ event: LineEvent) -> Bool {
    if case .inspection = event.kind { true } else { false }
  }

  private static let mirror = "https://example.com/{code}?u={mirror:uid+counter}"
  private static let proof = "https://example.com/{code}?e={picc}&c={mac}"

  private static func ring(_ byte: UInt8) throws -> KeyRing {
    let master = try #require(AESKey([UInt8](repeating: byte, count: 16)))
    return KeyRing(.an10922(master: master, name: [byte]), version: byte)
  }

  /// A list whose tags prove themselves, and how its lines are run.
  private static func proving(codes: Int) throws -> (LineBench, (inout LineOptions) -> Void) {
    let (template, input) = try SDMTemplate.expand(proof)
    let personalisation = Personalisation(keys: try ring(1), codeInput: input)
    return (
      try LineBench(codes: codes, template: template),
      {
        ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
        $0.personalisation = personalisation
      }
    )
  }

  private static func mirroring(codes: Int) throws -> (LineBench, (inout LineOptions) -> Void) {
    (
      try LineBench(codes: codes, template: mirror),
      { ($0.timeout, $0.inspectEvery) = (.seconds(20), 1) }
    )
  }

  /// Runs a line on `tags`; the hand takes each tag that waits away, does `meanwhile` with it, and
  /// puts it on again. What was told of inspections.
  private static func run(
    _ bench: LineBench, _ tags: [any StoredTag], _ settle: (inout LineOptions) -> Void,
    laying order: [Int] = [0], meanwhile: @escaping @Sendable () -> Void = {}
  ) throws -> (summary: LineSummary, told: [String]) {
    let (hand, uids) = (Hand(tags), tags.map { UID($0.uid) })
    let told = Mutex<[String]>([])
    let act: @Sendable (StationLine, LineEvent) -> Void = { _, event in
      guard case .inspection(let found) = event.kind else { return }
      let index = uids.firstIndex(of: found.uid) ?? -1
      told.withLock { $0.append("\(found.verdict.rawValue) \(index)") }
      switch found.verdict {
      case .wanted where index == 0:
        meanwhile()
        hand.plan([.remove] + order.prefix(1).map { .place($0) })
      case .again: hand.plan([.remove] + order.dropFirst().prefix(1).map { .place($0) })
      case .good where index + 1 < uids.count: hand.plan([.remove, .place(index + 1)])
      case .wanted: hand.plan([.remove, .place(index)])
      default: break
      }
    }
    let (summary, _) = try bench.run([TestReader("1", hand)], settle, act: act)
    return (summary, told.withLock { $0 })
  }

  @Test("they are good although they show something else each time", arguments: [true, false])
  func good(proves: Bool) throws {
    let (bench, settle) = try proves ? Self.proving(codes: 2) : Self.mirroring(codes: 2)
    let tags = try (0..<2).map { try LineBench.tag($0, proves ? "ntag424" : "ntag213") }
    // Another tag is laid down first.
    let (summary, told) = try Self.run(bench, tags, settle, laying: [1, 0])
    #expect(told == ["wanted 0", "again 1", "good 0", "wanted 1", "good 1"])
    #expect(summary.passed == 2 && summary.inspectedBad == 0, "\(summary)")
    guard case .complete = summary.ending else { throw Unexpected("\(summary.ending)") }
    #expect(try bench.journal.open().verify().isEmpty)
  }

  @Test("a mirror that was switched off or moved is found, and the job goes on", arguments: [0, 1])
  func mirrorChanged(fault: Int) throws {
    let (bench, settle) = try Self.mirroring(codes: 1)
    let tags = [try LineBench.tag(0)]
    let tray = Tray(tags)
    let (summary, told) = try Self.run(bench, tags, settle) {
      let eeprom = tray.tags[0].eeprom
      var memory = eeprom.bytes
      // MIRROR_PAGE: off, or a page further.
      memory[166] = fault == 0 ? 0 : memory[166] + 1
      eeprom.load(memory)
    }
    #expect(told == ["wanted 0", "bad 0"])
    guard case .inspection(let trouble?) = summary.ending else {
      throw Unexpected("\(summary.ending)")
    }
    #expect(trouble.cause == "inspection" && summary.pending == 1)
    let journal = try bench.journal.open()
    #expect(try journal.verify().isEmpty)
    guard case .scrap? = try journal.history(of: UID(tags[0].uid)) else {
      throw Unexpected("not scrap")
    }
    // Its job goes to the next tag.
    let next = try Self.run(bench, [try LineBench.tag(1)], settle)
    #expect(next.told == ["wanted 0", "good 0"] && next.summary.passed == 1)
  }

  @Test("a tag that got other keys keeps its job, and the line stops")
  func otherKeys() throws {
    let (bench, settle) = try Self.proving(codes: 1)
    let tags = [try LineBench.tag(0, "ntag424")]
    let other = try Self.ring(9)
    let template = try SDMTemplate.expand(Self.proof.replacing("{code}", with: "0001"))
    var options = WriteOptions()
    options.personalisation = Personalisation(
      keys: other, before: try Self.ring(1), codeInput: template.codeInput)
    let job = Job.write(Message(try URIRecord(template.text).record), options)
    let tag = TestReader("thief", tags)
    let (summary, told) = try Self.run(bench, tags, settle) {
      let report = Programmer(reader: tag.reader, options: RunOptions()).run(job)
      if report.failure != nil { Issue.record("\(report.failure as Any)") }
    }
    #expect(told == ["wanted 0", "bad 0"])
    guard case .inspection = summary.ending else { throw Unexpected("\(summary.ending)") }
    #expect(summary.waitedFor == [UID(tags[0].uid)], "its message is there: it may be the job's")
    #expect(try bench.journal.open().verify().isEmpty)
  }

  @Test("a run that is killed before the inspection: the next one asks for it, and finds it good")
  func killed() throws {
    for proves in [true, false] {
      let (bench, settle) = try proves ? Self.proving(codes: 1) : Self.mirroring(codes: 1)
      let tags = [try LineBench.tag(0, proves ? "ntag424" : "ntag213")]
      let (first, _) = try bench.run([TestReader("1", tags)], settle, until: Self.asks)
      #expect(first.dueForInspection == [UID(tags[0].uid)])
      let (second, outcomes) = try bench.run([TestReader("1", tags)], settle)
      guard case .complete = second.ending else { throw Unexpected("\(second.ending)") }
      #expect(second.inspected == 1 && second.inspectedBad == 0 && outcomes.isEmpty)
    }
  }

  @Test(
    "an inspector whose board falls silent says nothing of the tag, which goes on waiting",
    arguments: [6, 9, 12, 16, 20, 25])
  func unplugged(lost: Int) throws {
    let (bench, settle) = try Self.proving(codes: 1)
    let (tag, other) = (try LineBench.tag(0, "ntag424"), try LineBench.tag(1, "ntag424"))
    _ = try bench.run([TestReader("1", [tag])], settle, until: Self.asks)
    let journal = try bench.journal.open()
    #expect(try journal.inspectionsDue().count == 1)
    let inspecting = TestReader("2", [tag], lostAnswer: lost)
    let (summary, _) = try bench.run([TestReader("1", [other])], inspector: inspecting) {
      settle(&$0)
      $0.timeout = .seconds(2)
    }
    #expect(summary.inspectedBad == 0, "\(summary)")
    // It waits, or was found good after the board was there again.
    let due = try journal.inspectionsDue().map(\.uid)
    let isGood = try journal.inspection(ofJob: 1)?.isGood
    #expect(due == [UID(tag.uid)] ? isGood == nil : isGood == true, "\(summary)")
    #expect(try journal.verify().isEmpty)
  }
}
