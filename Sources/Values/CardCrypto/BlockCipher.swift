/// A cipher of whole blocks, as cards have it: what CBC and CMAC are made of. libcrypto does the
/// work.
package protocol BlockCipher: Sendable {
  /// Bytes in a block: 8 or 16.
  static var blockByteCount: Int { get }
  /// The cipher in libcrypto.
  static var algorithms: CipherAlgorithms { get }
  /// The key as libcrypto takes it.
  var cipherKey: [UInt8] { get }
}

extension BlockCipher {
  package var blockByteCount: Int { Self.blockByteCount }

  /// An initialization vector of zeros.
  package static var zero: [UInt8] { [UInt8](repeating: 0, count: blockByteCount) }

  /// `block` has `blockByteCount` bytes, and so has what is returned.
  package func encryptBlock(_ block: [UInt8]) -> [UInt8] {
    Self.algorithms.run(.encrypt, block, key: cipherKey)
  }

  /// The reverse of `encryptBlock`.
  package func decryptBlock(_ block: [UInt8]) -> [UInt8] {
    Self.algorithms.run(.decrypt, block, key: cipherKey)
  }

  /// Cipher block chaining (SP 800-38A, 6.2); `plain` is whole blocks, `iv` one.
  package func encrypt(_ plain: [UInt8], iv: [UInt8]) -> [UInt8] {
    Self.algorithms.run(.encrypt, plain, key: cipherKey, iv: iv)
  }

  /// The reverse of `encrypt`.
  package func decrypt(_ cipher: [UInt8], iv: [UInt8]) -> [UInt8] {
    Self.algorithms.run(.decrypt, cipher, key: cipherKey, iv: iv)
  }

  /// Returns what a reader sends to a first-generation DESFire, which can only encrypt: the blocks
  /// are chained as for encryption, and each is decrypted (MF3ICD40, 7.5).
  package func chainDecrypting(_ plain: [UInt8]) -> [UInt8] {
    var chain = Self.zero
    return stride(from: 0, to: plain.count, by: blockByteCount).flatMap { start in
      chain = decryptBlock(Self.xor(Array(plain[start..<start + blockByteCount]), chain))
      return chain
    }
  }

  static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }
}
