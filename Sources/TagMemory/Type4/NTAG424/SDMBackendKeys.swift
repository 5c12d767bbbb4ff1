import CardCrypto

/// Keys as sdm-backend derives them from its master key (`libsdm/derive.py`, the scheme of 2023).
struct SDMBackendKeys {
  private let master: AESKey

  init(_ master: AESKey) { self.master = master }

  /// Key 1, for UID and counter, is the same on all tags. A master of zeros gives zeros.
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

/// HMAC with SHA-256 (RFC 2104, FIPS 180-4), as few lines as the derivation of a key needs.
enum HMACSHA256 {
  /// `key` has 64 bytes at most.
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
    let inner = hash(padded.map { $0 ^ 0x36 } + message)
    return hash(padded.map { $0 ^ 0x5C } + inner)
  }

  static func hash(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    var state = start
    for block in stride(from: 0, to: padded.count, by: 64) {
      compress(&state, padded[block..<block + 64])
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
    }
    func rotated(_ word: UInt32, _ counts: Int...) -> UInt32 {
      counts.reduce(0) { $0 ^ (word >> UInt32($1) | word << UInt32(32 - $1)) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let mixed =
        (rotated(early, 7, 18) ^ early >> 3) &+ (rotated(late, 17, 19) ^ late >> 10)
      words.append(words[index - 16] &+ words[index - 7] &+ mixed)
    }
    var s = state
    for index in 0..<64 {
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let first = s[7] &+ rotated(s[4], 6, 11, 25) &+ choice &+ constants[index] &+ words[index]
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      let second = rotated(s[0], 2, 13, 22) &+ majority
      s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    state = zip(state, s).map { $0 &+ $1 }
  }

  private static let start: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
    0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ].map { UInt32($0) }
}
