/// A tag as a reader has activated it: which technology it speaks, and what it says of itself in
/// that.
public enum Target: Hashable, Sendable {
  /// ISO/IEC 14443 type A: MIFARE, NTAG, most Type 4 tags.
  case typeA(Activation)
  /// ISO/IEC 14443 type B: identity cards, passports, some Type 4 tags.
  case typeB(TypeBActivation)
  /// JIS X 6319-4: FeliCa, NFC Forum Type 3.
  case feliCa(FeliCaActivation)
  /// Innovision Topaz and Jewel, NFC Forum Type 1.
  case topaz(TopazActivation)
}

extension Target {
  /// This identifier tells the tag from others: the UID, of type B the PUPI, of FeliCa the IDm, of
  /// Topaz the Jewel ID.
  public var uid: UID {
    switch self {
    case .typeA(let tag): tag.uid
    case .typeB(let tag): UID(tag.pupi)
    case .feliCa(let tag): UID(tag.idm)
    case .topaz(let tag): UID(tag.uid)
    }
  }

  /// A type A tag says this of itself; nil for any other.
  public var typeA: Activation? {
    if case .typeA(let tag) = self { tag } else { nil }
  }

  /// A FeliCa tag says this of itself; nil for any other.
  public var feliCa: FeliCaActivation? {
    if case .feliCa(let tag) = self { tag } else { nil }
  }

  /// Select acknowledge of a type A tag; nil for any other.
  package var sak: UInt8? { typeA?.sak }

  /// Is true if it knows the block protocol that carries APDUs (ISO/IEC 14443-4): SAK bit 5
  /// (ISO/IEC 14443-3, 6.5.3), of type B the lowest bit of the protocol type (7.9.4).
  package var speaksISODEP: Bool {
    switch self {
    case .typeA(let tag): tag.sak & 0x20 != 0
    case .typeB(let tag): tag.protocolInfo.count > 1 && tag.protocolInfo[1] & 0x01 != 0
    case .feliCa, .topaz: false
    }
  }

  /// Is true if it is a card of type A that was let into that protocol and answered (ISO/IEC
  /// 14443-4, 5.2).
  package var hasAnsweredRATS: Bool {
    typeA.map { $0.sak & 0x20 != 0 && $0.hasATS } ?? false
  }

  /// Is true if the tag seems to make a new UID whenever it gets power. Only type A marks such
  /// UIDs; of a PUPI it is not known (ISO/IEC 14443-3, 7.9.2).
  package var hasRandomUID: Bool { typeA?.uid.isRandom ?? false }
}
