import CardCrypto

/// The keys of an Ultralight AES (MF0AES20).
///
/// The sheet was not at hand. Pages, bits and authentication are those on which libpretixnfc,
/// stustapay and Proxmark3 agree; the counting of wrong keys is quoted by the Flipper Zero's
/// unleashed firmware from 8.6.5. What no source says is as on Ultralight EV1: that lock bytes hold
/// at once and CFGLCK from the next power-up, the codes of NAKs, and that a write to page 45 only
/// sets bits. RID_ACT is stored and does nothing: `uid=random` makes such a tag.
extension VirtualType2 {
  /// DataProtKey (key 0), UIDRetrKey (key 1), four pages each; they read as zeros.
  static let keyPages = 48..<56
  /// Byte 0: bit 7 and bit 6 lock key 1 and key 0, bit 5 keeps both bits as they are.
  static let keyLockPage = 45

  /// AUTHENTICATE, part 1: AFh and the encrypted challenge. Key 2, which proves that the maker made
  /// the chip, is known to NXP alone: this tag has one of its own.
  func challenge(key number: Int) -> TagAnswer {
    guard number < 3, !isClosedForGood else { return refuse(isClosedForGood ? 0x4 : 0x0) }
    (isAuthenticated, hasProvenKey) = (false, false)
    let words: [UInt64] = [generator.next(), generator.next()]
    let random = words.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
    pending = .aesChallenge(key: number, random: random)
    return .data([0xAF] + aesKey(number).encrypt(random, iv: AES128.zero))
  }

  /// Part 2: the reader proves that it could decrypt the challenge, and gets its own one back,
  /// rotated. Key 0 opens the memory; the others open nothing.
  func prove(_ token: [UInt8], after pending: Pending?) -> TagAnswer {
    guard case .aesChallenge(let number, let random) = pending else { return refuse() }
    let key = aesKey(number)
    let plain = key.decrypt(token, iv: AES128.zero)
    guard Array(plain[16...]) == rotated(random) else {
      if attemptLimit > 0 { registers.failedAuthentications += 1 }
      return refuse()
    }
    registers.failedAuthentications = max(0, registers.failedAuthentications - 16)
    (isAuthenticated, hasProvenKey) = (number == 0, number < 2)
    return .data([0x00] + key.encrypt(rotated(Array(plain[..<16])), iv: AES128.zero))
  }

  /// The key as it is stored, from its last byte to its first.
  private func aesKey(_ number: Int) -> AES128 {
    guard number < 2 else { return AES128(key: (0..<16).map { 0x20 + $0 }) }
    let start = (Self.keyPages.lowerBound + 4 * number) * 4
    return AES128(key: eeprom.bytes[start..<start + 16].reversed())
  }

  /// AUTH_LIM: ten bits, low byte first; 0: no limit.
  private var attemptLimit: Int {
    let bytes = stored(cfg + 1)
    return Int(bytes[2]) | Int(bytes[3] & 0x03) << 8
  }

  private var isClosedForGood: Bool {
    attemptLimit > 0 && registers.failedAuthentications >= attemptLimit
  }

  /// SEC_MSG_ACT: whoever has proven a key is answered only where each command has a CMAC.
  var takesPlainCommands: Bool {
    !silicon.hasAES || !hasProvenKey || stored(cfg)[0] & 0x02 == 0
  }

  func keyIsLocked(_ page: Int) -> Bool {
    let bits = stored(Self.keyLockPage)[0]
    switch page {
    case 48..<52: return bits & 0x40 != 0
    case 52..<56: return bits & 0x80 != 0
    default: return false
    }
  }

  func lockKeys(_ bits: UInt8) -> TagAnswer {
    let old = stored(Self.keyLockPage)
    let settable: UInt8 = old[0] & 0x20 == 0 ? 0xE0 : 0x20
    return program([old[0] | bits & settable] + old[1...], Self.keyLockPage)
  }
}
