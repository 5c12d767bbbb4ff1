/// The block cipher of FIPS 46-3, table by table.
package struct DES: Hashable, Sendable {
  private let roundKeys: [UInt64]

  /// `key` has 8 bytes; their parity bits are not looked at.
  package init(key: [UInt8]) {
    let word = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let chosen = Self.permute(word, width: 64, by: Self.permutedChoice1)
    var (c, d) = (chosen >> 28, chosen & 0xFFF_FFFF)
    roundKeys = Self.shifts.map { shift in
      c = (c << shift | c >> (28 - shift)) & 0xFFF_FFFF
      d = (d << shift | d >> (28 - shift)) & 0xFFF_FFFF
      return Self.permute(c << 28 | d, width: 56, by: Self.permutedChoice2)
    }
  }

  package func encrypt(_ block: UInt64) -> UInt64 { cipher(block, roundKeys) }
  package func decrypt(_ block: UInt64) -> UInt64 { cipher(block, roundKeys.reversed()) }

  private func cipher(_ block: UInt64, _ keys: [UInt64]) -> UInt64 {
    let start = Self.permute(block, width: 64, by: Self.initialPermutation)
    var (left, right) = (start >> 32, start & 0xFFFF_FFFF)
    for key in keys {
      (left, right) = (right, left ^ Self.round(right, key))
    }
    return Self.permute(right << 32 | left, width: 64, by: Self.finalPermutation)
  }

  /// The function f: expand, add the key, substitute, permute.
  private static func round(_ half: UInt64, _ key: UInt64) -> UInt64 {
    let mixed = permute(half, width: 32, by: expansion) ^ key
    var substituted: UInt64 = 0
    for box in 0..<8 {
      let six = Int(mixed >> UInt64(42 - 6 * box) & 0x3F)
      let row = six >> 4 & 2 | six & 1
      substituted = substituted << 4 | UInt64(substitutions[box][row * 16 + six >> 1 & 0xF])
    }
    return permute(substituted, width: 32, by: permutation)
  }

  /// Bit 1 of the standard is the highest of `width` bits.
  private static func permute(_ word: UInt64, width: Int, by table: [Int]) -> UInt64 {
    table.reduce(0) { $0 << 1 | word >> UInt64(width - $1) & 1 }
  }
}
