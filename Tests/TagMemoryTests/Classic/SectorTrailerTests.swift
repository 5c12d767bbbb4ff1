import Bytes
import TagMemory
import Testing

@Suite("Sector trailers, MF1S50YYX_V1 8.6.3, AN10787 and AN1304")
struct SectorTrailerTests {
  static let golden: [(SectorTrailer, String)] = [
    (.transport, "FFFFFFFFFFFF FF0780 69 FFFFFFFFFFFF"),
    (.mad(.one, keyB: .factory), "A0A1A2A3A4A5 787788 C1 FFFFFFFFFFFF"),
    (.mad(.two, keyB: .factory), "A0A1A2A3A4A5 787788 C2 FFFFFFFFFFFF"),
    (.nfcReadWrite(keyB: .factory), "D3F7D3F7D3F7 7F0788 40 FFFFFFFFFFFF"),
    (.nfcReadOnly(keyB: .sampleB), "D3F7D3F7D3F7 078F0F 43 B0B1B2B3B4B5"),
  ]

  @Test("the trailers of NDEF formatting, byte for byte", arguments: golden)
  func goldenBytes(_ trailer: SectorTrailer, _ hex: String) throws {
    #expect(trailer.serialize() == (try Hex.bytes(hex)))
    #expect(try SectorTrailer(parsing: trailer.serialize()) == trailer)
  }

  @Test("a trailer as a card gives it, keys as zeros, agrees with what was written")
  func asRead() throws {
    let read = try SectorTrailer(
      parsing: Hex.bytes("000000000000 7F0788 40 000000000000"))
    #expect(read.keyA == .zeros)
    #expect(read.keyB == .zeros)
    #expect(read.agrees(with: .nfcReadWrite(keyB: .factory)))
    #expect(!read.agrees(with: .nfcReadOnly(keyB: .factory)))
    #expect(!read.agrees(with: .transport))
  }

  @Test("invalid access bits are no trailer")
  func invalidBits() throws {
    let bytes = try Hex.bytes("FFFFFFFFFFFF 000000 69 FFFFFFFFFFFF")
    #expect(throws: TagMemoryError.accessBitsDisagree([0, 0, 0])) {
      try SectorTrailer(parsing: bytes)
    }
  }

  @Test("sixteen bytes, no more, no fewer", arguments: [0, 15, 17])
  func wrongLength(_ count: Int) {
    #expect(
      throws: TagMemoryError.wrongLength(format: "a sector trailer", expected: 16, found: count)
    ) { try SectorTrailer(parsing: Array(repeating: UInt8(0xFF), count: count)) }
  }

  @Test(
    "the general purpose byte of sector 0",
    arguments: [
      (0xC1, true, true, MAD.Version.one), (0xC2, true, true, .two), (0x81, true, false, .one),
      (0x82, true, false, .two), (0x80, true, false, nil), (0xC3, true, true, nil),
      (0x69, false, true, nil), (0x00, false, false, nil), (0x01, false, false, nil),
    ] as [(UInt8, Bool, Bool, MAD.Version?)])
  func madByte(_ raw: UInt8, _ hasMAD: Bool, _ multi: Bool, _ version: MAD.Version?) {
    let byte = GeneralPurposeByte(rawValue: raw)
    #expect(byte.hasMAD == hasMAD)
    #expect(byte.isMultiApplication == multi)
    #expect(byte.madVersion == version)
  }

  @Test(
    "the general purpose byte of an NFC sector",
    arguments: [
      (0x40, 1, 0, true, true), (0x43, 1, 0, true, false), (0x4C, 1, 0, false, true),
      (0x91, 2, 1, true, false),
    ] as [(UInt8, UInt8, UInt8, Bool, Bool)])
  func nfcByte(_ raw: UInt8, _ major: UInt8, _ minor: UInt8, _ read: Bool, _ write: Bool) {
    let byte = GeneralPurposeByte(rawValue: raw)
    #expect(byte.majorVersion == major)
    #expect(byte.minorVersion == minor)
    #expect(byte.isReadFree == read)
    #expect(byte.isWriteFree == write)
  }
}

@Suite("Keys, UID and manufacturer block of a MIFARE Classic")
struct ClassicIdentityTests {
  @Test("a survey tries the likeliest keys first, each once")
  func surveyOrder() throws {
    let own = try #require(Key(Hex.bytes("112233445566")))
    #expect(
      KeyCandidate.surveyOrder(keys: [own, .factory]).map(\.description) == [
        "key A with the factory key", "key A with the NFC key", "key A with the MAD key",
        "key B with the factory key", "key A with a key of yours", "key B with a key of yours",
        "key B with the NFC key", "key A with the all-zero key", "key A with the sample key B",
        "key B with the sample key B",
      ])
  }

  @Test("what opened the sector before goes first")
  func expected() {
    let order = KeyCandidate.surveyOrder(expecting: [KeyCandidate(.b, .factory)])
    #expect(order.first == KeyCandidate(.b, .factory))
    #expect(order.count == Set(order).count)
    #expect(order.count == 8)
  }

  @Test("authentication carries the last four bytes of the UID")
  func authenticationBytes() {
    #expect(UID([1, 2, 3, 4]).authenticationBytes == [1, 2, 3, 4])
    #expect(UID([1, 2, 3, 4, 5, 6, 7]).authenticationBytes == [4, 5, 6, 7])
  }

  @Test("block 0 of a card with a 4-byte UID has a check byte")
  func fourBytes() throws {
    var bytes = try Hex.bytes("01020304 04 08 0400 6263646566676869")
    let block = try ManufacturerBlock(parsing: bytes, hasSevenByteUID: false)
    #expect(block.uid == UID([1, 2, 3, 4]))
    #expect(block.isCheckByteRight)
    #expect(block.sak == 0x08)
    #expect(block.atqa == 0x0004)
    bytes[4] ^= 0x10
    #expect(try !ManufacturerBlock(parsing: bytes, hasSevenByteUID: false).isCheckByteRight)
  }

  @Test("block 0 of a card with a 7-byte UID has none")
  func sevenBytes() throws {
    let bytes = try Hex.bytes("04010203040506 18 4200 626364656667")
    let block = try ManufacturerBlock(parsing: bytes, hasSevenByteUID: true)
    #expect(block.uid.bytes.count == 7)
    #expect(block.isCheckByteRight)
    #expect(block.sak == 0x18)
    #expect(block.atqa == 0x0042)
  }

  @Test("other lengths are refused")
  func lengths() {
    #expect(
      throws: TagMemoryError.wrongLength(format: "a manufacturer block", expected: 16, found: 3)
    ) { try ManufacturerBlock(parsing: [1, 2, 3], hasSevenByteUID: false) }
  }
}
