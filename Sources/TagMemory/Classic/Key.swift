/// A MIFARE Classic key: six bytes (MF1S50YYX_V1, 8.6.3). Its text never shows the bytes.
public struct Key: Hashable, Sendable {
  /// Six bytes.
  public let bytes: [UInt8]

  /// Nil unless there are six bytes.
  public init?(_ bytes: some Sequence<UInt8>) {
    let all = Array(bytes)
    guard all.count == 6 else { return nil }
    self.bytes = all
  }

  private init(known: [UInt8]) { bytes = known }

  /// FF FF FF FF FF FF, as delivered.
  public static let factory = Key(known: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
  /// A0 A1 A2 A3 A4 A5, the public key A of MAD sectors (AN10787).
  public static let mad = Key(known: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5])
  /// D3 F7 D3 F7 D3 F7, the public key A of NFC sectors (AN1304).
  public static let nfc = Key(known: [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7])
  /// 00 00 00 00 00 00, as some tools leave it.
  package static let zeros = Key(known: [0, 0, 0, 0, 0, 0])
  /// B0 B1 B2 B3 B4 B5, NXP's sample key B.
  package static let sampleB = Key(known: [0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5])
}

extension Key: CustomStringConvertible {
  /// The key's name where it is a public one; a secret key is "a key of yours".
  public var description: String {
    switch self {
    case .factory: "the factory key"
    case .mad: "the MAD key"
    case .nfc: "the NFC key"
    case .zeros: "the all-zero key"
    case .sampleB: "the sample key B"
    default: "a key of yours"
    }
  }
}

extension Key: CustomDebugStringConvertible, CustomReflectable {
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Which of a sector's two keys.
public enum KeyType: UInt8, Hashable, Sendable, CaseIterable {
  /// Authentication command 60h.
  case a = 0x60
  /// Authentication command 61h.
  case b = 0x61
}

extension KeyType: CustomStringConvertible {
  public var description: String { self == .a ? "key A" : "key B" }
}
