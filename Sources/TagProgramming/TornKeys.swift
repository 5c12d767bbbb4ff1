import TagMemory

/// Keys that a sector may hold after power failed while its trailer was programmed.
///
/// The trailer's bytes are programmed one after the other (key A first, key B last), so a torn write leaves some bytes of
/// the new key, perhaps one with bits of both, and the rest of the old one. There are few of them, and they can all be tried.
enum TornKeys {
  /// Every mixture of `old` and `new` that differs from both.
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
