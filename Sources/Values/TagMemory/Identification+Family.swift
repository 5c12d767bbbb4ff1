import Bytes

extension Identification {
  /// What SAK and ATQA say (AN10833, 3.2; ISO/IEC 14443-3, 6.5.3).
  enum Family: Hashable, Sendable {
    case classic(Product)
    case type2
    case type4
    case feliCa(Product)
    case unknown(reason: String)

    init(_ target: Target) {
      switch target {
      // A card that has answered RATS and was left in ISO-DEP has no Classic in it.
      case .typeA where target.hasAnsweredRATS: self = .type4
      case .typeA(let tag): self = Self.table[tag.sak] ?? Self.fromBits(tag)
      case .feliCa(let tag) where tag.isPeer: self = .unknown(reason: Self.peer)
      case .feliCa(let tag): self = .feliCa(Identification.feliCa(pmm: tag.pmm))
      case .typeB: self = .unknown(reason: Self.typeB)
      case .topaz: self = .unknown(reason: Self.topaz)
      }
    }

    /// The values of SAK with a meaning of their own, a row each.
    private static let table: [UInt8: Family] = [
      0x00: .type2,
      0x08: .classic(.classic1K),
      0x09: .classic(.classicMini),
      0x18: .classic(.classic4K),
      0x19: .classic(.classic2K),
      0x01: .classic(.classic1K),
      0x0A: .classic(.classic1K),
      0x28: .classic(.classic1K),
      0x38: .classic(.classic4K),
      0x53: .classic(.classic1K),
      0x88: .classic(.classic1K),
      0x89: .classic(.classicMini),
      0x98: .classic(.classic4K),
      0x10: .unknown(reason: plusInLevel2),
      0x11: .unknown(reason: plusInLevel2),
    ]

    /// Whose a SAK is that NXP's own MIFARE Classic cards do not have.
    static let strangers: [UInt8: String] = [
      0x01: "a TNP3xxx, as toys have them",
      0x0A: "a Fudan FM11RF chip",
      0x28: "a smart card (SmartMX, JCOP) with a MIFARE Classic in it",
      0x38: "a smart card (SmartMX, JCOP) with a MIFARE Classic in it",
      0x53: "a Fudan FM11RF08SH",
      0x88: "an Infineon chip",
      0x89: "an Infineon chip",
      0x98: "a Gemplus MPCOS",
    ]

    private static let plusInLevel2 =
      "It is a MIFARE Plus in security level 2, which needs AES and carries no NDEF."

    private static let peer = "It is a peer (NFC-DEP) such as a phone, not a tag."
    private static let typeB =
      "The tag is a type B card (ISO/IEC 14443), like a passport or an identity card: this program can only send it APDUs."
    private static let topaz =
      "The tag is a Topaz or Jewel (NFC Forum Type 1): this program can only send it raw commands."

    private static func fromBits(_ activation: Activation) -> Family {
      let sakText = Hex.byte(activation.sak).uppercased()
      if activation.sak & 0x20 != 0 {
        return .unknown(
          reason:
            "The tag says that it speaks ISO-DEP (SAK \(sakText)), but does not answer when it is asked to (RATS): probably a defective tag or a copy."
        )
      }
      if activation.sak & 0x40 != 0 {
        return .unknown(reason: peer)
      }
      let atqa = Hex.string([UInt8(activation.atqa >> 8), UInt8(activation.atqa & 0xFF)])
      return .unknown(
        reason:
          "SAK \(sakText) with ATQA \(atqa.uppercased()) do not belong to a tag that this program knows."
      )
    }
  }

  /// The product of a FeliCa tag whose PMm is `pmm`: its second byte is the chip (FeliCa Lite-S
  /// User's Manual, 2.2).
  package static func feliCa(pmm: [UInt8]) -> Product { FeliCaChip(pmm: pmm).product }
}
