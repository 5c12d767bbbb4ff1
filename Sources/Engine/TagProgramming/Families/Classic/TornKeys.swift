import TagMemory

/// Keys that a sector may hold after power failed while its trailer was programmed.
///
/// Nothing says in which order silicon programs the bytes of a block, nor that it programs them
/// whole. So the mixtures that are few enough to be tried, at some 20 ms each, are tried: whole
/// bytes of both keys in any order; one byte with bits of both between bytes of either; and, for a
/// cell that does not take its bit, the new key with one bit wrong. A key beyond them is lost.
enum TornKeys {
  /// Every key that is likely where the sector had one of `old` and gets `new`, each once, none of
  /// these: first those that are few for each of `old`.
  static func likely(_ old: [Key], _ new: Key) -> [Key] {
    var seen = Set(old + [new])
    let torn =
      old.flatMap { cuts($0, new) } + oneBitOff(new)
      + old.flatMap { between($0, new) + byteMixtures($0, new) }
    return torn.filter { seen.insert($0).inserted }
  }

  /// How many keys `cuts` gives at most.
  static let mostCuts = 12

  /// The first bytes of `new`, perhaps one with every other bit of both, and the rest of `old`.
  static func cuts(_ old: Key, _ new: Key) -> [Key] {
    var bytes = old.bytes
    var keys: [Key] = []
    for (cut, byte) in new.bytes.enumerated() {
      let half = bytes[cut] & 0x55 | byte & 0xAA
      for mixed in [half, byte] {
        bytes[cut] = mixed
        if let key = Key(bytes) { keys.append(key) }
      }
    }
    return keys
  }

  /// Every mixture of whole bytes of `old` and `new`.
  static func byteMixtures(_ old: Key, _ new: Key) -> [Key] {
    let (old, new) = (old.bytes, new.bytes)
    return (0..<64).compactMap { choice in
      Key((0..<6).map { choice >> $0 & 1 == 0 ? old[$0] : new[$0] })
    }
  }

  /// `key` with any one of its bits turned over.
  static func oneBitOff(_ key: Key) -> [Key] {
    (0..<48).compactMap { bit in
      var bytes = key.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return Key(bytes)
    }
  }

  /// The first bytes of `new`, perhaps one with bits of both, and the rest of `old`: every key that
  /// differs from both, each once.
  static func between(_ old: Key, _ new: Key) -> [Key] {
    var bytes = old.bytes
    var keys: [Key] = []
    for (cut, byte) in new.bytes.enumerated() {
      let before = bytes[cut]
      for mixed in mixtures(of: before, and: byte) {
        bytes[cut] = mixed
        if let key = Key(bytes), key != new { keys.append(key) }
      }
      bytes[cut] = byte
    }
    return keys
  }

  /// `byte` with every subset, but the empty one, of the bits turned over in which `other` differs.
  private static func mixtures(of byte: UInt8, and other: UInt8) -> [UInt8] {
    let differing = byte ^ other
    var subset = differing
    var result: [UInt8] = []
    while subset != 0 {
      result.append(byte ^ subset)
      subset = (subset - 1) & differing
    }
    return result
  }
}
