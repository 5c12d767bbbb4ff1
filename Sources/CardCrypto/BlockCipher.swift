/// A cipher of whole blocks, as cards have it: what CBC and CMAC are made of.
///
/// These ciphers talk to cards whose keys are in the operator's hands; they are small and not made for secrets that an attacker
/// measures the time of.
package protocol BlockCipher: Sendable {
  /// Bytes in a block: 8 or 16.
  static var blockByteCount: Int { get }
  /// `block` has that many bytes, and so has what comes back.
  func encryptBlock(_ block: [UInt8]) -> [UInt8]
  func decryptBlock(_ block: [UInt8]) -> [UInt8]
}

/// Cipher block chaining (SP 800-38A, 6.2); every text is whole blocks.
extension BlockCipher {
  package var blockByteCount: Int { Self.blockByteCount }

  /// An initialization vector of zeros.
  package static var zero: [UInt8] { [UInt8](repeating: 0, count: blockByteCount) }

  package func encrypt(_ plain: [UInt8], iv: [UInt8]) -> [UInt8] {
    var chain = iv
    return blocks(plain).flatMap { block in
      chain = encryptBlock(Self.xor(block, chain))
      return chain
    }
  }

  package func decrypt(_ cipher: [UInt8], iv: [UInt8]) -> [UInt8] {
    var chain = iv
    return blocks(cipher).flatMap { block in
      defer { chain = block }
      return Self.xor(decryptBlock(block), chain)
    }
  }

  /// What a reader sends to a first-generation DESFire, which can only encrypt: the blocks are chained as for encryption, and
  /// each is decrypted (MF3ICD40, 7.5).
  package func chainDecrypting(_ plain: [UInt8]) -> [UInt8] {
    var chain = Self.zero
    return blocks(plain).flatMap { block in
      chain = decryptBlock(Self.xor(block, chain))
      return chain
    }
  }

  private func blocks(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: blockByteCount).map {
      Array(bytes[$0..<$0 + blockByteCount])
    }
  }

  static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }
}
