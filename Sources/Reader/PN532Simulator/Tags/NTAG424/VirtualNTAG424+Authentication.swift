import CardCrypto

/// How a host authenticates (9.1.5, 9.1.6, 9.1.11).
extension VirtualNTAG424 {
  /// A tag in LRP mode takes a first authentication only from who says that he can (NT4H2421Tx,
  /// table 19); with AES that makes no difference.
  func begin(
    _ number: UInt8, first: Bool, _ capabilities: [UInt8]
  ) throws(DESFireStatus) -> [UInt8] {
    guard applicationIsSelected, number < 5 else { throw .noSuchKey }
    let isLRP = configuration.isLRP
    if isLRP, first { guard (capabilities.first ?? 0) & 0x02 != 0 else { throw .permission } }
    var running: (transaction: [UInt8], counter: UInt16)?
    if !first {
      guard let session else { throw .permission }
      running = (session.transaction, session.counter)
    }
    session = nil
    guard registers.failures[Int(number)] < configuration.limit else { throw .authentication }
    // Each failure more than fifty in a row costs one answer more.
    let inARow = registers.failuresInARow[Int(number)]
    if inARow >= Self.freeFailures, delaysAnswered < min(inARow - Self.freeFailures + 1, 16) {
      delaysAnswered += 1
      throw .delay
    }
    delaysAnswered = 0
    let challenge = randomBytes(16)
    handshake = NTAG424Handshake(keyNumber: number, challenge: challenge, running: running)
    if isLRP {
      handshake?.capabilities = Array((capabilities + [0, 0, 0, 0, 0, 0]).prefix(6))
      return [0x01] + challenge
    }
    return AES128(key: key(number)).encrypt(challenge, iv: AES128.zero)
  }

  static let freeFailures = 50

  func finish(_ begun: NTAG424Handshake, _ token: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard token.count == 32 else { throw .length }
    if let capabilities = begun.capabilities { return try finishLRP(begun, capabilities, token) }
    let cipher = AES128(key: key(begun.keyNumber))
    let plain = cipher.decrypt(token, iv: AES128.zero)
    let index = Int(begun.keyNumber)
    let expected = Array(begun.challenge[1...] + begun.challenge[..<1])
    guard Array(plain[16...]) == expected else { throw failed(index) }
    succeeded(index)
    let host = Array(plain[..<16])
    let transaction = begun.running?.transaction ?? randomBytes(4)
    session = NTAG424Session(
      key: key(begun.keyNumber), number: begun.keyNumber, host: host, tag: begun.challenge,
      transaction: transaction, counter: begun.running?.counter ?? 0)
    let turned = Array(host[1...] + host[..<1])
    // PDcap2 and PCDcap2 are zeros.
    let reply =
      begun.running == nil
      ? transaction + turned + [UInt8](repeating: 0, count: 12) : turned
    return cipher.encrypt(reply, iv: AES128.zero)
  }

  func failed(_ index: Int) -> DESFireStatus {
    registers.failures[index] += 1
    registers.failuresInARow[index] += 1
    return .authentication
  }

  func succeeded(_ index: Int) {
    registers.failures[index] = max(0, registers.failures[index] - configuration.decrement)
    registers.failuresInARow[index] = 0
  }

  /// NT4H2421Tx, 9.2.5 and 9.2.6.
  func finishLRP(
    _ begun: NTAG424Handshake, _ capabilities: [UInt8], _ token: [UInt8]
  ) throws(DESFireStatus) -> [UInt8] {
    let host = Array(token[..<16])
    let transaction = begun.running?.transaction ?? randomBytes(4)
    var made = NTAG424Session(
      leakageResilient: key(begun.keyNumber), number: begun.keyNumber, host: host,
      tag: begun.challenge, transaction: transaction, counter: begun.running?.counter ?? 0)
    guard made.wholeCode(host + begun.challenge) == Array(token[16...]) else {
      throw failed(Int(begun.keyNumber))
    }
    succeeded(Int(begun.keyNumber))
    var data: [UInt8] = []
    if begun.running == nil {
      // PDCap2: LRP is on.
      data = made.enciphered(whole: transaction + [0x02, 0, 0, 0, 0, 0] + capabilities)
    }
    session = made
    return data + made.wholeCode(begun.challenge + host + data)
  }
}
