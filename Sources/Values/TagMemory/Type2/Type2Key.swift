import CardCrypto

/// The key that an Ultralight C or an Ultralight AES has in place of a password, 16 bytes: what
/// cipher it is for, and where it stands.
package struct Type2Key: Hashable, Sendable {
  package static let byteCount = 16

  package enum Cipher: Hashable, Sendable {
    /// Two keys, one behind the other.
    case tripleDES
    case aes
  }

  /// A bit that makes the key read-only for good.
  package struct Lock: Hashable, Sendable {
    package let page: Page
    /// In the page's first byte.
    package let mask: UInt8
  }

  package let cipher: Cipher
  /// Where it stands. What these pages hold never shows.
  package let pages: ClosedRange<Page>
  /// These, and keys that nothing here uses.
  package let hiddenPages: ClosedRange<Page>
  /// Nil where a dynamic lock bit locks the key.
  package let lock: Lock?

  /// MF0ICU2, 7.5.5 to 7.5.7.
  package static let ultralightC = Type2Key(
    cipher: .tripleDES, pages: 44...47, hiddenPages: 44...47, lock: nil)

  /// DataProtKey, key number 0; behind it UIDRetrKey, key number 1 (MF0AES(H)20, as libpretixnfc,
  /// stustapay and Proxmark3 have it). LOCK_AES_KEY0 is bit 6 of page 2Dh (libpretixnfc and
  /// Proxmark3).
  package static let ultralightAES = Type2Key(
    cipher: .aes, pages: 48...51, hiddenPages: 48...55, lock: Lock(page: 45, mask: 0x40))
}

extension Type2Key {
  /// The key of delivery. That of an Ultralight AES is zeros (AN13452's example, and tags in the
  /// field).
  package var delivered: [UInt8] {
    switch cipher {
    case .tripleDES: Array("IEMKAERB!NACUOYF".utf8)
    case .aes: [UInt8](repeating: 0, count: Self.byteCount)
    }
  }

  /// Returns what its pages hold for `key`: of triple DES each half from its last byte to its
  /// first, of AES the whole from its last byte to its first.
  package func pages(of key: [UInt8]) -> [[UInt8]] {
    let stored =
      switch cipher {
      case .tripleDES: Array(key.prefix(8).reversed()) + key.suffix(8).reversed()
      case .aes: Array(key.reversed())
      }
    return stride(from: 0, to: stored.count, by: Page.byteCount).map {
      Array(stored[$0..<$0 + Page.byteCount])
    }
  }

  /// The key in a dump of its pages; nil where that holds zeros, which is what tags and programs
  /// show in its place.
  package func key(in pages: [[UInt8]]) -> [UInt8]? {
    let stored = pages.flatMap(\.self)
    guard stored.count == Self.byteCount, stored.contains(where: { $0 != 0 }) else { return nil }
    // Either order is its own reverse.
    return self.pages(of: stored).flatMap(\.self)
  }
}

/// One authentication, in which tag and reader prove the key to each other (MF0ICU2, 7.5.5;
/// MF0AES(H)20). With blocks of 8 bytes (triple DES) or 16 (AES):
///
///     reader   1A 00
///     tag      AF, a block: its challenge, encrypted
///     reader   AF, two blocks: its own challenge and the tag's, rotated by a byte, encrypted
///     tag      00, a block: the reader's challenge, rotated by a byte, encrypted
///
/// With triple DES all of it is one chain of CBC that begins with zeros. With AES each of the three
/// begins with zeros anew: so the examples of AN13452 and of the data sheet have it, which
/// libpretixnfc tests itself with, and so do Proxmark3 and its traces of a real tag.
package struct KeyAuthentication {
  private let kind: Type2Key.Cipher
  private let cipher: any BlockCipher
  private let challenge: [UInt8]
  private var chain: [UInt8]

  /// `challenge` is one block, never the same twice.
  package init(_ kind: Type2Key.Cipher, key: [UInt8], challenge: [UInt8]) {
    self.kind = kind
    switch kind {
    case .tripleDES: cipher = TripleDES(key: key)
    case .aes: cipher = AES128(key: key)
    }
    self.challenge = challenge
    chain = kind.zero
  }

  /// The two blocks behind AF; nil where the tag's first answer is none.
  package mutating func answer(to first: [UInt8]) -> [UInt8]? {
    guard first.count == 1 + kind.blockByteCount, first[0] == 0xAF else { return nil }
    let cryptogram = Array(first[1...])
    let theirs = cipher.decrypt(cryptogram, iv: kind.zero)
    let proof = cipher.encrypt(
      challenge + theirs[1...] + theirs[..<1], iv: next(after: cryptogram))
    chain = next(after: Array(proof.suffix(kind.blockByteCount)))
    return proof
  }

  /// Returns whether the tag's last answer proves that it has the key, too.
  package func isProven(by last: [UInt8]) -> Bool {
    guard last.count == 1 + kind.blockByteCount, last[0] == 0x00 else { return false }
    return cipher.decrypt(Array(last[1...]), iv: chain)
      == Array(challenge[1...] + challenge[..<1])
  }

  private func next(after block: [UInt8]) -> [UInt8] {
    kind == .tripleDES ? block : kind.zero
  }
}

extension Type2Key.Cipher {
  /// Bytes in a block, and in a challenge.
  package var blockByteCount: Int {
    switch self {
    case .tripleDES: TripleDES.blockByteCount
    case .aes: AES128.blockByteCount
    }
  }

  fileprivate var zero: [UInt8] { [UInt8](repeating: 0, count: blockByteCount) }
}

extension Product {
  /// How many bytes the secret has that protects its pages: a password of 4, a key of 16; nil where
  /// it has none that can be set here.
  package var secretByteCount: Int? {
    guard canLockAndProtect else { return nil }
    if features.contains(.password) { return 4 }
    return type2?.key == nil ? nil : Type2Key.byteCount
  }
}
