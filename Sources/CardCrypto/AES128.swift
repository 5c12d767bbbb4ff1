/// AES with a key of 128 bits (FIPS 197).
package struct AES128: BlockCipher, Hashable {
  package static let blockByteCount = 16
  private static let rounds = 10

  /// Eleven of 16 bytes.
  private let roundKeys: [[UInt8]]

  /// `key` has 16 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == 16, "an AES-128 key has 16 bytes")
    var words = (0..<4).map { Array(key[4 * $0..<4 * $0 + 4]) }
    var constant: UInt8 = 1
    for index in 4..<4 * (Self.rounds + 1) {
      var word = words[index - 1]
      if index.isMultiple(of: 4) {
        word = (word[1...] + word[..<1]).map { Self.substitution[Int($0)] }
        word[0] ^= constant
        constant = Self.doubled(constant)
      }
      words.append(Self.xor(words[index - 4], word))
    }
    roundKeys = (0...Self.rounds).map { Array(words[4 * $0..<4 * $0 + 4].joined()) }
  }

  package func encryptBlock(_ block: [UInt8]) -> [UInt8] {
    var state = Self.xor(block, roundKeys[0])
    for round in 1...Self.rounds {
      let substituted = state.map { Self.substitution[Int($0)] }
      // Row r, every fourth byte, moves r places to the left (5.1.2).
      state = (0..<16).map { substituted[($0 + 4 * ($0 % 4)) % 16] }
      if round < Self.rounds { state = Self.mixed(state, by: [2, 3, 1, 1]) }
      state = Self.xor(state, roundKeys[round])
    }
    return state
  }

  package func decryptBlock(_ block: [UInt8]) -> [UInt8] {
    var state = block
    for round in (1...Self.rounds).reversed() {
      state = Self.xor(state, roundKeys[round])
      if round < Self.rounds { state = Self.mixed(state, by: [14, 11, 13, 9]) }
      let moved = (0..<16).map { state[($0 + 12 * ($0 % 4)) % 16] }
      state = moved.map { Self.inverse[Int($0)] }
    }
    return Self.xor(state, roundKeys[0])
  }

  /// Each column times a circulant matrix whose first row is `row` (5.1.3, 5.3.3).
  private static func mixed(_ state: [UInt8], by row: [UInt8]) -> [UInt8] {
    state.indices.map { index in
      (0..<4).reduce(0) { sum, place in
        sum ^ product(row[(place - index % 4 + 4) % 4], state[index / 4 * 4 + place])
      }
    }
  }

  /// In the field of 256 elements with x⁸ + x⁴ + x³ + x + 1 (4.2).
  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var (factor, power, sum) = (one, other, UInt8(0))
    while factor != 0 {
      if factor & 1 != 0 { sum ^= power }
      (factor, power) = (factor >> 1, doubled(power))
    }
    return sum
  }

  private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

  /// The inverse in the field, then an affine map (5.1.1).
  private static let substitution: [UInt8] = {
    var table = [UInt8](repeating: 0x63, count: 256)
    // 3 generates the field: its powers upwards and downwards are each other's inverses.
    var (power, inverse) = (UInt8(1), UInt8(1))
    repeat {
      power = product(power, 3)
      inverse = product(inverse, 0xF6)
      let turned = (1...4).reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
      table[Int(power)] = turned ^ 0x63
    } while power != 1
    return table
  }()

  private static let inverse: [UInt8] = {
    var table = [UInt8](repeating: 0, count: 256)
    for (index, byte) in substitution.enumerated() { table[Int(byte)] = UInt8(index) }
    return table
  }()
}
