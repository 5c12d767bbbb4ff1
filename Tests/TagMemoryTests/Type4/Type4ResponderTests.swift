import Bytes
import Testing

@testable import TagMemory

@Suite("A Type 4 tag that a program plays")
struct Type4ResponderTests {
  private static let start = ["00A4040007D276000085010100", "00A4000C02E104"]

  private func tag(_ count: Int = 200, isWritable: Bool = false) throws -> Type4Responder {
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    return try #require(Type4Responder(message: message, isWritable: isWritable))
  }

  private func say(_ commands: [String], to tag: inout Type4Responder) throws -> [String] {
    try commands.map { Hex.string(tag.answer(try Hex.bytes($0))).uppercased() }
  }

  @Test("is read by an iPhone: the length twice, then from offset 0 on")
  func iPhone() throws {
    var tag = try tag(300)
    let answers = try say(
      [
        "00A4040007D276000085010100", "00A4000C02E103", "00B000000F", "00A4000C02E104",
        "00B0000002", "00A4000C02E104", "00B00000F6",
      ], to: &tag)
    #expect(answers[2] == "000F2000F600F60406E104012E00FF9000")
    #expect(answers[4] == "012C9000")
    #expect(answers[6].count == 2 * (0xF6 + 2))
    #expect(!tag.wasReadWhole && tag.readCount == 0xF4)
    _ = try say(["00B000F638"], to: &tag)
    #expect(tag.wasReadWhole)
  }

  @Test(
    "answers every command with the status that belongs to it",
    arguments: [
      (["60"], "6700"), ([""], ""), (["00A4"], "6700"), (["00A40400"], "6A82"),
      (["00A4040007D276000085010000"], "6A82"),
      (["00A4040010A000000396564341FF0000000000000000"], "6A82"),
      (["00A4040010A000000396564341FF00000000000000AA00"], "6700"),
      (["9060000000"], "6E00"), (["00CA000000"], "6D00"), (["00B0000002"], "6986"),
      (["00A4000C02E103"], "6A82"), (["00A4080C02E103"], "6A86"),
      (["00A4040407D276000085010100"], "6A86"),
      (start + ["00A4000C02E105"], "6A82"), (start + ["00A4000C01E1"], "6700"),
      (start + ["00B0000002"], "00C89000"), (start + ["00B07FFF01"], "6B00"),
      (start + ["00B0FFFF01"], "6B00"), (start + ["00B00000"], "6700"),
      (start + ["00D6000001AA"], "6982"), (["00D6000001AA"], "6986"),
      (start + ["00A4000C02E103", "00D6000001AA"], "6982"),
      (start + ["00A4040007D276000085010100", "00B0000002"], "6986"),
    ])
  func statuses(commands: [String], last: String) throws {
    var tag = try tag()
    #expect(try say(commands, to: &tag).last == last, "\(commands)")
  }

  @Test("gives what there is to whoever asks for more, and never more than MLe")
  func long() throws {
    var tag = try tag(1000)
    let answers = try say(Self.start + ["00B0000000", "00B00000FF", "00B000000003E8"], to: &tag)
    #expect(Set(answers.dropFirst(2).map(\.count)) == [2 * (0xF6 + 2)])
    #expect(Type4Responder(message: [UInt8](repeating: 0, count: 0x7FFE)) == nil)
    #expect(Type4Responder(message: [UInt8](repeating: 0, count: 0x7FFD)) != nil)
  }

  @Test("forgets a selection with each activation")
  func activation() throws {
    var tag = try tag()
    _ = try say(Self.start + ["00B0000200"], to: &tag)
    #expect(tag.wasReadWhole)
    tag.activate()
    #expect(!tag.wasReadWhole)
    #expect(try say(["00B0000002"], to: &tag) == ["6986"])
    #expect(try say(["00A4000C02E104"], to: &tag) == ["6A82"])
  }

  @Test("keeps what a telephone writes, and knows when it has not finished")
  func writing() throws {
    var tag = try tag(isWritable: true)
    #expect(tag.writing == .nothing)
    _ = try say(Self.start + ["00D60000020000", "00D6000203D00000"], to: &tag)
    #expect(tag.writing == .unfinished)
    #expect(try say(["00D60000020003", "00D607FF020000"], to: &tag) == ["9000", "6B00"])
    #expect(tag.writing == .message([0xD0, 0x00, 0x00]))
    tag.activate()
    #expect(tag.writing == .nothing)
  }

  @Test("says before a command whether it gives the message out, and shows another then")
  func shows() throws {
    var tag = try tag(4)
    let read = try Hex.bytes("00B0000006")
    #expect(!tag.givesOut(read))
    _ = try say(Self.start, to: &tag)
    #expect(tag.givesOut(read))
    #expect(!tag.givesOut(try Hex.bytes("00A4000C02E104")))
    tag.show([9, 8, 7, 6])
    #expect(try say(["00B0000006"], to: &tag) == ["0004090807069000"])
    #expect(tag.wasReadWhole)
  }
}
