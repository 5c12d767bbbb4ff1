import CardCrypto

/// What a tag and a host share that has authenticated (NT4H2421Gx, 9.1). It decides which keys the
/// host is known to have.
struct NTAG424Session {
  /// 0 to 4.
  let keyNumber: UInt8
  let transaction: [UInt8]
  /// CmdCtr.
  var counter: UInt16
  private let encryption: AES128
  private let authentication: AES128

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
    (encryption, authentication) = (session([0xA5, 0x5A]), session([0x5A, 0xA5]))
  }

  private var counterBytes: [UInt8] { [UInt8(counter & 0xFF), UInt8(counter >> 8)] }

  /// MACt over a first byte (command or status), counter, TI and `rest`.
  func mac(_ first: UInt8, _ rest: [UInt8]) -> [UInt8] {
    NTAG424Session.truncated(
      authentication.authenticationCode(of: [first] + counterBytes + transaction + rest))
  }

  static func truncated(_ mac: [UInt8]) -> [UInt8] {
    (0..<8).map { mac[2 * $0 + 1] }
  }

  private func start(_ label: [UInt8]) -> [UInt8] {
    encryption.encryptBlock(
      label + transaction + counterBytes + [UInt8](repeating: 0, count: 8))
  }

  /// What a host sent enciphered, without its padding; nil where that is none.
  func deciphered(_ data: [UInt8]) -> [UInt8]? {
    guard !data.isEmpty, data.count.isMultiple(of: 16) else { return nil }
    var plain = encryption.decrypt(data, iv: start([0xA5, 0x5A]))
    while plain.last == 0 { plain.removeLast() }
    return plain.popLast() == 0x80 ? plain : nil
  }

  /// An answer, enciphered. The counter has moved on before.
  func enciphered(_ data: [UInt8]) -> [UInt8] {
    guard !data.isEmpty else { return [] }
    var padded = data + [0x80]
    while !padded.count.isMultiple(of: 16) { padded.append(0) }
    return encryption.encrypt(padded, iv: start([0x5A, 0xA5]))
  }
}

/// An authentication whose second part is awaited.
struct NTAG424Handshake {
  let keyNumber: UInt8
  /// RndB.
  let challenge: [UInt8]
  /// TI of the session that goes on, and its counter; nil for the first.
  let running: (transaction: [UInt8], counter: UInt16)?
}
