import CardCrypto

/// Keys as sdm-backend derives them from its master key (`libsdm/derive.py`, the scheme of 2023).
struct SDMBackendKeys {
  private let master: SDMBackendMaster

  init(_ master: SDMBackendMaster) { self.master = master }

  /// Key 1, for UID and counter, is the same on all tags. A master of 16 zeros gives zeros.
  func key(_ number: UInt8, of uid: UID) -> AESKey {
    guard !master.isDelivered else { return .delivered }
    guard number != 1 else { return short(code("PICCDataKey")) }
    let base = code("DivBaseKey")
    let slot = short(HMACSHA256.code(of: Array("SlotMasterKey".utf8) + [number], key: master.bytes))
    let tag = HMACSHA256.code(of: uid.bytes, key: base)
    let bytes = AES128(key: slot.bytes).authenticationCode(of: [0x01] + tag[..<16])
    return AESKey(bytes) ?? .delivered
  }

  private func code(_ label: String) -> [UInt8] {
    HMACSHA256.code(of: Array(label.utf8), key: master.bytes)
  }

  private func short(_ code: [UInt8]) -> AESKey { AESKey(Array(code[..<16])) ?? .delivered }
}

/// HMAC with SHA-256 (RFC 2104).
enum HMACSHA256 {
  /// `key` has 64 bytes at most.
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
    let inner = SHA256.hash(padded.map { $0 ^ 0x36 } + message)
    return SHA256.hash(padded.map { $0 ^ 0x5C } + inner)
  }
}
