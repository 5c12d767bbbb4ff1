import TagMemory
import Testing

@Suite("Memory of a MIFARE Classic, MF1S50YYX_V1 and MF1S70YYX_V1 8.6")
struct GeometryTests {
  @Test(
    "sizes, NFC sectors and capacities of every card",
    arguments: [
      (Geometry.mini, MAD.Version.one, 5, 20, 4, 192, 190),
      (.oneK, .one, 16, 64, 15, 720, 716),
      (.twoK, .two, 32, 128, 30, 1440, 1436),
      (.fourK, .two, 40, 256, 38, 3360, 3356),
      (.fourK, .one, 40, 256, 15, 720, 716),
    ])
  func sizes(
    _ card: Geometry, _ mad: MAD.Version, _ sectors: Int, _ blocks: Int, _ nfc: Int, _ area: Int,
    _ capacity: Int
  ) {
    #expect(card.sectorCount == sectors)
    #expect(card.sectors.count == sectors)
    #expect(card.blocks.count == blocks)
    #expect(card.nfcSectors(mad).count == nfc)
    #expect(card.ndefArea(mad).byteCount == area)
    #expect(card.ndefArea(mad).capacity == capacity)
  }

  @Test(
    "the select acknowledge names the card",
    arguments: [
      (0x09, Geometry.mini), (0x08, .oneK), (0x88, .oneK), (0x28, .oneK), (0x19, .twoK),
      (0x18, .fourK), (0x38, .fourK), (0x00, nil), (0x20, nil),
    ] as [(UInt8, Geometry?)])
  func sak(_ sak: UInt8, _ card: Geometry?) {
    #expect(Geometry(sak: sak) == card)
  }

  @Test("blocks follow each other through all sectors, and each knows its own")
  func blocks() {
    #expect(Geometry.fourK.blocks.map { Int($0.index) } == Array(0...255))
    for sector in Geometry.fourK.sectors {
      for block in sector.blocks {
        #expect(block.sector == sector)
        #expect(block.isTrailer == (block == sector.trailer))
        #expect((block.group == nil) == block.isTrailer)
      }
    }
  }

  @Test(
    "first block and trailer of a sector",
    arguments: [
      (0, 0, 3), (1, 4, 7), (15, 60, 63), (16, 64, 67), (31, 124, 127), (32, 128, 143),
      (39, 240, 255),
    ] as [(Sector, Block, Block)])
  func places(_ sector: Sector, _ first: Block, _ trailer: Block) {
    #expect(sector.firstBlock == first)
    #expect(sector.trailer == trailer)
  }

  @Test("data goes neither to trailers nor to block 0")
  func dataBlocks() {
    #expect(Sector.mad.dataBlocks == [1, 2])
    #expect((5 as Sector).dataBlocks == [20, 21, 22])
    #expect((39 as Sector).dataBlocks.map(\.index) == Array(240...254))
  }

  @Test("a sector of sixteen blocks has three groups of five")
  func groups() {
    #expect((1 as Sector).blocks.map(\.group) == [.first, .second, .third, nil])
    #expect(
      (32 as Sector).blocks.map(\.group)
        == [BlockGroup?](repeating: .first, count: 5) + Array(repeating: .second, count: 5)
        + Array(repeating: .third, count: 5) + [nil])
  }

  @Test("there is no sector 40 and no sector -1", arguments: [-1, 40, .max])
  func noSector(_ index: Int) {
    #expect(Sector(index) == nil)
  }

  @Test("a card contains its own sectors and blocks only")
  func contains() {
    #expect(Geometry.oneK.contains(15 as Sector))
    #expect(!Geometry.oneK.contains(16 as Sector))
    #expect(Geometry.mini.contains(19 as Block))
    #expect(!Geometry.mini.contains(20 as Block))
  }
}

@Suite("The NDEF area of a MIFARE Classic, AN1304 3")
struct NDEFAreaTests {
  @Test(
    "area bytes skip trailers and sector 16",
    arguments: [
      (0, 4, 0), (15, 4, 15), (16, 5, 0), (47, 6, 15), (48, 8, 0), (717, 62, 13), (720, 68, 0),
      (1440, 128, 0), (1440 + 239, 142, 15), (1440 + 240, 144, 0), (3359, 254, 15),
    ] as [(Int, Block, Int)])
  func mapping(_ offset: Int, _ block: Block, _ byte: Int) throws {
    let area = Geometry.fourK.ndefArea(.two)
    let location = try #require(area.location(of: offset))
    #expect(location.block == block)
    #expect(location.byte == byte)
    #expect(area.offset(of: block) == offset - byte)
  }

  @Test("beyond the area there is nothing")
  func beyond() {
    let area = Geometry.oneK.ndefArea(.one)
    #expect(area.location(of: 720) == nil)
    #expect(area.location(of: -1) == nil)
    #expect(area.offset(of: 7) == nil)
    #expect(area.offset(of: 1) == nil)
    #expect(NDEFArea([]).capacity == nil)
    #expect(NDEFArea([]).blocks(holding: 0..<10).isEmpty)
  }

  @Test("a message of 300 bytes takes blocks 4 to 29 without the trailers")
  func blocksHolding() {
    let area = Geometry.oneK.ndefArea(.one)
    let blocks = area.blocks(holding: 0..<305)
    #expect(blocks.count == 20)
    #expect(blocks.last == 29)
    #expect(blocks.allSatisfy { !$0.isTrailer })
    #expect(area.blocks(holding: 47..<49) == [6, 8])
    #expect(area.blocks(holding: 700..<9999).last == 62)
    #expect(area.blocks(holding: 3..<3).isEmpty)
  }

  /// Proprietary data in front puts the message's header on every side of block and sector bounds.
  @Test("a message is found again wherever blocks and sectors end", arguments: 0...60)
  func throughBlocks(_ padding: Int) throws {
    let area = Geometry.fourK.ndefArea(.two)
    let leading = [0xFD, UInt8(padding)] + [UInt8](repeating: 0xDD, count: padding)
    let message = (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let layout = try TLVLayout(message: message, in: area.tlvArea, leading: leading)

    var card: [Block: [UInt8]] = [:]
    for (offset, byte) in layout.applied(to: leading).enumerated() {
      let place = try #require(area.location(of: offset))
      card[place.block, default: Array(repeating: 0, count: 16)][place.byte] = byte
    }
    #expect(card.keys.allSatisfy { !$0.isTrailer && $0.sector != .mad && $0.sector != .secondMAD })
    #expect(card.keys.sorted() == Array(area.blocks(holding: 0..<layout.endOffset)))

    let stored = area.blocks.flatMap { card[$0] ?? [] }
    let scan = TLVScan(stored, of: area.tlvArea)
    #expect(scan.message?.value == message)
    #expect(scan.message?.offset == leading.count)
    #expect(scan.terminator == layout.terminatorOffset)
  }

  @Test("sectors are taken in ascending order, each once")
  func order() {
    #expect(NDEFArea([3, 1, 2, 1]).sectors == [1, 2, 3])
    #expect(NDEFArea([3, 1]).blocks == [4, 5, 6, 12, 13, 14])
  }

  @Test(
    "with an unusable sector the area is the run with most room",
    arguments: [
      (Geometry.oneK, [], Array(1...15)),
      (.oneK, [10], Array(1...9)),  // 9 before, 5 behind
      (.oneK, [3], Array(4...15)),
      (.oneK, [8], Array(1...7)),  // 7 on either side: the first
      (.oneK, [5, 11], [6, 7, 8, 9, 10]),
      (.fourK, [17], Array(18...39)),
      (.fourK, [38], Array(1...15) + Array(17...37)),
      (.fourK, [16], Array(1...15) + Array(17...39)),  // the directory's own, no matter here
      (.mini, [1, 2, 3, 4], []),
    ] as [(Geometry, [Int], [Int])])
  func unusable(_ card: Geometry, _ unusable: [Int], _ expected: [Int]) {
    let sectors = card.nfcSectors(card.madVersion, without: Set(unusable.compactMap { Sector($0) }))
    #expect(sectors.map(\.index) == expected)
  }

  @Test("room counts in bytes, not in sectors")
  func bySize() {
    // Sectors 1–15 and 17–30 against 32–39: 29 small sectors have 1392 bytes, 8 large ones 1920.
    #expect(Geometry.fourK.nfcSectors(.two, without: [31]).map(\.index) == Array(32...39))
  }
}
