/// Two-key triple DES in CBC mode: FIPS 46-3 (DES, EDE) and SP 800-67. For a toy that answers like a chip,
/// not for secrets: it takes its time and varies it.
struct TripleDES: Hashable {
  /// An initialization vector of zeros.
  static let zero = [UInt8](repeating: 0, count: 8)

  private let first: DES
  private let second: DES

  /// `key` has 16 bytes.
  init(key: [UInt8]) {
    first = DES(key: Array(key[..<8]))
    second = DES(key: Array(key[8...]))
  }

  /// The key as Ultralight C stores it in pages 44 to 47: each half last byte first (MF0ICU2, 7.5.7).
  init(ultralightMemory bytes: ArraySlice<UInt8>) {
    self.init(key: bytes.prefix(8).reversed() + bytes.suffix(8).reversed())
  }

  /// `plain` is whole 8-byte blocks.
  func encrypt(_ plain: [UInt8], iv: [UInt8]) -> [UInt8] {
    var chain = word(iv[...])
    return blocks(plain).flatMap { block in
      chain = first.encrypt(second.decrypt(first.encrypt(block ^ chain)))
      return bytes(chain)
    }
  }

  /// `cipher` is whole 8-byte blocks.
  func decrypt(_ cipher: [UInt8], iv: [UInt8]) -> [UInt8] {
    var chain = word(iv[...])
    return blocks(cipher).flatMap { block in
      defer { chain = block }
      return bytes(first.decrypt(second.encrypt(first.decrypt(block))) ^ chain)
    }
  }

  private func blocks(_ bytes: [UInt8]) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: 8).map { word(bytes[$0..<$0 + 8]) }
  }

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
  }
}
