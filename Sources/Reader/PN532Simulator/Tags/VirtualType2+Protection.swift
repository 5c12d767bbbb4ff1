import CardCrypto

extension VirtualType2 {
  /// The first configuration page (8.5.7); only chips that have one ask.
  var cfg: Int { silicon.configuration ?? silicon.pageCount }

  /// ACCESS: byte 0 of CFG1. Zero where there is no such page.
  var access: UInt8 { silicon.configuration.map { stored($0 + 1)[0] } ?? 0 }

  /// AUTH0 and whether reading is protected, too (PROT set; AUTH1 bit 0 clear), as the cells hold
  /// them.
  var storedProtection: HeldProtection {
    if silicon.hasTripleDES {
      return HeldProtection(firstPage: Int(stored(42)[0]), coversReading: stored(43)[0] & 1 == 0)
    }
    guard silicon.configuration != nil else {
      return HeldProtection(firstPage: .max, coversReading: false)
    }
    return HeldProtection(firstPage: Int(stored(cfg)[3]), coversReading: access & 0x80 != 0)
  }

  private var protection: HeldProtection {
    guard protectionHolds != .now, let heldProtection else { return storedProtection }
    return heldProtection
  }

  /// AUTH0: this page and those after it are protected, as long as nobody has authenticated.
  private var firstProtectedPage: Int { isAuthenticated ? .max : protection.firstPage }

  func isWriteProtected(_ page: Int) -> Bool { page >= firstProtectedPage }

  /// The first page that a read does not reach: the end of the memory, the 3DES key, or AUTH0 where
  /// reading is protected too.
  var readableEnd: Int {
    let end = silicon.hasTripleDES ? 44 : silicon.pageCount
    return protection.coversReading ? min(end, firstProtectedPage) : end
  }

  /// PWD_AUTH (10.7): PACK, or NAK 0; NAK 4 once AUTHLIM wrong passwords came in a row, for ever
  /// (8.8.2).
  func verify(password: [UInt8]) -> TagAnswer {
    let limit = Int(access & 0x07)
    if limit > 0, registers.failedAuthentications >= limit { return refuse(0x4) }
    guard password == stored(cfg + 2) else {
      if limit > 0 { registers.failedAuthentications += 1 }
      return refuse()
    }
    registers.failedAuthentications = 0
    isAuthenticated = true
    return .data(Array(stored(cfg + 3)[..<2]))
  }

  /// 3DES authentication, part 1 (MF0ICU2, 7.5.5): AFh and the encrypted challenge.
  func challenge() -> TagAnswer {
    guard let key else { return refuse() }
    isAuthenticated = false
    let word: UInt64 = generator.next()
    let random = (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    let cryptogram = key.encrypt(random, iv: TripleDES.zero)
    pending = .challenge(random: random, cryptogram: cryptogram)
    return .data([0xAF] + cryptogram)
  }

  /// Part 2: the reader proves that it could decrypt the challenge, and gets its own one back,
  /// rotated.
  func respond(to frame: [UInt8], after pending: Pending?) -> TagAnswer {
    guard let key, case .challenge(let random, let cryptogram) = pending else { return refuse() }
    let token = Array(frame[1...])
    let plain = key.decrypt(token, iv: cryptogram)
    guard Array(plain[8...]) == rotated(random) else { return refuse() }
    isAuthenticated = true
    return .data([0x00] + key.encrypt(rotated(Array(plain[..<8])), iv: Array(token[8...])))
  }

  /// One byte to the left.
  func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[1...] + bytes[..<1]) }
}

/// When a change of AUTH0, PROT or AUTH1 begins to count.
package enum ProtectionStart: String, Hashable, Sendable, CaseIterable {
  /// With the write (NXP community, thread 488217).
  case now
  /// With the next selection (a trace of an NTAG215 in flipperzero-firmware#4321).
  case selection
  /// With the next power-up, which that trace does not tell from it.
  case power
}

/// What AUTH0 and its companions say.
struct HeldProtection {
  /// The first page that needs authentication.
  let firstPage: Int
  let coversReading: Bool
}
