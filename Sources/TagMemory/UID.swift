import Bytes

/// A tag's unique identifier: 4, 7 or 10 bytes (ISO/IEC 14443-3, 6.5.4), or the 8 bytes of a FeliCa IDm.
public struct UID: Hashable, Sendable {
  public let bytes: [UInt8]

  public init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Lower-case digits without separators, as JSON carries it.
  public var hex: String { Hex.string(bytes) }
}

extension UID: CustomStringConvertible {
  /// Upper-case digits with colons, as sentences carry it: `04:A1:B2:C3:D4:E5:F6`.
  public var description: String { Hex.string(bytes, separator: ":").uppercased() }
}
