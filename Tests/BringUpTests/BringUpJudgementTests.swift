import PN532
import Testing

@testable import Bench
@testable import BringUp

/// Judgements on answers that no simulated board gives.
@Suite("Judgements of a bring-up")
struct BringUpJudgementTests {
  private func judge(_ name: String, _ evidence: Evidence) throws -> Judgement {
    try #require(BoardQuestions.points.first { $0.name == name }).judge(evidence)
  }

  private func reply(_ label: String, _ command: [UInt8], _ answer: [UInt8]?) -> Evidence.Reply {
    Evidence.Reply(label, command, answer: answer)
  }

  @Test("without any answer no point passes", arguments: BoardQuestions.points.map(\.name))
  func nothing(_ name: String) throws {
    let verdict = try judge(name, Evidence()).verdict
    #expect(verdict == .failed || verdict == .unclear, "\(name) \(verdict)")
  }

  @Test("one wrong byte of 200 fails the self-test")
  func damagedEcho() throws {
    let text = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var answer: [UInt8] = [0] + text
    answer[77] ^= 0x10
    let evidence = Evidence([
      reply("echo", [0] + [0] + text, answer), reply("ROM", [0, 1], [0]),
      reply("RAM", [0, 2], [0]),
    ])
    #expect(try judge("self-test", evidence).verdict == .failed)
  }

  @Test("a single missed look of many fails the point and is counted")
  func missedLook() throws {
    let found: [UInt8] = [1, 1, 0, 0x44, 0, 4, 1, 2, 3, 4]
    var replies = (0..<100).map { _ in reply("look", [0x4A, 2, 0], found) }
    #expect(try judge("field-reset", Evidence(replies)).verdict == .passed)
    replies[42].answer = [0]
    let judgement = try judge("field-reset", Evidence(replies))
    #expect(judgement.verdict == .failed && judgement.seen.contains("1 of 100"))
  }

  @Test("a tag that a second look finds was awake, which is another point's question")
  func awakeBetweenLooks() throws {
    let found: [UInt8] = [1, 1, 0, 0x44, 0, 4, 1, 2, 3, 4]
    func verdict(second: [UInt8]?) throws -> Judgement {
      try judge(
        "look-skips-halted",
        Evidence([
          reply("two", [0x4A, 2, 0], found), reply("second", [0x4A, 2, 0], second),
          reply("first", [0x4A, 1, 0], found), reply("REQA", [0x42, 0x26], [0x01]),
          reply("again", [0x4A, 1, 0], [0]),
        ]))
    }
    #expect(try verdict(second: [0]).verdict == .passed)
    let judgement = try verdict(second: found)
    #expect(judgement.verdict == .unclear && judgement.seen.contains("sleeps-after-look"))
    #expect(try verdict(second: nil).verdict == .unclear)
  }

  @Test("a tag that a look did not find makes no other point fail")
  func lostTag() throws {
    let replies = [
      reply("look", [0x4A, 1, 0], [0]), reply("fast", [0x42, 0x3A, 4, 7], [0x01]),
    ]
    func judgement(_ name: String, _ evidence: Evidence) throws -> Judgement {
      try #require(BoardQuestions.points.first { $0.name == name }).judgement(of: evidence)
    }
    #expect(try judge("fast-read", Evidence(replies)).verdict == .failed)
    let lost = try judgement("fast-read", Evidence(replies))
    #expect(lost.verdict == .unclear && lost.seen.hasSuffix("see field-reset"))
    #expect(lost.setting.isEmpty)
    #expect(try judgement("field-reset", Evidence(replies)).verdict == .failed)
    let skipped = try judgement("write-time", Evidence(replies, obstacle: "the tag is not blank"))
    #expect(skipped.verdict == .skipped && skipped.seen.hasSuffix("see field-reset"))
  }

  @Test("a board that comes home by itself from a higher speed needs no setting")
  func homeByItself() throws {
    let home = try judge("stray-speed", Evidence(numbers: ["cuts": 0]))
    #expect(home.verdict == .failed && home.setting.isEmpty)
    let cut = try judge("stray-speed", Evidence(numbers: ["cuts": 1]))
    #expect(cut.setting == BoardLimits(speed: .baud115200))
  }

  @Test("a card that answers was not taken away, whatever the person says")
  func cardStays() throws {
    func verdict(_ status: UInt8) throws -> Judgement.Verdict {
      try judge("absent-tag", Evidence([reply("absent", [0x40, 1, 0x60, 4], [status])])).verdict
    }
    #expect(try verdict(0x00) == .unclear)
    #expect(try verdict(0x01) == .passed)
    #expect(try verdict(0x14) == .failed)
  }

  @Test("12 blocks are timed, one that is slow fails the point, and the slowest is named")
  func slowBlock() throws {
    var writes = (0..<12).map { reply("usual", [0x40, 1, 0xA0, UInt8($0)], [0]) }
    let closed = reply("closed", [0x40, 1, 0xA0, 4], [0x13])
    writes[7].duration = .milliseconds(11)
    let judgement = try judge("classic-write-time", Evidence(writes + [closed]))
    #expect(judgement.verdict == .passed && judgement.seen.contains("the slowest after 11 ms"))
    writes[7].answer = [0x01]
    let slow = try judge("classic-write-time", Evidence(writes + [closed]))
    #expect(slow.verdict == .failed && slow.setting == BoardLimits(hasSlowTags: true))
    // A chip that hides refusals: what the block holds decides.
    writes[7].answer = [0]
    let good = reply("closed", [0x40, 1, 0xA0, 4], [0])
    #expect(try judge("classic-write-time", Evidence(writes + [good])).verdict == .unclear)
    let changed = Evidence(writes + [good], numbers: ["changed": 1])
    #expect(try judge("classic-write-time", changed).verdict == .failed)
    let partly = Evidence(Array(writes.prefix(3)) + [closed], numbers: ["closed": 9])
    #expect(try judge("classic-write-time", partly).verdict == .unclear)
  }

  @Test("one lost frame of a thousand at 921600 baud gives the speed below as the safe one")
  func lossyLine() throws {
    let evidence = Evidence(
      numbers: ["asked": 921_600, "good": 999, "of": 1000, "best": 460_800])
    let judgement = try judge("speeds", evidence)
    #expect(judgement.verdict == .failed && judgement.seen.contains("999 of 1000"))
    #expect(judgement.setting == BoardLimits(speed: .baud460800))
  }

  @Test("a refusal that comes as data fails: it would be taken for the tag's memory")
  func refusalAsData() throws {
    let evidence = Evidence([
      reply("beyond", [0x40, 1, 0x30, 0xF8], [0x00]), reply("unknown", [0x42, 0xF0], [0x02]),
    ])
    #expect(try judge("refusals", evidence).verdict == .failed)
  }

  @Test("an area is blank with the TLVs of delivery alone")
  func blank() {
    #expect(BlankType2.isBlank([UInt8](repeating: 0, count: 48)))
    #expect(BlankType2.isBlank([0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE, 0, 0, 0, 0]))
    #expect(BlankType2.isBlank([0x03, 0x00, 0xFE, 0]))
    #expect(!BlankType2.isBlank([0x03, 0x05, 0xD1, 0x01, 0x01, 0x55, 0x00, 0xFE]))
    #expect(!BlankType2.isBlank([0x03, 0x00, 0xFE, 0, 0, 0, 0, 1]))
  }

  @Test("limits are joined to the lower of each")
  func joined() {
    let left = BoardLimits(speed: .baud230400, fastReadPages: 12)
    let right = BoardLimits(speed: .baud460800, fastReadPages: 4, hasSlowTags: true)
    let both = BoardLimits(speed: .baud230400, fastReadPages: 4, hasSlowTags: true)
    #expect(left.joined(with: right) == both && right.joined(with: left) == both)
    #expect(both.lines == ["baud = 230400", "fast-read = 4", "slow-tags = true"])
  }
}
