/// A Topaz tag (NFC Forum Type 1 Tag): it answers REQA, but knows no anticollision, no selection
/// and no HALT.
///
/// EEPROM layout: block n at offset 8 n. Block 0 is the UID, block 13 is reserved, block 14 holds
/// lock and one-time bits.
package final class VirtualTopaz: VirtualTag {
  package let silicon: TopazSilicon
  package let technology = TagTechnology.topaz
  package let atqa: UInt16 = 0x0C00
  package let sak: UInt8 = 0
  package let ats: [UInt8] = []
  /// 7 bytes, the last one 25h.
  package let uid: [UInt8]
  package let eeprom: EEPROM
  package private(set) var state = TagState.idle

  package var product: String { silicon.name }

  /// A tag as delivered, or with `blank` one whose user memory is zeros.
  package init(_ silicon: TopazSilicon, uid: [UInt8], blank: Bool = false) {
    precondition(uid.count == 7, "a UID of a wrong size")
    self.silicon = silicon
    self.uid = uid
    var memory = [UInt8](repeating: 0, count: silicon.blockCount * 8)
    memory.replaceSubrange(0..<7, with: uid)
    if !blank {
      memory.replaceSubrange(8..<8 + silicon.factoryContent.count, with: silicon.factoryContent)
    }
    // Blocks 0, 13 and 14 are locked by the maker: bits of byte 0 and 1.
    memory.replaceSubrange(14 * 8..<14 * 8 + 2, with: [0x01, 0x60])
    eeprom = EEPROM(memory)
  }

  package func powerOff() { state = .idle }
  package func select() { state = .active }
  package func halt() {}

  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  /// RID is open to all; every other command ends with the first four bytes of the UID.
  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active, let command = frame.first else { return .silence }
    let header = [silicon.header, 0x4C]
    if command == 0x78, frame.count == 7 { return .data(header + uid[..<4]) }
    guard frame.count >= 7, Array(frame.suffix(4)) == Array(uid[..<4]) else { return .silence }
    let (address, value) = (Int(frame[1]), frame[2])
    switch (command, frame.count) {
    case (0x00, 7): return .data(header + eeprom.bytes[..<120])
    case (0x01, 7) where address < 128: return .data([frame[1], eeprom.bytes[min(address, 119)]])
    case (0x53, 7) where address < 120: return write([value], at: address, erasing: true)
    case (0x1A, 7) where address < 120: return write([value], at: address, erasing: false)
    default: return silicon.isDynamic ? receiveDynamic(frame) : .silence
    }
  }

  /// RSEG, READ8, WRITE-E8 and WRITE-NE8.
  private func receiveDynamic(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count == 14 else { return .silence }
    let (number, data) = (Int(frame[1]), Array(frame[2..<10]))
    switch frame[0] {
    case 0x10 where number & 0x0F == 0 && number >> 4 * 128 < eeprom.bytes.count:
      let start = number >> 4 * 128
      return .data([frame[1]] + eeprom.bytes[start..<start + 128])
    case 0x02 where number < silicon.blockCount:
      return .data([frame[1]] + eeprom.bytes[number * 8..<number * 8 + 8])
    case 0x54 where number < silicon.blockCount:
      return write(data, at: number * 8, erasing: true, block: true)
    case 0x1B where number < silicon.blockCount:
      return write(data, at: number * 8, erasing: false, block: true)
    default: return .silence
    }
  }

  /// One programming cycle; without erasing, bits are only set. The answer is what the cells hold
  /// then.
  private func write(
    _ data: [UInt8], at offset: Int, erasing: Bool, block: Bool = false
  ) -> TagAnswer {
    let number = offset / 8
    let old = Array(eeprom.bytes[offset..<offset + data.count])
    let isOTP = number == 14
    let merged = erasing && !isOTP ? data : zip(old, data).map { $0 | $1 }
    let head = UInt8(block ? number : offset)
    guard !isLocked(number) else { return .data([head] + old) }
    switch eeprom.program(merged, at: offset) {
    case .programmed, .failed:
      return .data([head] + eeprom.bytes[offset..<offset + data.count])
    case .powerLost:
      powerOff()
      return .silence
    }
  }

  /// The lock bits of blocks 0 to 13 stand in the first two bytes of block 14; that block itself
  /// only takes bits.
  private func isLocked(_ block: Int) -> Bool {
    guard block <= 13 else { return false }
    return eeprom.bytes[14 * 8 + block / 8] >> UInt8(block % 8) & 1 == 1
  }
}

extension VirtualTopaz: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 8, numbers: Array(0..<silicon.blockCount))
  }
  package var userMemory: Range<Int> { 8..<13 * 8 }
  package func bearsUID(_ memory: [UInt8]) -> Bool { Array(memory[..<7]) == uid }
}
