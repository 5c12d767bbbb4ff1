/// Triple DES: FIPS 46-3 (DES, EDE) and SP 800-67, with one, two or three keys.
package struct TripleDES: BlockCipher, Hashable {
  package static let blockByteCount = 8

  private let first: DES
  private let second: DES
  private let third: DES

  /// `key` has 8 bytes (it is plain DES then), 16 (the third key is the first) or 24.
  package init(key: [UInt8]) {
    precondition([8, 16, 24].contains(key.count), "DES keys have 8, 16 or 24 bytes")
    let last = key.count / 8 - 1
    func part(_ number: Int) -> DES { DES(key: Array(key[8 * number..<8 * number + 8])) }
    first = part(0)
    second = part(min(1, last))
    third = part(last == 2 ? 2 : 0)
  }

  package func encryptBlock(_ block: [UInt8]) -> [UInt8] {
    Self.bytes(third.encrypt(second.decrypt(first.encrypt(Self.word(block)))))
  }

  package func decryptBlock(_ block: [UInt8]) -> [UInt8] {
    Self.bytes(first.decrypt(second.encrypt(third.decrypt(Self.word(block)))))
  }

  private static func word(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
  }
}
