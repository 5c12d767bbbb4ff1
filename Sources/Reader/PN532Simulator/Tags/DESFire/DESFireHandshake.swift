import CardCrypto

/// The two steps of an authentication (MF3ICD81, 7.4).
///
/// Command 0Ah takes DES keys, 1Ah all DES keys, AAh AES keys. In the later two the blocks of both
/// directions are one chain.
struct DESFireHandshake {
  let key: DESFireKey
  let number: UInt8
  let isLegacy: Bool
  private let challenge: [UInt8]
  /// E(K, RndB): what the card sends first.
  let cryptogram: [UInt8]

  init(key: DESFireKey, number: UInt8, isLegacy: Bool, challenge: [UInt8]) {
    (self.key, self.number, self.isLegacy) = (key, number, isLegacy)
    self.challenge = challenge
    let cipher = key.cipher
    cryptogram = cipher.encrypt(
      challenge, iv: [UInt8](repeating: 0, count: cipher.blockByteCount))
  }

  /// Returns whether `command` opens a key of this kind.
  static func takes(_ command: UInt8, _ kind: DESFireKey.Kind) -> Bool {
    switch command {
    case 0x0A: kind == .des
    case 0x1A: kind != .aes
    default: kind == .aes
    }
  }

  /// The host's answer: RndA and RndB turned by a byte. Nil when it does not know the key; else
  /// RndA turned, enciphered, and what both then share.
  func finish(_ answer: [UInt8]) -> (reply: [UInt8], session: DESFireSession)? {
    let cipher = key.cipher
    let count = challenge.count
    guard answer.count == 2 * count else { return nil }
    let zero = [UInt8](repeating: 0, count: cipher.blockByteCount)
    let plain = isLegacy ? undone(answer, cipher) : cipher.decrypt(answer, iv: tail(cryptogram))
    let (host, turned) = (Array(plain[..<count]), Array(plain[count...]))
    guard turned == Array(challenge[1...] + challenge[..<1]) else { return nil }
    let reply = cipher.encrypt(
      Array(host[1...] + host[..<1]), iv: isLegacy ? zero : tail(answer))
    return (
      reply,
      DESFireSession(key: key, number: number, isLegacy: isLegacy, host: host, card: challenge)
    )
  }

  private func tail(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.suffix(key.cipher.blockByteCount))
  }

  /// What a host that only decrypts has sent: each block was decrypted, after it was chained as for
  /// encryption.
  private func undone(_ data: [UInt8], _ cipher: any BlockCipher) -> [UInt8] {
    var chain = [UInt8](repeating: 0, count: 8)
    return stride(from: 0, to: data.count, by: 8).flatMap { start in
      let block = Array(data[start..<start + 8])
      defer { chain = block }
      return zip(cipher.encryptBlock(block), chain).map { $0 ^ $1 }
    }
  }
}
