import CardCrypto

extension KeyAuthentication {
  /// The block behind 00 with which a tag that has `key` answers `token`, where its own cryptogram
  /// was zeros; nil where `token` does not prove that key.
  package static func tagProof(
    _ kind: Type2Key.Cipher, key: [UInt8], token: [UInt8]
  ) -> [UInt8]? {
    let count = kind.blockByteCount
    guard key.count == Type2Key.byteCount, token.count == 2 * count else { return nil }
    let cipher: any BlockCipher =
      switch kind {
      case .tripleDES: TripleDES(key: key)
      case .aes: AES128(key: key)
      }
    let zero = [UInt8](repeating: 0, count: count)
    let mine = cipher.decrypt(zero, iv: zero)
    let plain = cipher.decrypt(token, iv: zero)
    guard Array(plain[count...]) == Array(mine[1...] + mine[..<1]) else { return nil }
    let chain = kind == .tripleDES ? Array(token[count...]) : zero
    return cipher.encrypt(Array(plain[1..<count] + plain[..<1]), iv: chain)
  }
}
