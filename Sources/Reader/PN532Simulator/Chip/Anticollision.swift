/// Bit-wise anticollision over the cascade levels (ISO/IEC 14443-3, 6.5.3).
enum Anticollision {
  /// The five bytes a tag sends at each level: cascade tag or UID part, then BCC. At most three
  /// levels.
  static func levels(_ uid: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = uid[...]
    while rest.count > 4 {
      parts.append([0x88] + rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    parts.append(Array(rest))
    return parts.map { $0 + [$0.reduce(0, ^)] }
  }

  /// The tag that is left when the reader goes on with 1 at each collision; bits come low one
  /// first.
  static func winner(of tags: [any VirtualTag]) -> (any VirtualTag)? {
    tags.max { left, right in bits(left.uid).lexicographicallyPrecedes(bits(right.uid)) }
  }

  private static func bits(_ uid: [UInt8]) -> [UInt8] {
    levels(uid).flatMap { $0 }.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
  }
}
