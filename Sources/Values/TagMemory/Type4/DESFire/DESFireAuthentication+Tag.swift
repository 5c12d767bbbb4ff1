import CardCrypto

extension DESFireAuthentication {
  /// What a card that has `key` answers `token`, where it had sent zeros as its cryptogram, and the
  /// session that follows; nil where `token` does not prove that key.
  package static func tagProof(
    _ way: Way, key: DESFireKey, number: UInt8, token: [UInt8]
  ) -> (answer: [UInt8], session: DESFireSession)? {
    let isOfKind =
      switch way {
      case .d40: key.kind == .tripleDES
      case .tripleDES: key.kind != .aes
      case .aes: key.kind == .aes
      }
    let (cipher, count) = (key.cipher, challengeByteCount(key))
    guard isOfKind, token.count == 2 * count else { return nil }
    let zero = [UInt8](repeating: 0, count: cipher.blockByteCount)
    // The first generation's reader decrypts where it would encrypt.
    let host =
      way == .d40
      ? cipher.encryptBlock(Array(token[..<count]))
      : cipher.decrypt(Array(token[..<count]), iv: zero)
    var reader = DESFireAuthentication(key, number: number, challenge: host, way: way)
    guard reader.answer(to: [UInt8](repeating: 0, count: count))?.data == token else { return nil }
    let chain = way == .d40 ? zero : Array(token.suffix(zero.count))
    let answer = cipher.encrypt(rotated(host), iv: chain)
    return reader.session(from: answer).map { (answer, $0) }
  }
}
