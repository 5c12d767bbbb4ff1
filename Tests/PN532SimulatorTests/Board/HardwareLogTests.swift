import Bytes
import PN532
import PN532Simulator
import Testing

/// Short pieces of published logs of real boards and tags, put to the simulated ones. What a log
/// leaves untold (the tag's other bytes, the state of the chip) is set up for it.
@Suite("Published logs of boards and tags")
struct HardwareLogTests {
  private static func tag(
    _ name: String, _ uid: String, _ bytes: [(offset: Int, hex: String)] = []
  ) throws -> any StoredTag {
    let tag = try TagCatalog.tag(name, uid: Hex.bytes(uid))
    var memory = tag.eeprom.bytes
    for (offset, hex) in bytes {
      let new = try Hex.bytes(hex)
      memory.replaceSubrange(offset..<offset + new.count, with: new)
    }
    tag.eeprom.load(memory)
    return tag
  }

  /// A product, its UID, the look and its answer.
  private static let looks = [
    ("ntag213", "04416d412b0289", "4a0100", "4b01010044000704416d412b0289"),
    ("ntag213", "0463f80a4f5381", "4a0100", "4b0101004400070463f80a4f5381"),
    ("ntag213", "041f9b02005281", "4a0100", "4b010100440007041f9b02005281"),
    ("ntag215", "04a035b2bc2b80", "4a0100", "4b01010044000704a035b2bc2b80"),
    // A copy's UID.
    ("feiju", "5321d4cf330001", "4a0100", "4b0101004400075321d4cf330001"),
    ("classic1k", "24d34f59", "4a0200", "4b010100040804" + "24d34f59"),
    ("classic1k", "924c5227", "4a0100", "4b010100040804924c5227"),
    ("classic1k", "d0bbe11a", "4a0100", "4b010100040804d0bbe11a"),
    ("classic1k", "c9ae58e5", "4a0100", "4b010100040804c9ae58e5"),
    ("classic1k", "fb0ee20b", "4a0100", "4b010100040804fb0ee20b"),
    // InAutoPoll: type 10, then an entry of a look.
    ("ntag213", "04374bd29c3980", "60010110", "6101100c010044000704374bd29c3980"),
  ]

  @Test("a look names what lies there", arguments: looks)
  func look(_ name: String, _ uid: String, _ command: String, _ answer: String) throws {
    #expect(Bench(try Self.tag(name, uid)).ask(command) == answer)
  }

  @Test("a wake-up with a short preamble is enough; ACK and answer come in one piece")
  func shortWakeUp() throws {
    let bench = Bench(try Self.tag("ntag213", "04416d412b0289"), cold: true)
    let turns = [
      ("55550000000000ff03fdd414011700", "0000ff00ff000000ff02fed5151600"),
      ("0000ff02fed4022a00", "0000ff00ff000000ff06fad50332010607e800"),
      (
        "0000ff04fcd44a0100e100",
        "0000ff00ff000000ff0ff1d54b01010044000704416d412b0289ea00"
      ),
    ]
    for (sent, received) in turns { #expect(bench.send(sent) == received) }
  }

  @Test("a Classic is opened, read and written")
  func classic() throws {
    let card = try Self.tag("classic1k", "fb0ee20b", [(48, String(repeating: "ff", count: 16))])
    var memory = card.eeprom.bytes
    memory.replaceSubrange(64..<80, with: [UInt8](repeating: 0xFF, count: 16))
    memory.replaceSubrange(48..<64, with: try Hex.bytes("ffffffffffffff078069ffffffffffff"))
    card.eeprom.load(memory)
    let bench = Bench(card)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    // Block 7 opens sector 1; block 4 is read.
    #expect(bench.ask("40016007fffffffffffffb0ee20b") == "4100")
    #expect(bench.ask("40013004") == "4100" + String(repeating: "ff", count: 16))
    #expect(bench.ask("4001a00400112233445566778899aabbccddeeff") == "4100")
    #expect(bench.ask("40013004") == "410000112233445566778899aabbccddeeff")
  }

  @Test("NTAG216: READ 0, check bytes and container included")
  func ntag216() throws {
    let bench = Bench(try Self.tag("ntag216", "048a4ad29c3980"))
    _ = bench.ask("4a0100")
    #expect(bench.ask("40013000") == "4100048a4a4cd29c3980f7480000e1106d00")
  }

  @Test("an NTAG213 takes its password, its AUTH0 and a new one; silence follows a wrong one")
  func passwordOfNTAG213() throws {
    let bench = Bench(
      try Self.tag("ntag213", "04a035b2bc2b80", [(164, "040000ff"), (172, "f71dbe52")]))
    _ = bench.ask("4a0100")
    #expect(bench.ask("423029").hasPrefix("4300040000ff"))
    #expect(bench.ask("421bf71dbe52") == "43000000")
    #expect(["4300", "4302"].contains(bench.ask("42a22904000000")))
    #expect(["4300", "4302"].contains(bench.ask("42a22bf71dbe52")))
    #expect(!bench.ask("421b00000000").hasPrefix("4300"))
    #expect(bench.ask("423029") == "4301")
  }

  @Test("PWD_AUTH is answered with PACK")
  func acknowledge() throws {
    let bench = Bench(
      try Self.tag("ntag213", "04a81d12de5f80", [(172, "dae55796"), (176, "abda0000")]))
    _ = bench.ask("4a0100")
    #expect(bench.ask("421bdae55796") == "4300abda")
    #expect(bench.ask("40013004").hasPrefix("4100"))
  }

  @Test("an Ultralight C that is closed from page 4 on: READ 2 goes on with page 0")
  func ultralightC() throws {
    let bench = Bench(
      try Self.tag(
        "ultralight-c", "04942cca994f80",
        [(8, "9c480f00534c544f"), (160, "11ee00000000000004000000"), (172, "00000000")]))
    _ = bench.ask("4a0100")
    #expect(bench.ask("40013002") == "41009c480f00534c544f04942c34ca994f80")
    #expect(bench.ask("421a00").hasPrefix("4300af"))
  }

  @Test("an Ultralight AES begins its proof with AF and sixteen bytes, and tells its version")
  func ultralightAES() throws {
    let bench = Bench(try Self.tag("ultralight-aes", "043f88c2451390"))
    _ = bench.ask("4a0100")
    #expect(bench.ask("4260") == "43000004030104000f03")
    let answer = bench.ask("421a00")
    #expect(answer.hasPrefix("4300af") && answer.count == 4 + 2 + 32)
  }

  @Test("a DESFire without an NDEF application takes the name that it has for itself")
  func desFire() throws {
    let bench = Bench(try Self.tag("desfire-ev1", "046f169afc2e80"))
    // SAK 20, ATS 06 75 77 81 02 80.
    #expect(bench.ask("4a0100") == "4b010103442007046f169afc2e80067577810280")
    #expect(bench.ask("400100a4040007d2760000850100") == "41009000")
  }

  @Test("a board that hides refusals says that a READ went well, and has no data")
  func hiddenRefusal() throws {
    var deviations = BoardDeviations()
    deviations.hidesRefusals = true
    let card = try Self.tag("ntag213", "04416d412b0289")
    let bench = Bench(card, deviations: deviations)
    _ = bench.ask("4a0100")
    #expect(bench.ask("400130f0") == "4100")
  }

  @Test("a copier's session: field, tries, a look, a sector opened, block 1")
  func copier() throws {
    let card = try Self.tag(
      "classic1k", "c3d7c833", [(16, String(repeating: "00", count: 15) + "01")])
    let bench = Bench(card)
    for command in ["320100", "320101", "3205000102"] { #expect(bench.ask(command) == "33") }
    #expect(bench.ask("4a0100") == "4b010100040804c3d7c833")
    #expect(bench.ask("40016001ffffffffffffc3d7c833") == "4100")
    #expect(bench.ask("40013001") == "4100" + String(repeating: "00", count: 15) + "01")
  }

  @Test("a smart card with a Classic in it answers RATS in a look")
  func smartCard() throws {
    var deviations = TagDeviations()
    deviations.sak = 0x28
    let bench = Bench(DeviatingTag(try Self.tag("classic1k", "fde60899"), deviations))
    let answer = bench.ask("4a0100")
    // The ATS is another one here; its length stands before it, as there.
    #expect(answer.hasPrefix("4b010100042804fde60899"))
    let ats = try Hex.bytes(String(answer.dropFirst(22)))
    #expect(ats.first.map(Int.init) == ats.count)
  }

  @Test("InDataExchange: a block, a write, and 27 for a target that is not there")
  func wrongContext() throws {
    let bench = Bench(
      try Self.tag("classic1k", "fb0ee20b", [(64, "54455354" + String(repeating: "00", count: 12))])
    )
    _ = bench.ask("4a0100")
    #expect(bench.ask("40016007fffffffffffffb0ee20b") == "4100")
    #expect(bench.ask("40013004") == "410054455354" + String(repeating: "00", count: 12))
    #expect(bench.ask("4001a00400112233445566778899aabbccddeeff") == "4100")
    #expect(bench.ask("40023004") == "4127")
  }

  @Test("a Classic's block 2 is written with A0")
  func directoryBlock() throws {
    let bench = Bench(try Self.tag("classic1k", "fb0ee20b"))
    _ = bench.ask("4a0100")
    #expect(bench.ask("40016003fffffffffffffb0ee20b") == "4100")
    #expect(bench.ask("4001a002000102030405060708090a0b0c0d0e0f") == "4100")
  }

  @Test("an Ultralight C's page is written by Thru, which says 02, and by InDataExchange")
  func writeByThru() throws {
    let card = try Self.tag("ultralight-c", "04942cca994f80")
    let bench = Bench(card)
    _ = bench.ask("4a0100")
    #expect(bench.ask("42a20511223344") == "4302")
    #expect(Array(card.eeprom.bytes[20..<24]) == [0x11, 0x22, 0x33, 0x44])
    #expect(bench.ask("4001a20555667788") == "4100")
    #expect(Array(card.eeprom.bytes[20..<24]) == [0x55, 0x66, 0x77, 0x88])
    #expect(bench.ask("421a00").hasPrefix("4300af"))
  }

  @Test(
    "a copy of the reader finds a tag again that it has let go, as one does that polls with WUPA")
  func foundAgain() throws {
    var deviations = BoardDeviations()
    deviations.wakesHalted = true
    let bench = Bench(try Self.tag("classic1k", "82acb95d"), deviations: deviations)
    for _ in 1...3 {
      #expect(bench.ask("4a0100") == "4b01010004080482acb95d")
      #expect(bench.ask("4400") == "4500")
    }
  }

  @Test("a look that nobody answers leaves the seven bits of REQA in the chip's register")
  func bitsOfREQA() throws {
    // An ACR122 whose own polling has gone before (github.com/nfc-tools/libnfc/issues/169).
    let empty = Bench()
    empty.field.remove()
    #expect(empty.ask("06633d") == "0700")
    _ = empty.ask("3205000100")
    _ = empty.ask("4a0100")
    #expect(empty.ask("06633d") == "0707")
    // Behind a look of another kind, as rpinet-uart-nfclist has it.
    _ = empty.ask("4a010300")
    #expect(empty.ask("06633d") == "0700")
    let bench = Bench(try Self.tag("ntag213", "04416d412b0289"))
    _ = bench.ask("3205000100")
    _ = bench.ask("4a0100")
    #expect(bench.ask("06633d") == "0700")
  }

  /// What hosts sent to boards beside tags, and what came back; `pending`: the chip waits.
  private static let others = [
    // Line test, as RIOT does it; then the board waits for a reader as a FeliCa card
    // (github.com/nfcpy/nfcpy/issues/261).
    ("00004252494f5442", "01004252494f5442"),
    ("8c000400420066000102030405060708000000000000000012fc0102030405060708090a0000", "pending"),
    // The same as a Type 4 tag; InRelease of all (github.com/Seeed-Studio/PN532/issues/88).
    ("8c05040012345620000000000000000000000000000000000000000000000000000000000000", "pending"),
    ("5200", "5300"),
    // A Tessel's first commands (github.com/tessel/rfid-pn532/issues/36).
    ("02", "0332010607"), ("14011401", "15"),
    // SetParameters of an ACR122 (github.com/nfc-tools/libnfc/issues/169).
    ("1214", "13"),
  ]

  @Test("what hosts ask of a board without a tag", arguments: others)
  func withoutTag(_ command: String, _ answer: String) {
    let bench = Bench()
    bench.field.remove()
    #expect(bench.ask(command) == answer)
  }
}
