import CardCrypto

/// How reader and NTAG 424 DNA prove to each other that they know an AES key, without input or
/// output (NT4H2421Gx, 9.1.5 and 9.1.6; AN12196, 6.6).
///
///     71 keyNo 00   E(RndB)
///     AF            E(RndA ‖ RndB′) → E(TI ‖ RndA′ ‖ PDcap2 ‖ PCDcap2)
///     77 keyNo      within a session: the same, answered by E(RndA′); TI and counter go on
///
/// ′ stands for: the first byte moved to the end.
///
/// Each message is CBC with a vector of zeros, without padding.
package struct EV2Authentication: SecureAuthentication, Hashable {
  package let keyNumber: UInt8
  private let cipher: AES128
  /// RndA.
  private let challenge: [UInt8]
  /// The session that a NonFirst goes on from.
  private let running: EV2Session?
  private var cardChallenge: [UInt8] = []

  /// Bytes of a challenge.
  package static let challengeByteCount = 16

  /// `key` and `challenge` have 16 bytes each, the challenge random. With `running` the session
  /// goes on under another key.
  package init(
    key: [UInt8], number: UInt8, challenge: [UInt8], continuing running: EV2Session? = nil
  ) {
    precondition(key.count == 16 && challenge.count == 16, "AES keys and challenges have 16 bytes")
    cipher = AES128(key: key)
    (keyNumber, self.challenge, self.running) = (number, challenge, running)
  }

  package var start: DESFireCommand {
    running == nil ? DESFireCommand(0x71, [keyNumber, 0x00]) : DESFireCommand(0x77, [keyNumber])
  }

  /// The answer to the card's encrypted challenge; nil where that has a wrong length.
  package mutating func answer(to cryptogram: [UInt8]) -> DESFireCommand? {
    guard cryptogram.count == 16 else { return nil }
    cardChallenge = cipher.decrypt(cryptogram, iv: AES128.zero)
    return DESFireCommand(
      0xAF, cipher.encrypt(challenge + Self.rotated(cardChallenge), iv: AES128.zero))
  }

  /// The session, once the card has proved itself, too; nil where it has not.
  package func session(from cryptogram: [UInt8]) -> EV2Session? {
    guard cryptogram.count == (running == nil ? 32 : 16), !cardChallenge.isEmpty else { return nil }
    let plain = cipher.decrypt(cryptogram, iv: AES128.zero)
    let proof = running == nil ? Array(plain[4..<20]) : plain
    guard proof == Self.rotated(challenge) else { return nil }
    return EV2Session(
      keyNumber: keyNumber, encryption: sessionKey(0xA5, 0x5A),
      authentication: sessionKey(0x5A, 0xA5),
      transaction: running?.transaction ?? Array(plain[..<4]), counter: running?.counter ?? 0)
  }

  /// What a tag that has `key` answers `token`, where it had sent zeros as its cryptogram and is
  /// called zeros, and the session that follows; nil where `token` does not prove that key.
  package static func tagProof(
    key: [UInt8], number: UInt8, token: [UInt8], continuing running: EV2Session? = nil
  ) -> (answer: [UInt8], session: EV2Session)? {
    guard key.count == 16, token.count == 32 else { return nil }
    let cipher = AES128(key: key)
    let host = Array(cipher.decrypt(token, iv: AES128.zero)[..<16])
    var reader = EV2Authentication(
      key: key, number: number, challenge: host, continuing: running)
    guard reader.answer(to: AES128.zero)?.data == token else { return nil }
    let (name, capabilities) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 12))
    let plain = running == nil ? name + rotated(host) + capabilities : rotated(host)
    let answer = cipher.encrypt(plain, iv: AES128.zero)
    return reader.session(from: answer).map { (answer, $0) }
  }

  /// Of both challenges (NT4H2421Gx, 9.1.7): the label is A55A for encryption and 5AA5 for codes.
  private func sessionKey(_ first: UInt8, _ second: UInt8) -> [UInt8] {
    let (a, b) = (challenge, cardChallenge)
    let mixed = zip(a[2..<8], b[0..<6]).map { $0 ^ $1 }
    return cipher.authenticationCode(
      of: [first, second, 0x00, 0x01, 0x00, 0x80] + a[0..<2] + mixed + b[6..<16] + a[8..<16])
  }

  /// One byte to the left.
  private static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[1...] + bytes[..<1]) }
}

extension EV2Authentication: CustomStringConvertible, CustomReflectable {
  package var description: String { "authentication with key \(keyNumber)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
