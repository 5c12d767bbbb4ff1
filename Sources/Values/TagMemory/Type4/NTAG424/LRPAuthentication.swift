import CardCrypto

/// How reader and an NTAG 424 DNA in LRP mode prove to each other that they know an AES key,
/// without input or output (NT4H2421Tx, 9.2.5 to 9.2.7; AN12321, 4).
///
///     71 keyNo 06 02 00 00 00 00 00   01 ‖ RndB
///     AF RndA ‖ code(RndA ‖ RndB)     E(TI ‖ PDCap2 ‖ PCDCap2) ‖ code(RndB ‖ RndA ‖ what was
///                                     encrypted)
///     77 keyNo                        within a session: the same, answered by code(RndB ‖ RndA)
///                                     alone
///
/// Codes are whole here. Session keys follow from both challenges and are used at once.
package struct LRPAuthentication: SecureAuthentication, Hashable {
  package let keyNumber: UInt8
  private let key: [UInt8]
  /// RndA.
  private let challenge: [UInt8]
  /// The session that a NonFirst goes on from.
  private let running: EV2Session?
  private var cardChallenge: [UInt8] = []
  private var sessionKey: [UInt8] = []

  /// What tells the tag that the reader wants LRP (PCDCap2).
  private static let capabilities: [UInt8] = [0x02, 0, 0, 0, 0, 0]
  /// What says that the tag answers so (AuthMode).
  private static let mode: UInt8 = 0x01

  /// `key` and `challenge` have 16 bytes each, the challenge random. With `running` the session
  /// goes on under another key.
  package init(
    key: [UInt8], number: UInt8, challenge: [UInt8], continuing running: EV2Session? = nil
  ) {
    precondition(key.count == 16 && challenge.count == 16, "AES keys and challenges have 16 bytes")
    (keyNumber, self.key, self.challenge, self.running) = (number, key, challenge, running)
  }

  package var start: DESFireCommand {
    running == nil
      ? DESFireCommand(0x71, [keyNumber, UInt8(Self.capabilities.count)] + Self.capabilities)
      : DESFireCommand(0x77, [keyNumber])
  }

  /// The answer to the card's challenge; nil where that has a wrong length or the tag is not in LRP
  /// mode.
  package mutating func answer(to answer: [UInt8]) -> DESFireCommand? {
    guard answer.count == 17, answer[0] == Self.mode else { return nil }
    cardChallenge = Array(answer[1...])
    sessionKey = LRP(key: key).authenticationCode(of: sessionVector)
    return DESFireCommand(
      0xAF, challenge + authentication.authenticationCode(of: challenge + cardChallenge))
  }

  /// The session, once the card has proved itself, too; nil where it has not.
  package func session(from answer: [UInt8]) -> EV2Session? {
    guard answer.count == (running == nil ? 32 : 16), !cardChallenge.isEmpty else { return nil }
    let data = Array(answer.dropLast(16))
    let code = authentication.authenticationCode(of: cardChallenge + challenge + data)
    guard code == Array(answer.suffix(16)) else { return nil }
    var session = EV2Session(
      keyNumber: keyNumber,
      suite: .lrp(
        encryption: LRP(key: sessionKey, updatedKey: 1), authentication: authentication, blocks: 0),
      transaction: running?.transaction ?? [0, 0, 0, 0], counter: running?.counter ?? 0)
    guard running == nil else { return session }
    let plain = session.decrypted(data)
    guard plain.suffix(6) == Self.capabilities[...] else { return nil }
    return session.named(Array(plain[..<4]))
  }

  /// What a tag that has `key` answers `token`, where it had sent zeros as its challenge and is
  /// called zeros, and the session that follows; nil where `token` does not prove that key.
  package static func tagProof(
    key: [UInt8], number: UInt8, token: [UInt8], continuing running: EV2Session? = nil
  ) -> (answer: [UInt8], session: EV2Session)? {
    guard key.count == 16, token.count == 32 else { return nil }
    let host = Array(token[..<16])
    var reader = LRPAuthentication(
      key: key, number: number, challenge: host, continuing: running)
    guard reader.answer(to: [mode] + AES128.zero)?.data == token else { return nil }
    var (data, count): ([UInt8], [UInt8]) = ([], [0, 0, 0, 0])
    if running == nil {
      data = LRP(key: reader.sessionKey, updatedKey: 1)
        .encrypt([0, 0, 0, 0] + capabilities + capabilities, counter: &count)
    }
    let answer =
      data + reader.authentication.authenticationCode(of: AES128.zero + host + data)
    return reader.session(from: answer).map { (answer, $0) }
  }

  private var authentication: LRP { LRP(key: sessionKey) }

  /// SV (9.2.7).
  private var sessionVector: [UInt8] {
    let (a, b) = (challenge, cardChallenge)
    let mixed = zip(a[2..<8], b[0..<6]).map { $0 ^ $1 }
    return [0x00, 0x01, 0x00, 0x80] + a[0..<2] + mixed + b[6..<16] + a[8..<16] + [0x96, 0x69]
  }
}

extension LRPAuthentication: CustomStringConvertible, CustomReflectable {
  package var description: String { "authentication with key \(keyNumber), LRP" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
