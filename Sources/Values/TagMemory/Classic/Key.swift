/// A MIFARE Classic key: six bytes (MF1S50YYX_V1, 8.6.3). Its text never shows the bytes.
public struct Key: Hashable, Sendable {
  /// The six bytes, the first one highest: comparing and hashing costs nothing, where thousands of
  /// keys are tried.
  private let number: UInt64

  /// Six bytes.
  public var bytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: number >> UInt64(40 - 8 * $0)) }
  }

  /// Nil unless there are six bytes.
  public init?(_ bytes: some Sequence<UInt8>) {
    var (number, count) = (UInt64(0), 0)
    for byte in bytes { (number, count) = (number << 8 | UInt64(byte), count + 1) }
    guard count == 6 else { return nil }
    self.number = number
  }

  private init(known number: UInt64) { self.number = number }

  /// FF FF FF FF FF FF, as delivered.
  public static let factory = Key(known: 0xFFFF_FFFF_FFFF)
  /// A0 A1 A2 A3 A4 A5, the public key A of MAD sectors (AN10787).
  public static let mad = Key(known: 0xA0A1_A2A3_A4A5)
  /// D3 F7 D3 F7 D3 F7, the public key A of NFC sectors (AN1304).
  public static let nfc = Key(known: 0xD3F7_D3F7_D3F7)
  /// 00 00 00 00 00 00, as some tools leave it.
  package static let zeros = Key(known: 0)
  /// B0 B1 B2 B3 B4 B5, NXP's sample key B.
  package static let sampleB = Key(known: 0xB0B1_B2B3_B4B5)
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
