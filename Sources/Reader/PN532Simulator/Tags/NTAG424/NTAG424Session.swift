import CardCrypto

/// What a tag and a host share that has authenticated (NT4H2421Gx, 9.1). It decides which keys the
/// host is known to have.
struct NTAG424Session {
  /// 0 to 4.
  let keyNumber: UInt8
  let transaction: [UInt8]
  /// CmdCtr.
  var counter: UInt16
  private var suite: Suite

  private enum Suite {
    case aes(encryption: AES128, authentication: AES128)
    /// `blocks` were enciphered since the authentication (NT4H2421Tx, 9.2.4).
    case lrp(encryption: LRP, authentication: LRP, blocks: UInt32)
  }

  var isLRP: Bool { if case .lrp = suite { true } else { false } }

  /// `host` and `tag` are the two challenges, RndA and RndB.
  init(
    key: [UInt8], number: UInt8, host: [UInt8], tag: [UInt8], transaction: [UInt8], counter: UInt16
  ) {
    (keyNumber, self.transaction, self.counter) = (number, transaction, counter)
    let cipher = AES128(key: key)
    // 9.1.7: the vector begins with 16 bits of label, a counter and a length.
    func session(_ label: [UInt8]) -> AES128 {
      var vector = label + [0x00, 0x01, 0x00, 0x80] + host[0...1]
      for index in 0..<6 { vector.append(host[2 + index] ^ tag[index]) }
      return AES128(key: cipher.authenticationCode(of: vector + tag[6...] + host[8...]))
    }
    suite = .aes(encryption: session([0xA5, 0x5A]), authentication: session([0x5A, 0xA5]))
  }

  /// Opens the session of a tag in LRP mode (NT4H2421Tx, 9.2.7); its keys are used before it is
  /// open. `host` and `tag` are the two challenges, RndA and RndB.
  init(
    leakageResilient key: [UInt8], number: UInt8, host: [UInt8], tag: [UInt8],
    transaction: [UInt8], counter: UInt16
  ) {
    (keyNumber, self.transaction, self.counter) = (number, transaction, counter)
    var vector: [UInt8] = [0x00, 0x01, 0x00, 0x80] + host[0...1]
    for index in 0..<6 { vector.append(host[2 + index] ^ tag[index]) }
    vector += tag[6...] + host[8...] + [0x96, 0x69]
    let master = LRP(key: key).authenticationCode(of: vector)
    suite = .lrp(
      encryption: LRP(key: master, updatedKey: 1), authentication: LRP(key: master), blocks: 0)
  }

  /// A whole code of what is said while a host and an LRP tag authenticate; empty without LRP.
  func wholeCode(_ message: [UInt8]) -> [UInt8] {
    guard case .lrp(_, let authentication, _) = suite else { return [] }
    return authentication.authenticationCode(of: message)
  }

  /// Whole blocks, enciphered or the other way round, with the next numbers.
  private mutating func counted(
    _ bytes: [UInt8], _ turn: (LRP, [UInt8], inout [UInt8]) -> [UInt8]
  ) -> [UInt8] {
    guard case .lrp(let encryption, let authentication, let blocks) = suite else { return bytes }
    var count = [24, 16, 8, 0].map { UInt8(blocks >> $0 & 0xFF) }
    suite = .lrp(
      encryption: encryption, authentication: authentication,
      blocks: blocks + UInt32(bytes.count / 16))
    return turn(encryption, bytes, &count)
  }

  /// TI and capabilities, as the first authentication ends with them.
  mutating func enciphered(whole bytes: [UInt8]) -> [UInt8] {
    counted(bytes) { $0.encrypt($1, counter: &$2) }
  }

  private var counterBytes: [UInt8] { [UInt8(counter & 0xFF), UInt8(counter >> 8)] }

  /// MACt over a first byte (command or status), counter, TI and `rest`.
  func mac(_ first: UInt8, _ rest: [UInt8]) -> [UInt8] {
    let message = [first] + counterBytes + transaction + rest
    let whole =
      switch suite {
      case .aes(_, let authentication): authentication.authenticationCode(of: message)
      case .lrp(_, let authentication, _): authentication.authenticationCode(of: message)
      }
    return NTAG424Session.truncated(whole)
  }

  static func truncated(_ mac: [UInt8]) -> [UInt8] {
    (0..<8).map { mac[2 * $0 + 1] }
  }

  private func start(_ label: [UInt8], _ encryption: AES128) -> [UInt8] {
    encryption.encryptBlock(
      label + transaction + counterBytes + [UInt8](repeating: 0, count: 8))
  }

  /// Returns what a host sent enciphered, without its padding; nil where that is none.
  mutating func deciphered(_ data: [UInt8]) -> [UInt8]? {
    guard !data.isEmpty, data.count.isMultiple(of: 16) else { return nil }
    var plain =
      if case .aes(let encryption, _) = suite {
        encryption.decrypt(data, iv: start([0xA5, 0x5A], encryption))
      } else {
        counted(data) { $0.decrypt($1, counter: &$2) }
      }
    while plain.last == 0 { plain.removeLast() }
    return plain.popLast() == 0x80 ? plain : nil
  }

  /// An answer, enciphered. The counter has moved on before.
  mutating func enciphered(_ data: [UInt8]) -> [UInt8] {
    guard !data.isEmpty else { return [] }
    var padded = data + [0x80]
    while !padded.count.isMultiple(of: 16) { padded.append(0) }
    if case .aes(let encryption, _) = suite {
      return encryption.encrypt(padded, iv: start([0x5A, 0xA5], encryption))
    }
    return enciphered(whole: padded)
  }
}

/// An authentication whose second part is awaited.
struct NTAG424Handshake {
  let keyNumber: UInt8
  /// RndB.
  let challenge: [UInt8]
  /// TI of the session that goes on, and its counter; nil for the first.
  let running: (transaction: [UInt8], counter: UInt16)?
  /// What the host of an LRP session said that it can (PCDCap2, six bytes); nil without LRP.
  var capabilities: [UInt8]?
}
