import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("Identification of a tag")
struct IdentificationTests {
  static let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
  static let ultralightFamily = Activation(atqa: 0x0044, sak: 0x00, uid: uid)

  /// Pages 0 to 3 of a blank tag with that UID, then pages that name themselves.
  static func memory(_ pages: Int, container: [UInt8] = [0, 0, 0, 0]) throws -> [UInt8] {
    let head = try #require(uid.type2Bytes) + [0x48, 0, 0] + container
    return head + (4..<max(pages, 4)).flatMap { [UInt8($0), UInt8($0), 0x55, 0xAA] }
  }

  /// What READ returns: four pages, rolling over behind page `last`; nil (NAK) beyond it.
  static func read(_ page: Int, of memory: [UInt8], last: Int) -> Identification.Reply {
    guard page <= last else { return .refused }
    let pages = (page..<page + 4).map { $0 <= last ? $0 : $0 - last - 1 }
    return .answer(pages.flatMap { Array(memory[$0 * 4..<$0 * 4 + 4]) })
  }

  /// Runs an identification to its end; `answer` is the tag.
  static func identify(
    _ activation: Activation = ultralightFamily,
    _ answer: (Identification.Probe) -> Identification.Reply
  ) -> (Identification, [Identification.Probe]) {
    var identification = Identification(.typeA(activation))
    var probes: [Identification.Probe] = []
    while case .probe(let probe) = identification.next, probes.count < 10 {
      probes.append(probe)
      identification.take(answer(probe))
    }
    return (identification, probes)
  }

  static let versions = """
    0004030101000B03 ultralight-ev1-11
    0004030201000B03 ultralight-ev1-11
    0004030101000E03 ultralight-ev1-21
    0004030201000E03 ultralight-ev1-21
    0004030102000B03 ultralight-nano
    0004030202000B03 ultralight-nano
    0004030104000F03 ultralight-aes
    0004030204000F03 ultralight-aes
    0004040101000B03 ntag210
    0004040201000B03 ntag210
    0004040102000B03 ntag210u
    0004040202000B03 ntag210u
    0004040101000E03 ntag212
    0004040201000F03 ntag213
    0004040201001103 ntag215
    0004040201001303 ntag216
    0004040401000F03 ntag213f
    0004040401001103 ntag215f
    0004040401001303 ntag216f
    0004040101000F03 ntag213f
    0004040101001203 ntag216f
    0004040201010F03 ntag213c
    0004040203000F03 ntag213tt
    0004030301000B03 ultralight-ev1-11
    0004030301000E03 ultralight-ev1-21
    0004030103000B03 ultralight-nano
    0004040204000F03 ntag223
    0004040205001003 ntag224
    0004040804000F03 ntag223
    0004040805001003 ntag224
    0004040502001303 ntag-i2c-1k
    0004040502001503 ntag-i2c-2k
    0004040502011303 ntag-i2c-1k
    0004040502011503 ntag-i2c-2k
    0004040502021303 ntag-i2c-plus-1k
    0004040502021503 ntag-i2c-plus-2k
    0034210101000E03 ultralight-ev1-21
    0053040201000F03 ntag213
    0005340201001103 ntag215
    """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

  @Test("takes GET_VERSION's answer for the product", arguments: versions)
  func version(_ row: [String]) throws {
    let bytes = try Hex.bytes(row[0])
    let (identification, probes) = Self.identify { _ in .answer(bytes) }
    #expect(probes == [.getVersion])
    guard case .identified(let product) = identification.next else {
      Issue.record("\(identification.next)")
      return
    }
    #expect(product.name == row[1])
    #expect(identification.version?.bytes == bytes)
    #expect(!identification.needsSelection)
    #expect(identification.remarks.isEmpty == (product.manufacturer == .nxp))
  }

  @Test("knows every answer by one row only")
  func distinctVersions() throws {
    for row in Self.versions {
      let bytes = try Hex.bytes(row[0])
      #expect(VersionAnswer.table.filter { $0.matches(bytes) }.count == 1, "\(row)")
    }
  }

  @Test(
    "decides by SAK where that is enough",
    arguments: [
      (0x08, 0x0004, "classic1k"), (0x08, 0x0044, "classic1k"), (0x88, 0x0004, "classic1k"),
      (0x28, 0x0004, "classic1k"), (0x09, 0x0004, "mini"), (0x18, 0x0002, "classic4k"),
      (0x18, 0x0042, "classic4k"), (0x38, 0x0002, "classic4k"), (0x19, 0x0004, "classic2k"),
      (0x01, 0x0F01, "classic1k"), (0x0A, 0x0002, "classic1k"), (0x53, 0x0004, "classic1k"),
      (0x89, 0x0004, "mini"), (0x98, 0x0002, "classic4k"), (0x20, 0x0344, "type4"),
      (0x60, 0x0344, "type4"), (0x24, 0x0004, "type4"),
    ] as [(UInt8, UInt16, String)])
  func sak(_ sak: UInt8, _ atqa: UInt16, _ name: String) {
    let activation = Activation(atqa: atqa, sak: sak, uid: Self.uid, hasATS: name == "type4")
    let identification = Identification(.typeA(activation))
    let next = identification.next
    // Whoever names it a Classic also knows its layout, and what other makers' SAKs say; a
    // telephone is named.
    #expect((Geometry(sak: sak) == nil) == (name == "type4"))
    let isCard = [0x08, 0x09, 0x18, 0x19].contains(sak) || name == "type4" && sak != 0x60
    #expect(identification.remarks.isEmpty == isCard)
    #expect(next == Product.named(name).map(Identification.Step.identified))
  }

  @Test("names whose SAK it is where that is not NXP's")
  func strangers() {
    #expect(
      Identification(.typeA(Activation(atqa: 0x0004, sak: 0x53, uid: Self.uid))).remarks == [
        "SAK 53 belongs to a Fudan FM11RF08SH; the program treats it as a MIFARE Classic."
      ])
  }

  @Test("says why it does not know a SAK")
  func strangeSAK() {
    #expect(
      Identification(.typeA(Activation(atqa: 0x0A0B, sak: 0x40, uid: Self.uid))).next
        == .unknown(
          reason: "It is a peer (NFC-DEP) such as a phone, not a tag."))
    #expect(
      Identification(.typeA(Activation(atqa: 0x0A0B, sak: 0x13, uid: Self.uid))).next
        == .unknown(
          reason: "SAK 13 with ATQA 0A0B do not belong to a tag that this program knows."))
    guard
      case .unknown = Identification(.typeA(Activation(atqa: 0x0044, sak: 0x11, uid: Self.uid)))
        .next
    else {
      Issue.record("a MIFARE Plus in security level 2")
      return
    }
  }

  @Test("names the maker of a copy")
  func copies() throws {
    func remarks(first: UInt8, version: String) throws -> [String] {
      let uid = UID([first, 1, 2, 3, 4, 5, 6])
      let bytes = try Hex.bytes(version)
      return Self.identify(Activation(atqa: 0x44, sak: 0, uid: uid)) { _ in .answer(bytes) }.0
        .remarks
    }
    #expect(
      try remarks(first: 0x1D, version: "0004040201000F03") == [
        "It answers as NTAG213, but the first byte of its UID belongs to Shanghai Fudan: probably a copy."
      ])
    #expect(
      try remarks(first: 0x53, version: "0053040201000F03") == [
        "It is a copy by Shanghai Feiju; the program treats it as the chip it copies."
      ])
    #expect(try remarks(first: 0x04, version: "0004040201000F03") == [])
  }

  @Test("knows a FeliCa Lite by the chip code in its PMm")
  func feliCa() {
    #expect(Identification.feliCa(pmm: [0x00, 0xF1, 0, 0, 0, 0, 0, 0]) == .feliCaLiteS)
    #expect(Identification.feliCa(pmm: [0x00, 0xF0, 0, 0, 0, 0, 0, 0]) == .feliCaLite)
    #expect(Identification.feliCa(pmm: [0x01, 0x20, 0, 0, 0, 0, 0, 0]) == .feliCaStandard)
    #expect(Identification.feliCa(pmm: [0x01, 0x77, 0, 0, 0, 0, 0, 0]) == .feliCa)
    #expect(Identification.feliCa(pmm: []) == .feliCa)
  }

  @Test("ends within five probes whatever a tag answers")
  func hostile() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<3_000 {
      let uid = UID(
        (0..<[4, 7, 10].randomElement(using: &random)!).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
      let activation = Activation(
        atqa: 0x44, sak: UInt8.random(in: 0...255, using: &random), uid: uid)
      let (identification, probes) = Self.identify(activation) { _ in
        switch Int.random(in: 0...4, using: &random) {
        case 0: .silence
        case 1: .refused
        default:
          .answer(
            (0..<[0, 1, 8, 9, 16].randomElement(using: &random)!).map { _ in
              UInt8.random(in: 0...255, using: &random)
            })
        }
      }
      #expect(probes.count <= 5)
      if case .probe = identification.next { Issue.record("still asking") }
    }
  }
}
