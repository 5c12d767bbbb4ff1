import Bytes
import TagMemory
import Testing

@testable import Readers

@Suite("Tag commands as values")
struct TagCommandTests {
  private static let idm = "0102030405060708"
  private static let lite = Target.feliCa(
    FeliCaActivation(
      idm: Array(1...8), pmm: [0x00, 0xF0, 0, 0, 0, 0, 0, 0], systemCode: 0x88B4, bitRate: .kbit212)
  )
  private static let classic1K = Target.typeA(
    Activation(atqa: 4, sak: 8, uid: UID([0x27, 0x8B, 0x70, 0x34])))
  private static let card = Target.typeA(Activation(atqa: 0x0344, sak: 0x20, uid: UID(1...7)))
  private static let block = "000102030405060708090a0b0c0d0e0f"

  private func reader(
    _ target: Target, _ script: [(String, ScriptedLink.Answer)], traced: ((Exchange) -> Void)? = nil
  ) -> (TagReader, ScriptedLink) {
    let link = ScriptedLink(script)
    let reader = TagReader(link: link, observer: traced)
    reader.target = target
    return (reader, link)
  }

  @Test(
    "FeliCa blocks are read with length and IDm around the command, and both are checked in the answer"
  )
  func feliCaRead() throws {
    let (reader, link) = reader(
      Self.lite,
      [
        (
          "4001 12 06 \(Self.idm) 01 0b00 02 8000 8088",
          .bytes("00 2d 07 \(Self.idm) 0000 02" + Self.block + Self.block)
        )
      ])
    #expect(try reader.readFeliCa([0x00, 0x88]) == Hex.bytes(Self.block + Self.block))
    #expect(link.left.isEmpty && reader.counts.reads == 1)
  }

  @Test("A FeliCa block is written with an answer of flags alone; a refusal gives them")
  func feliCaWrite() throws {
    let sent = "4001 20 08 \(Self.idm) 01 0900 01 8005" + Self.block
    let (reader, _) = reader(
      Self.lite,
      [(sent, .bytes("00 0c 09 \(Self.idm) 0000")), (sent, .bytes("00 0c 09 \(Self.idm) 01a8"))])
    try reader.writeFeliCa(5, Hex.bytes(Self.block))
    #expect(throws: ReaderError.feliCaStatus(0x01, 0xA8)) {
      try reader.writeFeliCa(5, Hex.bytes(Self.block))
    }
    #expect(!reader.needsReselect, "a FeliCa tag that refuses stays selected")
    #expect(reader.counts.writes == 2)
  }

  @Test(
    "A FeliCa answer that is cut short, of another tag or of another command is none",
    arguments: [
      "00 0b 09 0102030405060708 00", "00 0c 09 0102030405060700 0000",
      "00 0c 07 0102030405060708 0000", "00 0d 09 0102030405060708 0000", "00",
      "00 0d 09 0102030405060708 0000 00",
    ])
  func feliCaGarbage(_ answer: String) throws {
    let (reader, link) = reader(Self.lite, [])
    link.afterwards = { _ in .bytes(answer) }
    #expect(throws: ReaderError.self) { try reader.writeFeliCa(5, Hex.bytes(Self.block)) }
  }

  @Test("Whether a tag serves a system code is its answer to polling, or its silence")
  func polling() throws {
    let sent = "4001 06 00 12fc 01 00"
    let (reader, _) = reader(
      Self.lite,
      [
        (sent, .bytes("00 14 01 \(Self.idm) 00f0000000000000 12fc")), (sent, .bytes("01")),
      ])
    #expect(try reader.serves(systemCode: 0x12FC))
    #expect(try !reader.serves(systemCode: 0x12FC))
    #expect(!reader.needsReselect)
  }

  @Test("The card key never reaches a trace, typed or built; other blocks do")
  func cardKey() throws {
    var shown: [String] = []
    let (reader, link) = reader(Self.lite, []) { shown.append($0.description) }
    link.afterwards = { _ in .bytes("00 0c 09 \(Self.idm) 0000") }
    let stars = String(repeating: "**", count: 16)
    let start = "400120080102030405060708010900018087"
    try reader.writeFeliCa(0x87, Hex.bytes(Self.block))
    _ = try reader.transceive(Hex.bytes("080109000180 87" + Self.block))
    _ = try reader.transceive(Hex.bytes("2008" + Self.idm + "010900018087" + Self.block))
    _ = try reader.transceive(Hex.bytes("0801090001008700" + Self.block))
    try reader.writeFeliCa(0x05, Hex.bytes(Self.block))
    let end = " → 000c0901020304050607080000"
    #expect(shown.prefix(3).allSatisfy { $0 == start + stars + end })
    #expect(shown[3].hasSuffix("008700" + stars + end))
    #expect(shown[4].contains(Self.block))
  }

  @Test(
    "A FeliCa command may be typed whole, without its length, or without its IDm",
    arguments: [
      "10 06 0102030405060708 01 0b00 01 8000", "06 0102030405060708 01 0b00 01 8000",
      "06 01 0b00 01 8000",
    ])
  func typedFeliCa(_ typed: String) throws {
    let (reader, link) = reader(
      Self.lite,
      [("4001 10 06 \(Self.idm) 01 0b00 01 8000", .bytes("00 03 07 01"))])
    #expect(try reader.transceive(Hex.bytes(typed)) == [0x07, 0x01])
    #expect(link.left.isEmpty && link.unexpected.isEmpty)
  }

  @Test(
    "Typed polling bears no IDm", arguments: ["06 00 12fc 01 00", "00 12fc 01 00"])
  func typedPolling(_ typed: String) throws {
    let (reader, link) = reader(Self.lite, [("4001 06 00 12fc 01 00", .bytes("00 02 01"))])
    #expect(try reader.transceive(Hex.bytes(typed)) == [0x01])
    #expect(link.unexpected.isEmpty)
  }

  @Test(
    "What carries a password, a key or a cryptogram is masked in an APDU, by its instruction",
    arguments: [
      ("00200001 02 1234", "00200001 02 ****"), ("90c40000 03 00aabb 00", "90c40000 03 ****** 00"),
      ("90710000 02 0000 00", "90710000 02 **** 00"), ("00d60000 02 1234", "00d60000 02 1234"),
      ("00200001 000002 1234", "00200001 000002 ****"),
    ])
  func apduSecrets(_ sent: String, _ text: String) throws {
    var shown: String?
    let (reader, link) = reader(Self.card, []) { shown = $0.description }
    link.afterwards = { _ in .bytes("00 1122 9000") }
    let answer = sent.hasPrefix("9071") ? "****" : "1122"
    let expected = "4001" + text.filter { $0 != " " } + " → 00\(answer)9000"
    _ = try reader.send(.apdu(CommandAPDU(parsing: Hex.bytes(sent))))
    #expect(shown == expected)
    // Typed, the same.
    _ = try reader.transceive(Hex.bytes(sent))
    #expect(shown == expected)
  }

  @Test(
    "A typed command counts and is masked like the one the program builds",
    arguments: [
      (
        "600712345678abcd",
        TagCommand.authenticate(
          block: 7, key: Key([0x12, 0x34, 0x56, 0x78, 0xAB, 0xCD])!, type: .a)
      ),
      ("3007", .readBlock(7)), ("3006", .readBlock(6)),
      ("a007" + block, .writeBlock(7, Array(0...15))),
      ("a006" + block, .writeBlock(6, Array(0...15))),
      ("a20401020304", .writePage(4, [1, 2, 3, 4])),
      ("1b01020304", .authenticate(password: [1, 2, 3, 4])),
      ("3a0405", .fastRead(4...5)), ("3902", .readCounter(2)), ("3c00", .readSignature()),
      ("60", .getVersion), ("1a00", .beginTripleDES),
    ])
  func typed(_ text: String, _ built: TagCommand) throws {
    let typed = TagCommand(raw: try Hex.bytes(text), for: Self.classic1K, inProtocol: false)
    #expect(typed.frame == built.frame && typed.kind == built.kind && typed.way == built.way)
    #expect(typed.addressing == built.addressing && typed.work == built.work)
    #expect(typed.secrets == built.secrets)
    #expect(typed.answer == .any && !typed.mayRepeat)
  }

  @Test("Page 7 of a Type 2 tag is no sector trailer when it is typed, either")
  func typedPage() throws {
    let page = TagCommand(raw: [0x30, 7], for: nil, inProtocol: false)
    #expect(page.secrets == .none)
  }
}
