import SeededNumbers
import TagMemory
import Testing

@Suite("NFC sectors in a MAD, AN1304 6.1")
struct MADBuildTests {
  @Test("the area is one run from the lowest NFC sector, sector 16 may stand between")
  func contiguous() {
    let mad = MAD(for: .fourK, version: .two, nfc: [14, 15, 17, 18, 20, 39])
    #expect(mad.nfcSectors(on: .fourK) == [14, 15, 17, 18])
    #expect(mad.strayNFCSectors(on: .fourK) == [20, 39])
  }

  @Test("sectors that the card does not have are not used")
  func smallerCard() {
    let mad = MAD.ndef(on: .fourK, version: .two)
    #expect(mad.nfcSectors(on: .oneK).map(\.index) == Array(1...15))
    #expect(mad.nfcSectors(on: .mini).map(\.index) == Array(1...4))
  }

  @Test("a card without NFC sectors has no area")
  func none() {
    let mad = MAD(for: .oneK, version: .one, nfc: [])
    #expect(mad.nfcSectors(on: .oneK) == [])
    #expect(mad.strayNFCSectors(on: .oneK) == [])
  }

  @Test("a defective sector is marked, and the area ends before it")
  func defect() {
    let area = Geometry.oneK.nfcSectors(.one, without: [10])
    let mad = MAD(for: .oneK, version: .one, nfc: area, defect: [10])
    #expect(mad[9] == .nfc)
    #expect(mad[10] == .defect)
    #expect(mad[11] == .free)
    #expect(mad.nfcSectors(on: .oneK) == area)
  }

  @Test("a sector that is both is defect")
  func defectWins() {
    #expect(MAD(for: .oneK, version: .one, nfc: [1, 2], defect: [2])[2] == .defect)
  }

  @Test("other applications keep their sectors, old NFC entries do not")
  func keeping() throws {
    let content: [UInt8] =
      [0x05] + [0x62, 0x20, 0x03, 0xE1, 0x05, 0x00, 0x04, 0x00, 0x01, 0x00]
      + Array(repeating: 0, count: 20)
    let existing = try MAD(parsing: [MAD.checksum(content)] + content)
    let mad = MAD(
      for: .fourK, version: .two, nfc: [6, 7, 8], keeping: existing)
    #expect(mad[1] == MAD.AID(cluster: 0x20, application: 0x62))
    #expect(mad[2] == .free)
    #expect(mad[3] == .free)
    #expect(mad[4] == .cardHolder)
    #expect(mad[5] == .defect)
    #expect(mad[6] == .nfc)
    #expect(mad[17] == .free)
    #expect(mad.first.info == 0x05)
    #expect(mad.second?.info == 0x01)
    #expect(mad.publisherSector == 5)
  }

  @Test(
    "entries are named, and other applications are told apart",
    arguments: [
      (MAD.AID.free, "free", false), (.defect, "defect", false), (.reserved, "reserved", true),
      (.directoryInfo, "directory information", true), (.cardHolder, "card holder", true),
      (.notApplicable, "not on this card", false), (.nfc, "NFC", false),
      (
        MAD.AID(cluster: 0x20, application: 0x62),
        "application 62h of cluster 20h (bus services)", true
      ),
      (
        MAD.AID(cluster: 0xE1, application: 0x04), "application 04h of cluster E1h (NFC Forum)",
        true
      ),
      (
        MAD.AID(cluster: 0x03, application: 0xE1),
        "application E1h of cluster 03h (miscellaneous applications)", true
      ),
      (MAD.AID(cluster: 0x66, application: 0x01), "application 01h of cluster 66h", true),
    ])
  func names(_ aid: MAD.AID, _ name: String, _ isForeign: Bool) {
    #expect(aid.description == name)
    #expect(aid.isForeign == isForeign)
  }

  @Test("a card holder's fields")
  func cardHolder() {
    let bytes: [UInt8] =
      [0x04] + Array("Doe".utf8) + [0] + [0x45] + Array("Jane".utf8) + [0]
      + [0x82, 0x46, 0, 0xC3, 0xFF, 0x41, 0] + [0, 0x02, 0x41]
    let fields = MAD.CardHolder(parsing: bytes).fields
    #expect(fields.map(\.kind) == [.surname, .givenName, .sex, .other])
    #expect(fields.map(\.text) == ["Doe", "Jane", "F", "\u{FFFD}A"])
  }

  @Test("card holder bytes of any content end", arguments: 0..<100)
  func hostileCardHolder(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let fields = MAD.CardHolder(parsing: bytes).fields
    #expect(fields.reduce(0) { $0 + 1 + $1.text.count } <= 48)
    #expect(MAD.CardHolder(parsing: [0x05, 0x41]).fields.isEmpty)
  }

  @Test("the info byte of a part stays where its first block was written whole, or but for one bit")
  func keepsInfo() throws {
    let directory = MAD.ndef(on: .fourK, version: .two)
    for (sector, change) in [(Sector.mad, 2), (.secondMAD, 7)] {
      // What a write of that part alone with this info byte leaves in its first block.
      let content =
        [UInt8(change)]
        + directory.serialize().filter { $0.block.sector == sector }
        .flatMap(\.bytes).dropFirst(2)
      let whole = [MAD.checksum(content)] + content.prefix(15)
      func info(_ first: [UInt8]) -> (UInt8, UInt8?) {
        let kept = directory.keepingInfo { $0 == sector.dataBlocks[0] ? first : nil }
        return (kept.first.info, kept.second?.info)
      }
      #expect(info(whole) == (sector == .mad ? (2, 1) : (1, 7)))
      for index in whole.indices {
        var torn = whole
        torn[index] ^= 0x10
        let isTold = index < 2
        #expect(info(torn) == (isTold ? info(whole) : (1, 1)), "byte \(index)")
        for bit in 0..<8 where isTold {
          var single = whole
          single[index] ^= 1 << bit
          #expect(info(single) == info(whole), "byte \(index), bit \(bit)")
        }
        guard index != 1 else { continue }
        torn[index] ^= 0x03
        #expect(info(torn) == (1, 1), "byte \(index), three bits")
      }
    }
  }
}
