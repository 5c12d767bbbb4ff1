import Testing

@testable import TagMemory

@Suite("Targets: ISO/IEC 14443-3 type A and B, JIS X 6319-4, NFC Forum Type 1")
struct TargetTests {
  static let fleeting: [UInt8] = [0x08, 0x01, 0x02, 0x03]
  static let lite: [UInt8] = [0x00, 0xF0, 0x00, 0x00, 0x02, 0x06, 0x03, 0x00]
  static let typeA = Target.typeA(Activation(atqa: 0x0004, sak: 0x08, uid: UID(fleeting)))
  static let typeB = Target.typeB(
    TypeBActivation(
      pupi: fleeting, applicationData: [0, 0, 0, 0], protocolInfo: [0x00, 0x81, 0x81]))
  static let topaz = Target.topaz(TopazActivation(atqa: 0x0C00, uid: fleeting))

  static func feliCa(_ idm: [UInt8], pmm: [UInt8] = lite) -> Target {
    .feliCa(FeliCaActivation(idm: idm, pmm: pmm, systemCode: 0x12FC, bitRate: .kbit212))
  }

  @Test(
    "Only type A marks a UID that changes with each power; the same bytes of others say nothing")
  func random() {
    #expect(Self.typeA.hasRandomUID)
    #expect(!Self.typeB.hasRandomUID)
    #expect(!Self.topaz.hasRandomUID)
    #expect([Self.typeA, Self.typeB, Self.topaz].allSatisfy { $0.uid == UID(Self.fleeting) })
    #expect(Self.feliCa([1, 2, 3, 4, 5, 6, 7, 8]).uid == UID(1...8))
  }

  @Test("A SAK belongs to type A, and without one no tag is a MIFARE Classic")
  func acknowledge() {
    #expect(Self.typeA.sak == 0x08 && Geometry(Self.typeA) == .oneK)
    for other in [Self.typeB, Self.topaz, Self.feliCa([1, 2, 3, 4, 5, 6, 7, 8])] {
      #expect(other.sak == nil && other.typeA == nil && Geometry(other) == nil)
    }
  }

  @Test("Whatever a card says, what is in ISO-DEP is no MIFARE Classic")
  func classics() {
    for sak in UInt8.min...UInt8.max {
      // An answer to RATS may be its length alone.
      for (ats, hasATS) in [([], false), ([], true), ([0x75, 0x77, 0x81, 0x02, 0x80], true)]
        as [([UInt8], Bool)]
      {
        let card = Target.typeA(
          Activation(atqa: 0x0344, sak: sak, uid: UID(1...7), ats: ats, hasATS: hasATS))
        let family = Identification.Family(card)
        let isClassic = if case .classic = family { true } else { false }
        #expect((Geometry(card) != nil) == isClassic, "\(sak)")
        #expect(!card.hasAnsweredRATS || family == .type4, "\(sak)")
      }
    }
  }

  @Test("ISO-DEP: SAK bit 5 of type A, the protocol type of type B, never FeliCa and Topaz")
  func protocols() {
    #expect(!Self.typeA.speaksISODEP)
    #expect(Target.typeA(Activation(atqa: 0x0344, sak: 0x20, uid: UID(1...7))).speaksISODEP)
    #expect(Self.typeB.speaksISODEP)
    let bare = TypeBActivation(
      pupi: Self.fleeting, applicationData: [0, 0, 0, 0], protocolInfo: [0x00, 0x80, 0x81])
    #expect(!Target.typeB(bare).speaksISODEP)
    #expect(!Self.topaz.speaksISODEP && !Self.feliCa([1, 2, 3, 4, 5, 6, 7, 8]).speaksISODEP)
  }

  @Test(
    "The second byte of the PMm tells the FeliCa chip",
    arguments: [(0xF0, "felica-lite"), (0xF1, "felica-lite-s"), (0x20, "felica-standard")])
  func feliCaProduct(_ code: UInt8, _ name: String) {
    let tag = Self.feliCa([1, 2, 3, 4, 5, 6, 7, 8], pmm: [0x00, code, 0, 0, 0, 0, 0, 0])
    guard case .identified(let product) = Identification(tag).next else {
      Issue.record("not identified")
      return
    }
    #expect(product.name == name)
  }

  @Test("A telephone that emulates a card is named beside its family; a card is not")
  func telephone() {
    let phone = Identification(
      .typeA(Activation(atqa: 0x0004, sak: 0x60, uid: UID(Self.fleeting), ats: [0x78])))
    #expect(phone.remarks.count == 1 && phone.remarks[0].contains("phone"))
    #expect(phone.next == .identified(.type4))
    let card = Identification(
      .typeA(Activation(atqa: 0x0344, sak: 0x20, uid: UID(1...7), ats: [0x78])))
    #expect(card.remarks.isEmpty)
  }

  @Test("What is no tag that can be written here is named: a peer, type B, Topaz")
  func strangers() {
    for (target, word) in [
      (Self.feliCa([0x01, 0xFE, 3, 4, 5, 6, 7, 8]), "peer"), (Self.typeB, "type B"),
      (Self.topaz, "Topaz"),
    ] {
      guard case .unknown(let reason) = Identification(target).next else {
        Issue.record("\(target) is taken for a tag")
        continue
      }
      #expect(reason.contains(word))
    }
  }
}
