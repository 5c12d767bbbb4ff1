import PN532
import TagMemory
import Testing

@testable import Readers

@Suite("Commands to a tag, UM0701-02 7.3.8 and 7.3.9")
struct CommandTests {
  private static let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
  private static let sixteen = "000102030405060708090a0b0c0d0e0f"

  /// A command of the reader, the chip's command and the answer that belongs to it, and what the
  /// reader makes of that.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sent: String
    let answer: String
    let result: [UInt8]
    let run: @Sendable (TagReader) throws -> [UInt8]
    var repeats = true
  }

  static let cases: [Case] = [
    Case(
      testDescription: "authenticate with key A", sent: "4001 60 07 ffffffffffff c3d4e5f6",
      answer: "00", result: []
    ) { reader in
      reader.target = .typeA(Activation(atqa: 0x0044, sak: 0x08, uid: uid))
      try reader.authenticate(block: 7, key: .factory, type: .a)
      return []
    },
    Case(
      testDescription: "authenticate with key B, 4-byte UID",
      sent: "4001 61 ff d3f7d3f7d3f7 278b7034", answer: "00", result: []
    ) { reader in
      reader.target = .typeA(
        Activation(atqa: 0x0004, sak: 0x08, uid: UID([0x27, 0x8B, 0x70, 0x34])))
      try reader.authenticate(block: 255, key: .nfc, type: .b)
      return []
    },
    Case(
      testDescription: "read a block", sent: "4001 30 04", answer: "00" + sixteen,
      result: Array(0...15)
    ) { try $0.readBlock(4) },
    Case(
      testDescription: "write a block", sent: "4001 a0 05" + sixteen, answer: "00", result: [],
      run: {
        try $0.writeBlock(5, Array(0...15))
        return []
      }, repeats: false),
    Case(
      testDescription: "read pages", sent: "4001 30 e0", answer: "00" + sixteen,
      result: Array(0...15)
    ) { try $0.readPages(from: 0xE0) },
    Case(
      testDescription: "fast read", sent: "42 3a 04 05", answer: "00 0102030405060708",
      result: Array(1...8)
    ) { try $0.fastRead(4...5) },
    Case(
      testDescription: "write a page", sent: "4001 a2 04 01020304", answer: "00", result: [],
      run: {
        try $0.writePage(4, [1, 2, 3, 4])
        return []
      }, repeats: false),
    Case(
      testDescription: "get the version", sent: "42 60", answer: "00 0004040201000f03",
      result: [0, 4, 4, 2, 1, 0, 0x0F, 3]
    ) { try $0.getVersion() },
    Case(
      testDescription: "authenticate with a password", sent: "42 1b 11223344", answer: "00 8080",
      result: [0x80, 0x80],
      run: { try $0.authenticate(password: [0x11, 0x22, 0x33, 0x44]) }, repeats: false),
    Case(
      testDescription: "read a counter", sent: "42 39 02", answer: "00 030201", result: [1, 2, 3]
    ) { reader in
      let count = try reader.readCounter(2)
      return [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    },
    Case(
      testDescription: "read the signature", sent: "42 3c 00", answer: "00" + sixteen + sixteen,
      result: Array(0...15) + Array(0...15)
    ) { try $0.readSignature() },
    Case(
      testDescription: "a raw exchange", sent: "4001 00a4", answer: "00 9000",
      result: [0x90, 0x00],
      run: { try $0.send(TagCommand([0x00, 0xA4])) }, repeats: false),
    Case(
      testDescription: "a raw exchange without the chip's help", sent: "42 1a00",
      answer: "00 af", result: [0xAF], run: { try $0.send(.beginTripleDES) }, repeats: false),
  ]

  @Test("sends the chip's command and takes its answer apart", arguments: cases)
  func works(example: Case) throws {
    let link = ScriptedLink([(example.sent, .bytes(example.answer))])
    let reader = TagReader(link: link)
    #expect(try example.run(reader) == example.result)
    #expect(!reader.needsReselect)
    #expect(link.timeouts.allSatisfy { $0 >= .milliseconds(250) })
  }

  @Test(
    "keeps the chip's status and remembers that the tag must be selected again", arguments: cases)
  func refusals(example: Case) {
    for status in [0x01, 0x14, 0x27] as [UInt8] {
      let text = String(status, radix: 16)
      let link = ScriptedLink([(example.sent, .bytes(text.count == 1 ? "0" + text : text))])
      let reader = TagReader(link: link)
      #expect(throws: ReaderError.exchangeFailed(StatusCode(rawValue: status))) {
        try example.run(reader)
      }
      #expect(reader.needsReselect)
    }
  }

  @Test("repeats what only looks once when the line fails, and nothing else", arguments: cases)
  func repetition(example: Case) throws {
    let failures: [ReaderError] = [.boardSilent(reader: "x"), .boardGarbled(reader: "x")]
    for failure in failures {
      let link = ScriptedLink([
        (example.sent, .failure(failure)), (example.sent, .bytes(example.answer)),
      ])
      let reader = TagReader(link: link)
      if example.repeats {
        #expect(try example.run(reader) == example.result)
        #expect(reader.counts.frames == 2)
      } else {
        #expect(throws: failure) { try example.run(reader) }
        #expect(link.left.count == 1)
      }
    }
  }

  @Test("gives up after the second failure of the line, and at once when the board is gone")
  func givesUp() {
    let twice = ScriptedLink([
      ("4001 3004", .failure(.boardSilent(reader: "x"))),
      ("4001 3004", .failure(.boardSilent(reader: "x"))), ("4001 3004", .bytes("00")),
    ])
    #expect(throws: ReaderError.boardSilent(reader: "x")) {
      try TagReader(link: twice).readBlock(4)
    }
    #expect(twice.left.count == 1)
    for fatal in [ReaderError.boardLost(reader: "x"), .interrupted, .boardRefused(reader: "x")] {
      let link = ScriptedLink([("4001 3004", .failure(fatal)), ("4001 3004", .bytes("00"))])
      #expect(throws: fatal) { try TagReader(link: link).readBlock(4) }
      #expect(link.left.count == 1)
    }
  }

  @Test("An answer of the wrong length is refused")
  func lengths() {
    let short = ScriptedLink([("4001 3004", .bytes("00 01020304"))])
    #expect(throws: ReaderError.wrongAnswerLength(expected: 16, received: 4)) {
      try TagReader(link: short).readPages(from: 4)
    }
    for answer in ["00 01020304", "00 010203040506070809"] {
      let link = ScriptedLink([("42 3a 04 05", .bytes(answer))])
      #expect(throws: ReaderError.self, "two pages have eight bytes") {
        try TagReader(link: link).fastRead(4...5)
      }
    }
    let none = ScriptedLink([("4001 3004", .bytes("")), ("4001 3004", .bytes(""))])
    #expect(throws: ReaderError.boardGarbled(reader: "script")) {
      try TagReader(link: none).readPages(from: 4)
    }
  }

  @Test("A FAST_READ of more than 60 pages takes several frames")
  func splitting() throws {
    let page = "00000000"
    let link = ScriptedLink([
      ("42 3a 00 3b", .bytes("00" + String(repeating: page, count: 60))),
      ("42 3a 3c 77", .bytes("00" + String(repeating: page, count: 60))),
      ("42 3a 78 86", .bytes("00" + String(repeating: page, count: 15))),
    ])
    #expect(try TagReader(link: link).fastRead(0...134).count == 135 * 4)
  }

  @Test(
    "After a look, the first command that goes round the chip wakes the tag; one that does not, need not"
  )
  func waking() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(ntag)), ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
        ("4260", .bytes("00 0004040201000f03")),
        ("4260", .bytes("00 0004040201000f03")),
        ("320100", .bytes("")), ("4a0200", .bytes(ntag)), ("40013004", .bytes("00" + Self.sixteen)),
        ("4260", .bytes("00 0004040201000f03")),
        ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)), ("4260", .bytes("00 0004040201000f03")),
      ])
    let reader = TagReader(link: link)
    let tag = try reader.select()
    _ = try reader.getVersion()
    _ = try reader.getVersion()
    _ = try reader.select()
    _ = try reader.readPages(from: 4)
    _ = try reader.getVersion()
    try reader.reselect(tag)
    _ = try reader.getVersion()
    #expect(link.unexpected == [] && link.left == [])
  }

  @Test("Selecting the tag again ends its refusal")
  func reselection() throws {
    let link = ScriptedLink(
      [("4260", .bytes("01"))] + setUp + [("4a0100 8804a1b2c3d4e5f6", .bytes(ntag))])
    let reader = TagReader(link: link)
    #expect(throws: ReaderError.self) { try reader.getVersion() }
    #expect(reader.needsReselect)
    try reader.reselect(Target.typeA(Activation(atqa: 0x0044, sak: 0, uid: Self.uid)))
    #expect(!reader.needsReselect)
  }

  @Test("An ISO-DEP tag gets the time its protocol may ask for")
  func isoDEP() throws {
    let card = "01 01 0344 20 07 04010203040506 05 78807002"
    let link = ScriptedLink(setUp + [("4a0200", .bytes(card)), ("4001 00", .bytes("00 9000"))])
    let reader = TagReader(link: link)
    _ = try reader.select()
    _ = try reader.send(TagCommand([0x00]))
    #expect(link.timeouts.last == .seconds(2))
  }

  @Test("The field goes off, and closing closes the link")
  func ends() throws {
    let link = ScriptedLink([("320100", .bytes(""))])
    let reader = TagReader(link: link)
    try reader.fieldOff()
    reader.close()
    #expect(link.isClosed && link.left == [])
  }
}
