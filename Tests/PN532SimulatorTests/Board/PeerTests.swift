import Foundation
import PN532
import PN532Simulator
import Pace
import Synchronization
import Testing

/// The programs of libnfc-bin, libnfc-examples, libfreefare-bin and nfcpy, where they are
/// installed.
@Suite("Peers open the simulated board as they open a real one")
struct PeerTests {
  private func tag(_ name: String, _ index: Int = 0) throws -> any VirtualTag {
    try TagCatalog.tag(name, index: index)
  }

  /// Runs `program` on a board with `tags`: what it printed, and the board.
  private func run(
    _ program: String, _ arguments: [String] = [], on tags: any VirtualTag..., status: Int32 = 0
  ) throws -> (output: String, board: SimulatedBoard) {
    let board = SimulatedBoard(field: Field([tags]))
    let port = try board.start()
    let result = try #require(Program(program)).run(arguments, port: port)
    board.stop()
    #expect(result.status == status, "\(result.output)")
    return (result.output, board)
  }

  private func scratchFile(_ suffix: String) -> String {
    NSTemporaryDirectory() + "peer-\(UUID().uuidString).\(suffix)"
  }

  @Test("nfc-list lists what lies there, twice over", .enabled(if: Program.isInstalled("nfc-list")))
  func list() throws {
    let board = SimulatedBoard(
      field: Field([[try tag("classic1k"), try tag("ntag213")]]))
    let port = try board.start()
    for _ in 0..<2 {
      let result = try #require(Program("nfc-list")).run(port: port)
      #expect(result.output.contains("2 ISO14443A passive target(s) found"), "\(result.output)")
      #expect(result.output.contains("UID (NFCID1): 5a  79  37  9e"))
      #expect(result.output.contains("UID (NFCID1): 04  79  37  3a  9e  6c  80"))
    }
  }

  @Test(
    "nfc-list shows an ATS and both FeliCa speeds", .enabled(if: Program.isInstalled("nfc-list")))
  func listOthers() throws {
    #expect(try run("nfc-list", on: tag("type4")).output.contains("ATS: 75  77  81  02  80"))
    let output = try run("nfc-list", on: tag("felica-lite-s")).output
    #expect(output.contains("1 Felica (212 kbps)") && output.contains("1 Felica (424 kbps)"))
    let typeB = try run("nfc-list", on: tag("typeb")).output
    #expect(typeB.contains("PUPI: 5a  79  37  9e"), "\(typeB)")
    let jewel = try run("nfc-list", on: tag("topaz96")).output
    #expect(jewel.contains("1 ISO14443A-3 Jewel passive"), "\(jewel)")
    #expect(jewel.contains("4-LSB JEWELID: 04  79  37  3a"), "\(jewel)")
  }

  @Test(
    "nfc-anticol goes through anticollision by hand",
    .enabled(if: Program.isInstalled("nfc-anticol")),
    arguments: [
      ("classic4k", "UID: 5a79379e"), ("ntag213", "UID: 0479373a9e6c80"), ("type4", "SAK: 20"),
    ])
  func anticollision(name: String, line: String) throws {
    #expect(try run("nfc-anticol", on: tag(name)).output.contains(line))
  }

  @Test(
    "nfc-poll finds a tag and notices that it is taken away",
    .enabled(if: Program.isInstalled("nfc-poll")))
  func poll() throws {
    let board = SimulatedBoard(field: Field(try tag("ntag213")))
    let port = try board.start()
    DispatchQueue.global().async {
      #expect(
        Pace.wait {
          board.exclusively { chip in chip.statistics.commands["InDataExchange"] ?? 0 } > 0
        })
      board.removeTags()
    }
    let result = try #require(Program("nfc-poll")).run(port: port)
    #expect(
      result.output.contains("Waiting for card removing...") && result.output.contains("done"))
  }

  @Test("nfc-mfultralight reads every page", .enabled(if: Program.isInstalled("nfc-mfultralight")))
  func ultralight() throws {
    let file = scratchFile("mfd")
    defer { try? FileManager.default.removeItem(atPath: file) }
    let ntag = try tag("ntag213")
    let (output, _) = try run("nfc-mfultralight", ["r", file], on: ntag)
    #expect(output.contains("NTAG Type: NTAG213"))
    let dump = Array(try Data(contentsOf: URL(filePath: file)))
    // Password and PACK read as zeros.
    #expect(dump.prefix(172) == ntag.eeprom.bytes.prefix(172))
  }

  @Test("nfc-mfclassic reads every block", .enabled(if: Program.isInstalled("nfc-mfclassic")))
  func classic() throws {
    let file = scratchFile("mfd")
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (output, board) = try run("nfc-mfclassic", ["r", "a", "u", file], on: tag("classic1k"))
    #expect(output.contains("Done, 64 of 64 blocks read."))
    #expect(board.statistics.authentications == 16)
  }

  @Test(
    "libfreefare formats a Classic for NDEF, reads it back and restores it",
    .enabled(if: Program.isInstalled("mifare-classic-write-ndef")))
  func freefare() throws {
    let (message, copy) = (scratchFile("ndef"), scratchFile("ndef"))
    defer { for file in [message, copy] { try? FileManager.default.removeItem(atPath: file) } }
    let bytes = Data([0xD1, 0x01, 0x10, 0x55, 0x05] + Array("example.com/t/1".utf8))
    try bytes.write(to: URL(filePath: message))
    let card = try tag("classic1k")
    let fresh = card.eeprom.bytes
    _ = try run("mifare-classic-write-ndef", ["-y", "-i", message], on: card)
    #expect(card.eeprom.bytes != fresh)
    _ = try run("mifare-classic-read-ndef", ["-y", "-o", copy], on: card)
    #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
    _ = try run("mifare-classic-format", ["-y"], on: card)
    #expect(card.eeprom.bytes == fresh)
  }

  @Test(
    "libfreefare makes an NDEF tag of a blank DESFire, writes it and reads it back",
    .enabled(if: Program.isInstalled("mifare-desfire-create-ndef")),
    arguments: ["desfire-ev1", "desfire-ev2", "desfire-ev3"])
  func desFire(name: String) throws {
    let (message, copy) = (scratchFile("ndef"), scratchFile("ndef"))
    defer { for file in [message, copy] { try? FileManager.default.removeItem(atPath: file) } }
    let bytes = Data([0xD1, 0x01, 0xC8, 0x55, 0x05] + [UInt8](repeating: 0x61, count: 199))
    try bytes.write(to: URL(filePath: message))
    let card = try SimulatedTagSpec(parsing: name).tag(at: 0)
    let info = try run("mifare-desfire-info", on: card).output
    #expect(info.contains("Storage size:         0x16 (=2048 bytes)"), "\(info)")
    _ = try run("mifare-desfire-create-ndef", ["-y"], on: card)
    _ = try run("mifare-desfire-write-ndef", ["-y", "-i", message], on: card)
    _ = try run("mifare-desfire-read-ndef", ["-y", "-o", copy], on: card)
    #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
    // As a telephone reads it.
    card.powerOff()
    card.select()
    #expect(
      card.receive([0, 0xA4, 4, 0, 7, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0]) == .data([0x90, 0x00]))
    #expect(card.receive([0, 0xA4, 0, 0xC, 2, 0xE1, 4]) == .data([0x90, 0x00]))
    #expect(
      card.receive([0, 0xB0, 0, 0, 7])
        == .data([0x00, 0xCC, 0xD1, 0x01, 0xC8, 0x55, 0x05, 0x90, 0x00]))
    _ = try run("mifare-desfire-format", ["-y"], on: card)
    card.select()
    #expect(card.receive([0x6A]) == .data([0x00]))
  }

  @Test(
    "libfreefare tells an Ultralight C by its 3DES authentication",
    .enabled(if: Program.isInstalled("mifare-ultralight-info")))
  func ultralightC() throws {
    let output = try run("mifare-ultralight-info", on: tag("ultralight-c")).output
    #expect(output.contains("Authentication with default key: success"))
  }

  @Test(
    "nfc-read-forum-tag3 reads the attribute block",
    .enabled(if: Program.isInstalled("nfc-read-forum-tag3")))
  func type3() throws {
    let (output, _) = try run(
      "nfc-read-forum-tag3", ["-o", scratchFile("ndef")], on: tag("felica-lite-s"), status: 1)
    #expect(output.contains("Maximum nr of blocks available for NDEF data:     13 blocks"))
    #expect(output.contains("empty NFC Forum Tag Type 3"))
  }

  @Test(
    "nfcpy goes to 921600, writes and reads an NDEF message, and goes back to 115200",
    .enabled(if: Program.nfcpy != nil),
    arguments: [
      "ntag213", "type4", "type4,fsc=16,wtx=1", "type4,mapping=1",
      "type4,mapping=3,size=3000,mle=255,mlc=255", "ntag424", "st25ta02k", "st25ta16k",
      "type4,fsc=256,mle=64,mlc=32,size=500,longread=6700",
      "felica-lite", "felica-lite-s", "topaz96",
    ])
  func nfcpy(name: String) throws {
    let script = """
      import sys, nfc, ndef
      from nfc.clf import pn532, transport
      frontend = nfc.ContactlessFrontend()
      frontend.device = pn532.init(transport.TTY(sys.argv[1]))
      def connected(tag):
          tag.ndef.records = [ndef.UriRecord("https://example.com/t/1")]
          return False
      def connected_again(tag):
          print("found", tag.ndef.records[0].iri)
          return False
      for work in (connected, connected_again):
          frontend.connect(rdwr={"on-connect": work})
      frontend.close()
      """
    let sent = Mutex<[UInt8]>([])
    let board = SimulatedBoard(
      field: Field(try SimulatedTagSpec(parsing: name).tag(at: 0)),
      recorder: { frame in
        if frame.direction == .toChip { sent.withLock { $0 += frame.bytes } }
      })
    let port = try board.start()
    let result = try #require(Program.nfcpy).run(["-c", script, port], port: port)
    #expect(result.output.contains("found https://example.com/t/1"), "\(result.output)")
    var parser = FrameParser()
    let commands = sent.withLock { parser.feed($0) }
    #expect(commands.contains(.frame(.command([0x10, 0x07]))))
    #expect(commands.contains(.frame(.command([0x10, 0x04]))))
    #expect(board.exclusively { chip in chip.speed } == .baud115200)
    #expect(board.exclusively { chip in chip.powerMode } == .powerDown)
  }
}
