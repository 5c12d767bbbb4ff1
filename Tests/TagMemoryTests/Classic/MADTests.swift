import Bytes
import TagMemory
import Testing

@Suite("The MIFARE application directory, AN10787 3")
struct MADTests {
  /// AN10787, 3.10.1, without the checksum.
  static let example = """
    01 0108 0108 0108 0000 0000 0000 0400 \
    0310 0310 0210 0210 0000 0000 0000 1130
    """

  func repeated(_ hex: String, _ count: Int) throws -> [UInt8] {
    let bytes = try Hex.bytes(hex)
    return (0..<count).flatMap { _ in bytes }
  }

  @Test(
    "checksums: info byte, AIDs, result",
    arguments: [
      (0x00, [("03E1", 15)], 0x0F), (0x01, [("03E1", 15)], 0x14),
      (0x00, [("03E1", 23)], 0x9E), (0x01, [("03E1", 23)], 0xE8),
      (0x00, [("03E1", 4), ("0500", 11)], 0xAF), (0x01, [("03E1", 4), ("0500", 11)], 0xB4),
      (0x00, [("03E1", 5), ("0000", 10)], 0xDF), (0x01, [("03E1", 5), ("0000", 10)], 0xC4),
      (0x00, [("03E1", 15), ("0500", 8)], 0x8F),
    ] as [(UInt8, [(String, Int)], UInt8)])
  func checksumRow(_ info: UInt8, _ aids: [(String, Int)], _ expected: UInt8) throws {
    let content = try aids.flatMap { try repeated($0.0, $0.1) }
    #expect(MAD.checksum([info] + content) == expected)
  }

  @Test("the example of AN10787 has the checksum 89h and its applications")
  func applicationNoteExample() throws {
    let content = try Hex.bytes(Self.example)
    #expect(content.count == 31)
    #expect(MAD.checksum(content) == 0x89)
    let mad = try MAD(parsing: [0x89] + content)
    #expect(mad.version == .one)
    #expect(mad.publisherSector == 1)
    #expect(mad[1] == MAD.AID(cluster: 0x08, application: 0x01))
    #expect(mad[4] == .free)
    #expect(mad[7] == .cardHolder)
    #expect(mad[15] == MAD.AID(cluster: 0x30, application: 0x11))
    #expect(mad[0] == nil)
    #expect(mad[16] == nil)
    #expect(mad[17] == nil)
    #expect(mad.serialize().flatMap(\.bytes) == [0x89] + content)
  }

  @Test(
    "the directory of a card that is all NDEF, block by block",
    arguments: [
      (
        Geometry.mini, MAD.Version.one,
        ["1 B401 03E103E103E103E1 050005000500", "2 05000500050005000500050005000500"]
      ),
      (
        .oneK, .one,
        ["1 1401 03E103E103E103E103E103E103E1", "2 03E103E103E103E103E103E103E103E1"]
      ),
      (
        .fourK, .one,
        ["1 1401 03E103E103E103E103E103E103E1", "2 03E103E103E103E103E103E103E103E1"]
      ),
      (
        .fourK, .two,
        [
          "1 1401 03E103E103E103E103E103E103E1", "2 03E103E103E103E103E103E103E103E1",
          "64 E801 03E103E103E103E103E103E103E1", "65 03E103E103E103E103E103E103E103E1",
          "66 03E103E103E103E103E103E103E103E1",
        ]
      ),
    ])
  func goldenBlocks(_ card: Geometry, _ version: MAD.Version, _ lines: [String]) throws {
    let blocks = MAD.ndef(on: card, version: version).serialize()
    #expect(blocks.count == lines.count)
    for (written, line) in zip(blocks, lines) {
      let cells = line.split(separator: " ", maxSplits: 1)
      #expect(written.block.index == UInt8(cells[0]))
      #expect(written.bytes == (try Hex.bytes(cells[1])))
    }
  }

  @Test("sectors 32 to 39 do not exist on a 2K card")
  func twoK() throws {
    let second = MAD.ndef(on: .twoK, version: .two).serialize().dropFirst(2).flatMap(\.bytes)
    let expected = try repeated("03E1", 15) + repeated("0500", 8)
    #expect(Array(second.dropFirst(2)) == expected)
    #expect(MAD.checksum([0] + expected) == 0x8F)
  }

  @Test("what is written is read again", arguments: Geometry.allCases)
  func roundTrip(_ card: Geometry) throws {
    let mad = MAD.ndef(on: card, version: card.madVersion)
    let bytes = mad.serialize().flatMap(\.bytes)
    let second = card.madVersion == .two ? Array(bytes[32...]) : nil
    #expect(try MAD(parsing: bytes[..<32], second: second) == mad)
    #expect(mad.nfcSectors(on: card) == card.nfcSectors(card.madVersion))
    #expect(mad.strayNFCSectors(on: card) == [])
    #expect(mad.entries.count == (card.madVersion == .two ? 38 : 15))
  }

  @Test("any flipped bit is found by the checksum")
  func everyFlip() {
    let bytes = MAD.ndef(on: .fourK, version: .two).serialize().flatMap(\.bytes)
    for bit in 0..<80 * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: TagMemoryError.self) {
        try MAD(parsing: damaged[..<32], second: Array(damaged[32...]))
      }
    }
  }

  @Test("a wrong checksum is named, and the directory can be read all the same")
  func wrongChecksum() throws {
    let bytes = try Hex.bytes("1401") + repeated("03E1", 14) + [0x00, 0x00]
    let computed = MAD.checksum(bytes[1...])
    #expect(throws: TagMemoryError.madChecksum(.mad, stored: 0x14, computed: computed)) {
      try MAD(parsing: bytes)
    }
    #expect(
      TagMemoryError.madChecksum(.mad, stored: 0x14, computed: 0x0F).description
        == "the MAD of sector 0 has the checksum 14h, its content gives 0Fh")
    let mad = try MAD(parsing: bytes, verifyingChecksum: false)
    #expect(mad.nfcSectors(on: .oneK).map(\.index) == Array(1...14))
    #expect(mad.serialize()[0].bytes[0] == computed)
  }

  @Test("the second part's checksum is checked as well")
  func wrongSecondChecksum() throws {
    var bytes = MAD.ndef(on: .fourK, version: .two).serialize().flatMap(\.bytes)
    bytes[32] = 0
    #expect(throws: TagMemoryError.madChecksum(.secondMAD, stored: 0, computed: 0xE8)) {
      try MAD(parsing: bytes[..<32], second: Array(bytes[32...]))
    }
  }

  @Test("parts of other lengths are refused")
  func lengths() {
    #expect(
      throws: TagMemoryError.wrongLength(format: "the MAD of sector 0", expected: 32, found: 31)
    ) { try MAD(parsing: Array(repeating: UInt8(0), count: 31)) }
    let first = MAD.ndef(on: .oneK, version: .one).serialize().flatMap(\.bytes)
    #expect(
      throws: TagMemoryError.wrongLength(format: "the MAD of sector 16", expected: 48, found: 32)
    ) { try MAD(parsing: first, second: first) }
  }

  @Test(
    "the info byte names the publisher's sector",
    arguments: [(0x00, nil), (0x01, 1), (0x27, 39), (0x28, nil), (0x10, nil), (0xC1, 1)]
      as [(UInt8, Sector?)])
  func publisher(_ info: UInt8, _ sector: Sector?) throws {
    let content = [info] + Array(repeating: 0, count: 30)
    #expect(try MAD(parsing: [MAD.checksum(content)] + content).publisherSector == sector)
  }
}
