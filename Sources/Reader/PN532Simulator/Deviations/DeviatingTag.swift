/// A tag that differs from its data sheet: another tag behind a few changed answers.
package final class DeviatingTag: StoredTag {
  /// What it is but for its deviations.
  package let base: any StoredTag
  package let deviations: TagDeviations
  /// The UID that anticollision finds; with a random one another one after each loss of power.
  package private(set) var uid: [UInt8]
  private var generator: SplitMix64
  /// How often it has lost its power.
  private var lossCount = 0
  /// It has answered RATS: it takes APDUs only.
  private var isInProtocol = false

  package init(_ base: any StoredTag, _ deviations: TagDeviations) {
    self.base = base
    self.deviations = deviations
    uid = base.uid
    generator = SplitMix64(state: base.uid.reduce(0) { $0 << 8 | UInt64($1) })
    base.eeprom.stuckBits = deviations.stuckBits
    base.eeprom.scramblesTorn = deviations.scramblesTorn
    if let type2 = base as? VirtualType2 {
      type2.protectionHolds = deviations.protectionHolds
      type2.judgesMirrorsApart = deviations.judgesMirrorsApart
    }
    (base as? VirtualNTAGI2C)?.protectionHolds = deviations.protectionHolds
    base.eeprom.size = deviations.rowCount.map { $0 * base.rows.size }
    drawUID()
  }

  package var product: String { base.product }
  package var technology: TagTechnology { base.technology }
  package var eeprom: EEPROM { base.eeprom }
  package var state: TagState { base.state }
  package var rows: MemoryRows { base.rows }
  package var userMemory: Range<Int> { base.userMemory }
  package var storedUID: [UInt8] { base.storedUID }
  package var storedRegisters: [StoredRegister] { base.storedRegisters }
  package var isClassic: Bool { base.isClassic }
  package var sak: UInt8 { deviations.sak ?? base.sak }
  package var sakBeforeLast: UInt8 { base.sakBeforeLast }
  /// A single-size UID clears bits 6 and 7 (ISO/IEC 14443-3, table 9).
  package var atqa: UInt16 { deviations.hasRandomUID ? base.atqa & ~0x00C0 : base.atqa }
  package var programmingTime: Duration? { deviations.programmingTime ?? base.programmingTime }
  package var waitExtensions: Int { base.waitExtensions }
  package var ats: [UInt8] {
    if deviations.ignoresRATS { return [] }
    // A JCOP card's: TA, TB, TC and no historical bytes.
    return isSmartCard ? [0x78, 0x77, 0x94, 0x02] : base.ats
  }
  package var obeysWithoutRATS: Bool {
    isSmartCard ? !deviations.wantsRATS : base.obeysWithoutRATS
  }
  package var isAwake: Bool {
    deviations.missesEach == 0 || lossCount % deviations.missesEach != 0 || lossCount == 0
  }

  /// A MIFARE Classic within a card that answers RATS.
  private var isSmartCard: Bool { base.isClassic && (deviations.sak ?? 0) & 0x20 != 0 }

  package func store(_ value: Int, in register: String) { base.store(value, in: register) }
  package func bearsUID(_ memory: [UInt8]) -> Bool { base.bearsUID(memory) }
  package func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    base.poll(systemCode: systemCode, requestCode: requestCode)
  }
  package func requestB(family: UInt8) -> [UInt8]? { base.requestB(family: family) }

  package func powerOff() {
    lossCount += 1
    isInProtocol = false
    base.powerOff()
    drawUID()
  }

  package func returnToIdle() {
    isInProtocol = false
    base.returnToIdle()
  }

  package func select() {
    isInProtocol = false
    base.select()
  }

  package func halt() { deviations.ignoresHalt ? returnToIdle() : haltAsBase() }

  private func haltAsBase() {
    isInProtocol = false
    base.halt()
  }

  package func enterProtocol() {
    isInProtocol = isSmartCard
    base.enterProtocol()
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    if isInProtocol, state == .active { return .data([0x6E, 0x00]) }
    if frame == [0x50, 0x00], deviations.ignoresHalt {
      if state == .active { halt() }
      return .silence
    }
    if deviations.lacksFastRead, frame.count == 3, frame[0] == 0x3A {
      // A command that no such chip has.
      return base.receive([0xF0])
    }
    return answerAsCopy(frame) ?? base.receive(frame)
  }

  /// What a copy does otherwise with pages and passwords; nil for all else.
  private func answerAsCopy(_ frame: [UInt8]) -> TagAnswer? {
    guard state == .active, !isClassic else { return nil }
    switch (frame.first, frame.count) {
    case (0xA2, 6) where deviations.takesUID && frame[1] < 2: return .nibble(0xA)
    case (0x1B, 5) where deviations.takesAnyPassword:
      guard let type2 = base as? VirtualType2 else { return nil }
      return base.receive([0x1B] + type2.stored(type2.cfg + 2))
    case (0x30, 2) where deviations.refusesEdge: return refuseEdge(frame)
    default: return nil
    }
  }

  /// NAK where a READ would go on at page 0; nil where all four pages can be read.
  private func refuseEdge(_ frame: [UInt8]) -> TagAnswer? {
    guard let type2 = base as? VirtualType2, Int(frame[1]) + 4 > type2.readableEnd else {
      return nil
    }
    // As any refusal leaves it.
    _ = base.receive([0xF0])
    return .nibble(0x0)
  }

  package func receiveDamaged() -> TagAnswer {
    isInProtocol ? .silence : base.receiveDamaged()
  }

  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    guard !isInProtocol else { return false }
    // The cipher takes the UID that anticollision showed.
    let isOurs = uid == Array(self.uid.suffix(4))
    let known = isOurs ? Array(base.uid.suffix(4)) : uid.map(~)
    return base.authenticate(command: command, block: block, key: key, uid: known)
  }

  private func drawUID() {
    guard deviations.hasRandomUID else { return }
    let word = generator.next()
    uid = [0x08] + (0..<3).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
  }
}
