import Bytes

/// A tag's unique identifier: 4, 7 or 10 bytes (ISO/IEC 14443-3, 6.5.4), or the 8 bytes of a FeliCa
/// IDm.
public struct UID: Hashable, Sendable {
  /// As the tag sends them: 4, 7 or 10 bytes, 8 for a FeliCa.
  public let bytes: [UInt8]

  /// Takes the bytes in the order in which the tag sends them.
  public init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Is true if the tag makes a new UID whenever it gets power: four bytes, the first of them 08h
  /// (ISO/IEC 14443-3, 6.5.4). Some copies bear such a UID for good.
  public var isRandom: Bool { bytes.count == 4 && bytes[0] == 0x08 }

  /// Lower-case digits without separators, as JSON carries it.
  public var hex: String { Hex.string(bytes) }
}

extension UID: CustomStringConvertible {
  /// Upper-case digits with colons, as sentences carry it: `04:A1:B2:C3:D4:E5:F6`.
  public var description: String { Hex.string(bytes, separator: ":").uppercased() }
}
