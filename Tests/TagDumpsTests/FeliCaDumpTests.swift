import Bytes
import TagMemory
import Testing

@testable import TagDumps

@Suite("Dumps of a FeliCa Lite and Lite-S")
struct FeliCaDumpTests {
  private static let idm: [UInt8] = [0x01, 0x2E, 0x4C, 0xE1, 0x02, 0x03, 0x04, 0x05]

  /// A tag with a message of 20 bytes; RC, MAC, CK and MAC_A are not known.
  private func dump(_ kind: LiteMemory.Kind) throws -> TagDump {
    let pmm = try Hex.bytes(kind == .lite ? "00F0000002060300" : "00F1000000014300")
    let known: [UInt16: [UInt8]] = [
      0: try Hex.bytes("100401000D0000000000010000140037"),
      1: [0xD1, 0x01, 0x10, 0x55] + Array("\u{4}example.com".utf8),
      2: Array("/t/1".utf8), 0x83: Self.idm + pmm, 0x85: [0x88, 0xB4],
      0x88: [0xFF, 0xFF, 0xFF, 0x01, 0x07],
    ]
    let bytes = kind.blocks.flatMap { block -> [UInt8?] in
      if LiteMemory.unreadable.contains(block) { return [UInt8?](repeating: nil, count: 16) }
      let start = known[block] ?? []
      return (start + [UInt8](repeating: 0, count: 16 - start.count)).map { $0 }
    }
    return TagDump(
      try #require(MemoryImage(.feliCaLite(kind), uid: UID(Self.idm), bytes: bytes)))
  }

  @Test("hold the message", arguments: LiteMemory.Kind.allCases)
  func message(_ kind: LiteMemory.Kind) throws {
    #expect(try dump(kind).image.message?.count == 20)
  }

  @Test(
    "come back from a file for Flipper Zero with what is not known",
    arguments: LiteMemory.Kind.allCases)
  func flipper(_ kind: LiteMemory.Kind) throws {
    let dump = try dump(kind)
    let file = try dump.serialize(as: .flipper)
    #expect(try TagDump(parsing: file) == dump)
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("Block ") } == 28)
    #expect(lines.contains("Block 0: 00 00 10 04 01 00 0D 00 00 00 00 00 01 00 00 14 00 37"))
    #expect(lines.contains("Block 22: FF A8" + String(repeating: " 00", count: 16)))
  }

  @Test("come back from bytes alone", arguments: LiteMemory.Kind.allCases)
  func raw(_ kind: LiteMemory.Kind) throws {
    let dump = try dump(kind)
    let again = try TagDump(parsing: try dump.serialize(as: .raw))
    #expect(again.image.layout == dump.image.layout && again.image.uid == dump.image.uid)
    #expect(again.image.bytes == dump.image.bytes.map { $0 ?? 0 })
  }

  @Test(
    "are refused where a format has no room for them",
    arguments: [DumpFormat.proxmark, .classicTool])
  func refused(_ format: DumpFormat) throws {
    let dump = try dump(.liteS)
    #expect(throws: DumpError.self) { try dump.serialize(as: format) }
  }

  @Test(
    "name what a file of Flipper Zero lacks",
    arguments: [
      ("Manufacture parameter: 01 20 00 00 00 00 00 00", "FeliCa Standard"),
      ("Manufacture parameter: 00 F1 00 00 00 00 00 00", "27"),
      ("IC Type: FeliCa Lite-S", "IDm and PMm"),
    ])
  func broken(_ line: String, _ word: String) {
    let text =
      "Filetype: Flipper NFC device\nVersion: 4\nDevice type: FeliCa\nManufacture id: 01 02 03 04 05 06 07 08\n\(line)\n"
      + (0..<20).map { "Block \($0): 00 00" + String(repeating: " 00", count: 16) }
      .joined(separator: "\n")
    do throws(DumpError) {
      _ = try TagDump(parsing: Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect("\(error)".contains(word) || word == "27" && "\(error)".contains("20 blocks"))
    }
  }
}
