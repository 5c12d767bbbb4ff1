import CardCrypto

/// What the card and an authenticated host share until the next selection or error (MF3ICD81, 7.3;
/// libfreefare `mifare_desfire_crypto.c`).
struct DESFireSession {
  /// The key it was opened with.
  let keyNumber: UInt8
  /// Opened by command 0Ah: 4-byte MACs, CRC16, and a host that only decrypts; nothing is chained.
  let isLegacy: Bool
  private let cipher: any BlockCipher
  private var iv: [UInt8]

  /// `key` opened it; `host` and `card` are the two challenges.
  init(key: DESFireKey, number: UInt8, isLegacy: Bool, host: [UInt8], card: [UInt8]) {
    let parts: [Int] =
      switch key.kind {
      case .des: key.isSingle ? [0] : [0, 4]
      case .threeKeyDES: [0, 6, 12]
      case .aes: [0, 12]
      }
    let bytes = parts.flatMap { Array(host[$0..<$0 + 4] + card[$0..<$0 + 4]) }
    cipher = key.kind == .aes ? AES128(key: bytes) : TripleDES(key: bytes)
    (keyNumber, self.isLegacy) = (number, isLegacy)
    iv = [UInt8](repeating: 0, count: cipher.blockByteCount)
  }

  var blockSize: Int { cipher.blockByteCount }
  /// Bytes of a MAC and of a checksum.
  var macSize: Int { isLegacy ? 4 : 8 }
  var checkSize: Int { isLegacy ? 2 : 4 }

  /// The MAC of `message`. In a session that chains it becomes the next start value.
  mutating func mac(_ message: [UInt8]) -> [UInt8] {
    guard !isLegacy else {
      return Array(cipher.encrypt(padded(message), iv: iv).suffix(8).prefix(4))
    }
    iv = cipher.authenticationCode(of: message, iv: iv)
    return Array(iv.prefix(8))
  }

  /// Returns what a host sent enciphered: whole blocks.
  mutating func decrypt(_ data: [UInt8]) -> [UInt8] {
    guard isLegacy else {
      defer { iv = Array(data.suffix(blockSize)) }
      return cipher.decrypt(data, iv: iv)
    }
    var chain = iv
    return stride(from: 0, to: data.count, by: 8).flatMap { start in
      let block = Array(data[start..<start + 8])
      defer { chain = block }
      return zip(cipher.encryptBlock(block), chain).map { $0 ^ $1 }
    }
  }

  mutating func encrypt(_ data: [UInt8]) -> [UInt8] {
    let result = cipher.encrypt(padded(data), iv: iv)
    if !isLegacy { iv = Array(result.suffix(blockSize)) }
    return result
  }

  /// The checksum over data; a chaining session takes the command (or the status) in.
  func check(_ command: [UInt8], _ data: [UInt8]) -> [UInt8] {
    isLegacy ? CRCA.bytes(of: data) : CRC32.bytes(of: command + data)
  }

  /// Zeros up to whole blocks.
  func padded(_ data: [UInt8]) -> [UInt8] {
    data + [UInt8](repeating: 0, count: (blockSize - data.count % blockSize) % blockSize)
  }
}
