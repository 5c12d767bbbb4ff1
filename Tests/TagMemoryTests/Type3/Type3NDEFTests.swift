import Bytes
import Testing

@testable import TagMemory

@Suite("NDEF on Type 3 tags, in CoreNFC's words")
struct Type3NDEFTests {
  /// Attribute block, memory configuration (empty: the tag has none), whether it answers to 12FC;
  /// status, capacity, message length, codes of the faults.
  static let table: [(String, String, Bool, NDEFStatus, Int?, Int?, [String])] = [
    ("10040100 0D000000 00000100 00140037", "FFFFFF01", true, .readWrite, 208, 20, []),
    ("10040100 0D000000 00000000 00140036", "FFFFFF01", true, .readOnly, 208, 20, []),
    (
      "10040100 0D000000 000F0100 00000032", "FFFFFF01", true, .readWrite, 208, nil,
      ["half-written"]
    ),
    (
      "10040100 0D000000 00000100 00140037", "0040FF01", true, .readOnly, 208, 20, ["locked-blocks"]
    ),
    (
      "10040100 0D000000 00000100 00140037", "FFDFFF01", true, .readOnly, 208, 20, ["locked-blocks"]
    ),
    ("10040100 05000000 00000100 0014002F", "FFDFFF01", true, .readWrite, 80, 20, []),
    (
      "10040100 0D000000 00000100 00140037", "FFFFFF01070000000200", true, .readOnly, 208, 20,
      ["card-key"]
    ),
    (
      "10040100 0D000000 00000100 00140037", "FFFFFF0107000200", true, .notSupported, 208, 20,
      ["card-key"]
    ),
    (
      "10040100 0D000000 00000100 00140037", "FFFFFF00", false, .notSupported, nil, nil,
      ["not-ndef"]
    ),
    (
      "00000000 00000000 00000000 00000000", "FFFFFF00", false, .notSupported, nil, nil,
      ["not-ndef", "attribute-blank"]
    ),
    (
      "10040100 20000000 00000100 0000 0036", "FFFFFF01", true, .readWrite, 208, 0,
      ["attribute-room"]
    ),
    (
      "10040100 0D000000 00000100 00D200F5", "FFFFFF01", true, .readWrite, 208, nil,
      ["attribute-length"]
    ),
    ("100C0801 00000000 00000100 10000036", "", true, .readWrite, 4096, 4096, []),
    ("100C0001 00000000 00000100 1000002E", "", true, .readOnly, 4096, 4096, ["attribute-blocks"]),
    (
      "10040100 0D000000 00000100 00140000", "", true, .notSupported, nil, nil,
      ["attribute-checksum"]
    ),
    (
      "10000100 0D000000 00000100 00140033", "", true, .notSupported, nil, nil, ["attribute-blocks"]
    ),
    ("10FF FFFF FF000000 00000100 00000 40D", "", true, .readWrite, 1_048_560, 0, []),
  ]

  @Test("judges each", arguments: table)
  func judges(
    _ block: String, _ rights: String, _ answers: Bool, _ status: NDEFStatus, _ capacity: Int?,
    _ length: Int?, _ codes: [String]
  ) throws {
    let bytes = try Hex.bytes(rights.filter { $0 != " " })
    let configuration = MemoryConfiguration(
      parsing: bytes + [UInt8](repeating: 0, count: max(0, 16 - bytes.count)), of: .liteS)
    let found = Type3NDEF(
      block0: try Hex.bytes(block.filter { $0 != " " }),
      configuration: bytes.isEmpty ? nil : configuration, answersNDEF: answers)
    #expect(found.status == status)
    #expect(found.capacity == capacity)
    #expect(found.messageLength == length)
    #expect(found.faults.map(\.code) == codes)
    for fault in found.faults { #expect(!"\(fault)".isEmpty) }
  }

  @Test(
    "knows a chip by the second byte of its PMm",
    arguments: [
      ("00F0000000014300", "felica-lite"), ("00F1000000014300", "felica-lite-s"),
      ("00F2000000014300", "felica-link"), ("01200123456789AB", "felica-standard"),
      ("0114000000000000", "felica-mobile"), ("00E0000000000000", "felica-plug"),
      ("00E1000000000000", "felica-plug"), ("0077000000000000", "felica"), ("F1", "felica"),
    ])
  func chips(_ pmm: String, _ name: String) throws {
    let chip = FeliCaChip(pmm: try Hex.bytes(pmm))
    #expect(chip.product.name == name)
    #expect(Product.named(name)?.memory == .type3)
    #expect(chip.isLite == ["felica-lite", "felica-lite-s", "felica-link"].contains(name))
  }

  @Test("names the blocks of a Lite-S as Sony does, and no others")
  func names() {
    #expect(LiteMemory.Kind.liteS.blocks.allSatisfy { LiteMemory.name(of: $0) != nil })
    #expect(LiteMemory.name(of: 0) == "S_PAD0" && LiteMemory.name(of: 0x88) == "MC")
    #expect([0x0F, 0x7F, 0x89, 0x93, 0xFFFF].allSatisfy { LiteMemory.name(of: $0) == nil })
  }
}
