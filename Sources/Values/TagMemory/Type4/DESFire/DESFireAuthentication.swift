import CardCrypto

/// How reader and card prove to each other that they know a key: three messages, without input or
/// output.
///
///     command      0A (D40), 1A (triple DES) or AA (AES), number of the key → E(RndB)
///     AF           E(RndA ‖ RndB′) → E(RndA′)        ′: the first byte moved to the end
///
/// The first generation's way (D40) starts every message with a chain of zeros, and the reader
/// decrypts where it would encrypt; the others chain from message to message (MF3ICDx21, 9.1;
/// libfreefare, `mifare_desfire.c`).
package struct DESFireAuthentication: Hashable, Sendable {
  package enum Way: UInt8, Hashable, Sendable {
    case d40 = 0x0A
    case tripleDES = 0x1A
    case aes = 0xAA
  }

  package let way: Way
  package let key: DESFireKey
  package let keyNumber: UInt8
  /// RndA: as many bytes as the card's own challenge has.
  private let challenge: [UInt8]
  private var cardChallenge: [UInt8] = []
  private var chain: [UInt8]

  /// Bytes of a challenge for `key`.
  package static func challengeByteCount(_ key: DESFireKey) -> Int {
    key.kind == .tripleDES ? 8 : 16
  }

  /// `challenge` is random and `challengeByteCount` long. Without a way, that of the key's kind,
  /// for triple DES with two keys D40.
  package init(_ key: DESFireKey, number: UInt8, challenge: [UInt8], way: Way? = nil) {
    (self.key, keyNumber, self.challenge) = (key, number, challenge)
    self.way =
      way
      ?? {
        switch key.kind {
        case .tripleDES: .d40
        case .threeKeyTripleDES: .tripleDES
        case .aes: .aes
        }
      }()
    chain = [UInt8](repeating: 0, count: key.cipher.blockByteCount)
  }

  package var start: DESFireCommand { DESFireCommand(way.rawValue, [keyNumber]) }

  /// The answer to the card's encrypted challenge; nil where that has a wrong length.
  package mutating func answer(to cryptogram: [UInt8]) -> DESFireCommand? {
    guard cryptogram.count == challenge.count else { return nil }
    let cipher = key.cipher
    cardChallenge = cipher.decrypt(cryptogram, iv: chain)
    let token = challenge + Self.rotated(cardChallenge)
    guard way != .d40 else { return DESFireCommand(0xAF, cipher.chainDecrypting(token)) }
    let sent = cipher.encrypt(token, iv: Array(cryptogram.suffix(chain.count)))
    chain = Array(sent.suffix(chain.count))
    return DESFireCommand(0xAF, sent)
  }

  /// The session, once the card has proved itself, too; nil where it has not.
  package func session(from cryptogram: [UInt8]) -> DESFireSession? {
    guard cryptogram.count == challenge.count,
      key.cipher.decrypt(cryptogram, iv: chain) == Self.rotated(challenge)
    else { return nil }
    return DESFireSession(sessionKey, keyNumber: keyNumber, isFirstGeneration: way == .d40)
  }

  /// Of parts of both challenges (MF3ICDx21, 9.1.4).
  private var sessionKey: DESFireKey {
    let (a, b) = (challenge, cardChallenge)
    func part(_ range: Range<Int>) -> [UInt8] { Array(a[range] + b[range]) }
    let bytes: [UInt8]
    switch key.kind {
    case .tripleDES:
      let first = part(0..<4)
      // A DES key's session key is a DES key.
      let isSingle = zip(key.bytes[..<8], key.bytes[8...]).allSatisfy { $0 & 0xFE == $1 & 0xFE }
      bytes = first + (isSingle ? first : part(4..<8))
    case .threeKeyTripleDES: bytes = part(0..<4) + part(6..<10) + part(12..<16)
    case .aes: bytes = part(0..<4) + part(12..<16)
    }
    return DESFireKey(key.kind, bytes) ?? .delivered(key.kind)
  }

  /// One byte to the left.
  static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[1...] + bytes[..<1]) }
}

extension DESFireAuthentication: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}
