import TagMemory

/// Keys that a sector may hold after power failed while its trailer was programmed.
///
/// Nothing says in which order silicon programs the bytes of a block, nor that it programs them
/// whole. So the mixtures that are few enough to be tried, at some 20 ms each, are tried: whole
/// bytes of both keys in any order; one byte with bits of both between bytes of either; and, for a
/// cell that does not take its bit, the new key with one bit wrong. A key beyond them is lost.
enum TornKeys {
  /// Every key that is likely, each once, neither `old` nor `new`.
  static func likely(_ old: Key, _ new: Key) -> [Key] {
    var seen: Set<Key> = [old, new]
    return (between(old, new) + byteMixtures(old, new)).filter { seen.insert($0).inserted }
  }

  /// Every mixture of whole bytes of `old` and `new`.
  static func byteMixtures(_ old: Key, _ new: Key) -> [Key] {
    (0..<64).compactMap { choice in
      Key((0..<6).map { choice >> $0 & 1 == 0 ? old.bytes[$0] : new.bytes[$0] })
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
  /// differs from both.
  static func between(_ old: Key, _ new: Key) -> [Key] {
    var keys: [Key] = []
    for cut in 0..<6 {
      let differing = old.bytes[cut] ^ new.bytes[cut]
      for mixed in mixtures(of: old.bytes[cut], differing: differing) {
        let bytes = new.bytes[..<cut] + [mixed] + old.bytes[(cut + 1)...]
        guard let key = Key(bytes), key != old, key != new, !keys.contains(key) else { continue }
        keys.append(key)
      }
    }
    return keys
  }

  /// `byte` with every subset of the `differing` bits turned over.
  private static func mixtures(of byte: UInt8, differing: UInt8) -> [UInt8] {
    var subset = differing
    var result: [UInt8] = []
    while true {
      result.append(byte ^ subset)
      if subset == 0 { return result }
      subset = (subset - 1) & differing
    }
  }
}
