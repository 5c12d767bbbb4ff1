/// An NTAG I2C without power on its I2C side: refuses what the silicon refuses.
///
/// EEPROM layout: the pages of `NTAGI2CSilicon.pages`, four bytes each. Sections are those of
/// NT3H2111/NT3H2211 rev. 3.5. Without VCC there is neither SRAM nor pass-through.
package final class VirtualNTAGI2C: ActivatedTag {
  package let silicon: NTAGI2CSilicon
  package let uid: [UInt8]
  package let eeprom: EEPROM
  /// Wrong passwords in a row while AUTHLIM is not zero.
  var failedAuthentications = 0
  /// From when on AUTH0, NFC_PROT and 2K_PROT count.
  package var protectionHolds = ProtectionStart.now
  var heldProtection: Protection?

  package var product: String { silicon.name }
  package let atqa: UInt16 = 0x0044
  package let sak: UInt8 = 0x00
  package var ats: [UInt8] { [] }
  package var activation = Activation()
  var isAuthenticated = false
  /// 0 after each selection.
  var sector = 0
  /// NC_REG to I2C_CLOCK_STR as they were at power-up. Nil until the tag is first selected.
  var session: [UInt8]?
  private var awaitsSector = false

  /// A new tag. `uid` has 7 bytes.
  package init(_ silicon: NTAGI2CSilicon, uid: [UInt8], blank: Bool = false) {
    precondition(uid.count == 7, "a UID of a wrong size")
    (self.silicon, self.uid) = (silicon, uid)
    eeprom = EEPROM(silicon.memory(uid: uid, blank: blank))
  }

  package func powerOff() {
    returnToIdle()
    (session, heldProtection) = (nil, nil)
  }

  package func forget() {
    (isAuthenticated, awaitsSector, sector) = (false, false, 0)
  }

  package func select() {
    forget()
    if session == nil {
      session = Array((stored(silicon.configuration) + stored(silicon.configuration + 1))[..<6])
    }
    if heldProtection == nil || protectionHolds == .selection { heldProtection = storedProtection }
    activation.select()
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    if awaitsSector {
      awaitsSector = false
      return selectSector(frame)
    }
    switch (frame.first, frame.count) {
    case (0x50, 2) where frame[1] == 0:
      halt()
      return .silence
    case (0x60, 1): return .data(silicon.version)
    case (0x30, 2): return read(from: Int(frame[1]))
    case (0x3A, 3): return fastRead(Int(frame[1]), through: Int(frame[2]))
    case (0xA2, 6): return write(Array(frame[2...]), page: Int(frame[1]))
    case (0xC2, 2) where frame[1] == 0xFF:
      awaitsSector = true
      return .nibble(Nibble.ack)
    case (0x1B, 5) where silicon.isPlus: return verify(password: Array(frame[1...]))
    case (0x3C, 2) where silicon.isPlus && frame[1] == 0:
      return .data(MakerSignature.bytes(of: uid, on: .secp128r1))
    default: return refuse()
    }
  }

  /// SECTOR_SELECT, part 2 (10.10): silence means yes.
  private func selectSector(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count == 4, hasSector(Int(frame[0])) else { return refuse() }
    sector = Int(frame[0])
    return .silence
  }

  private func hasSector(_ number: Int) -> Bool {
    switch number {
    case 0, 3: true
    case 1: silicon.hasSectorOne && storedAccess & 0x20 == 0
    default: false
    }
  }

  /// NAK `code`, then IDLE or HALT.
  func refuse(_ code: UInt8 = 0x0) -> TagAnswer {
    fallBack()
    return .nibble(code)
  }

  package func receiveDamaged() -> TagAnswer {
    guard state == .active else { return .silence }
    return refuse(0x1)
  }

  /// A page's bytes as the cells hold them; zeros where the chip has no such page.
  func stored(_ page: Int) -> [UInt8] {
    silicon.row(of: page).map { Array(eeprom.bytes[$0 * 4..<$0 * 4 + 4]) } ?? [0, 0, 0, 0]
  }
}

extension VirtualNTAGI2C: StoredTag {
  package var rows: MemoryRows { MemoryRows(label: "Page", size: 4, numbers: silicon.pages) }

  /// Up to the first page that a user may not write.
  package var userMemory: Range<Int> { 16..<16 + silicon.user[0].count * 4 }

  package var storedRegisters: [StoredRegister] {
    guard silicon.isPlus else { return [] }
    return [StoredRegister(name: Self.failures, value: failedAuthentications, maximum: 128)]
  }

  package func store(_ value: Int, in register: String) {
    guard register == Self.failures, silicon.isPlus, (0...128).contains(value) else { return }
    failedAuthentications = value
  }

  package func bearsUID(_ memory: [UInt8]) -> Bool { memory.starts(with: uid) }

  private static let failures = "Failed authentications"
}
