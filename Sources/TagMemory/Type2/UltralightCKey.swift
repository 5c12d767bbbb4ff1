import CardCrypto

/// The two-key triple DES key of an Ultralight C, 16 bytes: key 1, then key 2 (MF0ICU2, 7.5.5 to
/// 7.5.7).
package enum UltralightCKey {
  package static let byteCount = 16

  /// The key of delivery.
  package static let delivered = Array("IEMKAERB!NACUOYF".utf8)

  /// What pages 44 to 47 hold for `key`: each half from its last byte to its first.
  package static func pages(of key: [UInt8]) -> [[UInt8]] {
    let stored = Array(key.prefix(8).reversed()) + key.suffix(8).reversed()
    return stride(from: 0, to: stored.count, by: Page.byteCount).map {
      Array(stored[$0..<$0 + Page.byteCount])
    }
  }
}

/// One authentication with an Ultralight C, in which tag and reader prove the key to each other
/// (MF0ICU2, 7.5.5):
///
///     reader   1A 00
///     tag      AF, 8 bytes: its challenge, encrypted
///     reader   AF, 16 bytes: its own challenge and the tag's, rotated by a byte, encrypted
///     tag      00, 8 bytes: the reader's challenge, rotated by a byte, encrypted
///
/// All of it is one chain of CBC that begins with zeros.
package struct UltralightCAuthentication {
  private let cipher: TripleDES
  private let challenge: [UInt8]
  private var chain = TripleDES.zero

  /// `challenge` has 8 bytes, never the same twice.
  package init(key: [UInt8], challenge: [UInt8]) {
    cipher = TripleDES(key: key)
    self.challenge = challenge
  }

  /// The 16 bytes behind AF; nil where the tag's first answer is none.
  package mutating func answer(to first: [UInt8]) -> [UInt8]? {
    guard first.count == 9, first[0] == 0xAF else { return nil }
    let theirs = cipher.decrypt(Array(first[1...]), iv: chain)
    let proof = cipher.encrypt(
      challenge + theirs[1...] + theirs[..<1], iv: Array(first[1...]))
    chain = Array(proof[8...])
    return proof
  }

  /// Whether the tag's last answer proves that it has the key, too.
  package func isProven(by last: [UInt8]) -> Bool {
    guard last.count == 9, last[0] == 0x00 else { return false }
    return cipher.decrypt(Array(last[1...]), iv: chain)
      == Array(challenge[1...] + challenge[..<1])
  }
}

extension Product {
  /// How many bytes the secret has that protects its pages: a password of 4, a key of 16; nil where
  /// it has none that can be set here.
  package var secretByteCount: Int? {
    guard canLockAndProtect else { return nil }
    if features.contains(.password) { return 4 }
    return features.contains(.tripleDES) ? UltralightCKey.byteCount : nil
  }
}
