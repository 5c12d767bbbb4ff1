import CardCrypto

/// A MIFARE Ultralight or NTAG (NFC Forum Type 2 Tag): refuses what the silicon refuses.
///
/// EEPROM layout: page n at offset 4 n, lock bytes, password and key included. Sections are those
/// of the data sheet NTAG213/215/216 unless another one is named.
package final class VirtualType2: ActivatedTag {
  package let silicon: Type2Silicon
  package let uid: [UInt8]
  package let eeprom: EEPROM
  /// What the chip keeps without power outside its pages.
  package var registers = Type2Registers()
  /// Where the challenges of authentications come from.
  package var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

  package var product: String { silicon.name }
  package let atqa: UInt16 = 0x0044
  package let sak: UInt8 = 0x00
  package var ats: [UInt8] { [] }

  package var activation = Activation()
  /// After PWD_AUTH, the 3DES authentication or that with AES key 0.
  var isAuthenticated = false
  /// After an authentication with any AES key.
  var hasProvenKey = false
  /// From when on AUTH0 and what goes with it count. The sheets do not say; reports differ.
  package var protectionHolds = ProtectionStart.now
  /// AUTH0 and ACCESS, or AUTH0 and AUTH1, as they were when they began to count. Nil until the tag
  /// is first selected.
  var heldProtection: HeldProtection?
  /// Is true if a mirror of UID and counter of which the UID alone fits shows that UID.
  package var judgesMirrorsApart = false
  /// CFGLCK as it was at power-up: it takes effect only then. Nil until the tag is first selected.
  var configurationIsFrozen: Bool?
  /// Is true if the read counter has moved since power-up.
  var hasCounted = false
  /// The 3DES key as it was at activation: a new one counts only then (MF0ICU2, 7.5.7).
  var key: TripleDES?
  var pending: Pending?
  /// The static and the dynamic lock bytes that hold: in older chips those at the last activation.
  var locks: (fixed: [UInt8], dynamic: [UInt8]) {
    if let locksAtActivation, !silicon.locksAtOnce { return locksAtActivation }
    return storedLocks
  }
  private var storedLocks: (fixed: [UInt8], dynamic: [UInt8]) {
    (Array(stored(2)[2...]), silicon.dynamicLock.map { stored($0.page) } ?? [])
  }
  private var locksAtActivation: (fixed: [UInt8], dynamic: [UInt8])?

  enum Pending {
    /// COMPATIBILITY_WRITE, part 1 acknowledged.
    case write(page: Int)
    /// 3DES authentication, part 1 answered: the challenge and its cryptogram.
    case challenge(random: [UInt8], cryptogram: [UInt8])
    /// AES authentication, part 1 answered: the key's number and the challenge.
    case aesChallenge(key: Int, random: [UInt8])
  }

  /// A tag as delivered, or with `blank` one whose OTP page and user memory are zeros. `uid` has 7
  /// bytes.
  package init(_ silicon: Type2Silicon, uid: [UInt8], blank: Bool = false) {
    precondition(uid.count == 7, "a UID of a wrong size")
    self.silicon = silicon
    self.uid = uid
    eeprom = EEPROM(silicon.memory(uid: uid, blank: blank))
  }

  package func powerOff() {
    returnToIdle()
    configurationIsFrozen = nil
    heldProtection = nil
    hasCounted = false
  }

  package func select() {
    forget()
    if configurationIsFrozen == nil { configurationIsFrozen = access & 0x40 != 0 }
    locksAtActivation = storedLocks
    if heldProtection == nil || protectionHolds == .selection { heldProtection = storedProtection }
    if silicon.hasTripleDES { key = TripleDES(ultralightMemory: eeprom.bytes[176..<192]) }
    activation.select()
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    let continued = pending
    pending = nil
    if case .write(let page) = continued {
      return frame.count == 16 ? write(Array(frame[..<4]), page: page) : ignore()
    }
    if let code = frame.first, let length = lengths[code], length != frame.count { return ignore() }
    guard takesPlainCommands || frame.first == 0x1A || frame.first == 0xAF || frame.first == 0x50
    else { return refuse() }
    switch (frame.first, frame.count) {
    case (0x50, 2) where frame[1] == 0:
      halt()
      return .silence
    case (0x30, 2): return read(from: Int(frame[1]))
    case (0xA2, 6): return write(Array(frame[2...]), page: Int(frame[1]))
    case (0xA0, 2): return beginWrite(page: Int(frame[1]))
    case (0x1A, 2) where silicon.hasTripleDES && frame[1] == 0: return challenge()
    case (0xAF, 17) where silicon.hasTripleDES: return respond(to: frame, after: continued)
    case (0x1A, 2) where silicon.hasAES: return challenge(key: Int(frame[1]))
    case (0xAF, 33) where silicon.hasAES: return prove(Array(frame[1...]), after: continued)
    default: return receiveExtended(frame)
    }
  }

  /// The commands that came with GET_VERSION (10.1).
  private func receiveExtended(_ frame: [UInt8]) -> TagAnswer {
    switch (frame.first, frame.count) {
    case (0x60, 1):
      return silicon.version.map { .data($0) } ?? unknown()
    case (0x3A, 3) where silicon.commands.contains(.fastRead):
      return fastRead(Int(frame[1]), through: Int(frame[2]))
    case (0x1B, 5) where silicon.commands.contains(.password) && !silicon.hasAES:
      return verify(password: Array(frame[1...]))
    case (0x3C, 2) where silicon.commands.contains(.signature):
      return frame[1] == 0 ? .data(signature) : refuse()
    case (0xA4, 2) where silicon.mirror == .tamper && frame[1] == 0:
      return .data(tamperStatus)
    case (0x39, 2) where silicon.counters != .none: return readCounter(Int(frame[1]))
    case (0xA5, 6) where silicon.counters == .three:
      return increment(Int(frame[1]), by: Array(frame[2..<5]))
    case (0x3E, 2) where silicon.counters == .three: return checkTearing(Int(frame[1]))
    case (0x4B, 21) where silicon.counters == .three: return .data([stored(cfg + 1)[1]])
    default: return unknown()
    }
  }

  /// NAK `code` (9.3), then IDLE or HALT: nothing is answered until the tag is selected again.
  func refuse(_ code: UInt8 = 0x0) -> TagAnswer {
    fallBack()
    return .nibble(code)
  }

  /// A frame that ends too early or too late: no answer, then IDLE or HALT.
  private func ignore() -> TagAnswer {
    fallBack()
    return .silence
  }

  /// NAK 1: parity or CRC (9.3).
  package func receiveDamaged() -> TagAnswer {
    guard state == .active else { return .silence }
    return refuse(0x1)
  }

  private func unknown() -> TagAnswer {
    silicon.answersUnknownCommands ? refuse() : ignore()
  }

  /// How many bytes each command has that this chip knows.
  private var lengths: [UInt8: Int] {
    var lengths: [UInt8: Int] = [0x30: 2, 0xA2: 6, 0xA0: 2, 0x50: 2]
    if silicon.hasTripleDES { lengths.merge([0x1A: 2, 0xAF: 17]) { $1 } }
    if silicon.hasAES { lengths.merge([0x1A: 2, 0xAF: 33]) { $1 } }
    if silicon.isModern {
      lengths.merge([0x60: 1, 0x3A: 3, 0x1B: 5, 0x3C: 2]) { $1 }
      if silicon.mirror == .tamper { lengths[0xA4] = 2 }
      if silicon.counters != .none { lengths[0x39] = 2 }
      if silicon.counters == .three { lengths.merge([0xA5: 6, 0x3E: 2, 0x4B: 21]) { $1 } }
    }
    return lengths
  }

  package func forget() {
    isAuthenticated = false
    hasProvenKey = false
    pending = nil
  }

  /// A page's bytes as the cells hold them.
  func stored(_ page: Int) -> [UInt8] { Array(eeprom.bytes[page * 4..<page * 4 + 4]) }

  /// The signature over the UID (10.8).
  private var signature: [UInt8] {
    MakerSignature.bytes(
      of: uid, on: silicon.signature.curve, isHashed: silicon.signature.isHashed)
  }
}

/// What a Type 2 chip keeps in non-volatile memory outside its pages. Both are torn by nothing
/// (8.6, 8.8.2).
package struct Type2Registers: Hashable, Sendable {
  /// Counters 0 to 2, 24 bits each; NTAG213/215/216 have number 2 only.
  package var counters: [UInt32] = [0, 0, 0]
  /// Wrong passwords in a row while AUTHLIM is not zero; wrong AES keys, less 16 for each right
  /// one.
  package var failedAuthentications = 0

  package init() {}
}
