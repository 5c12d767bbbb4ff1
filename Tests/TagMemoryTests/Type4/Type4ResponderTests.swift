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
    try commands.map { command in
      defer { tag.noteArrival() }
      return Hex.string(tag.answer(try Hex.bytes(command))).uppercased()
    }
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

  @Test("counts as read what has arrived, and nothing that was only given out")
  func arrival() throws {
    var tag = try tag(4)
    _ = try say(Self.start, to: &tag)
    let read = try Hex.bytes("00B0000204")
    _ = tag.answer(read)
    #expect(tag.readCount == 0)
    // Whoever asks for something else has not said that it had the one before.
    _ = tag.answer(try Hex.bytes("00B0000002"))
    tag.noteArrival()
    #expect(tag.readCount == 0 && !tag.wasReadWhole)
    _ = tag.answer(read)
    tag.noteArrival()
    #expect(tag.wasReadWhole)
  }

  @Test(
    "takes a message whose bytes were all written before its length, and no other",
    arguments: [
      // The length 0, the message, its length; also in parts, from the end, and byte by byte.
      (["0000020000", "000203D00000", "0000020003"], true),
      (["0000020000", "000401AA", "000202D000", "0000020003"], true),
      (["0000020000", "0002015A", "000203D00000", "00000100", "00010103"], true),
      (["0000050000D00000", "0000020003"], true),
      // Everything in one command, or the rest together with the length.
      (["0000050003D00000"], true), (["0000060003D0000077"], true),
      (["0000020000", "000402AABB", "0000040004D000"], true),
      // The length was never 0, or is so still.
      (["000203D00000"], false), (["0000020003"], false), (["000203D00000", "0000020003"], false),
      (["0000020000"], false), (["0000020000", "000203D00000"], false),
      // The length before its bytes, with and without it said again.
      (["0000020003", "000203D00000"], false), (["0000040003D000", "00040100"], false),
      (["0000020000", "0000020003", "000203D00000"], false),
      (["0000020000", "0000020003", "000203D00000", "0000020003"], false),
      (["0000020000", "000202D000", "0000020003"], false),
      (["0000020000", "000203D00000", "0000020004"], false),
      (["0000020000", "000203D00000", "0000020FFF"], false),
      (["0000020000", "000203D00000", "000002FFFF"], false),
      // Changed under its length; begun anew, whatever was there before.
      (["0000020000", "000203D00000", "0000020003", "00020107"], false),
      (["0000020000", "000203D00000", "0000020003", "00020107", "0000020003"], false),
      (["0000020000", "000203D00000", "0000020003", "0000020000", "0000020003"], false),
      (["0000020000", "000203D00000", "0000020003", "0000030003D0"], false),
      (["0000020000", "000203D00000", "0000020003", "0000020003"], true),
    ])
  func coverage(writes: [String], isWhole: Bool) throws {
    var tag = try tag(isWritable: true)
    let commands = writes.map { "00D6" + $0 }
    let answers = try say(Self.start + commands, to: &tag)
    #expect(Set(answers) == ["9000"], "\(answers)")
    guard case .message(let bytes) = tag.writing else {
      #expect(tag.writing == .unfinished && !isWhole, "\(writes)")
      return
    }
    #expect(isWhole, "\(writes): \(Hex.string(bytes))")
  }

  @Test("an empty tag's message needs no length 0 before it")
  func emptyBefore() throws {
    var tag = try tag(0, isWritable: true)
    _ = try say(Self.start + ["00D6000203D00000", "00D60000020003"], to: &tag)
    #expect(tag.writing == .message([0xD0, 0x00, 0x00]))
  }

  @Test("what is read back after writing is not the message that was there")
  func readsBack() throws {
    var tag = try tag(3, isWritable: true)
    _ = try say(Self.start + ["00D60000050003D00000", "00B0000005"], to: &tag)
    #expect(tag.readCount == 0 && tag.writing == .message([0xD0, 0x00, 0x00]))
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
