/// A telephone that offers both card emulation and peer-to-peer (SAK 60h): it can be found and
/// named, and has no NDEF application.
///
/// It shows another UID (08h and three bytes) after every loss of the field. `receive` takes and
/// gives APDUs.
package final class VirtualPhone: ActivatedTag {
  package let product = "phone"
  package let atqa: UInt16 = 0x0004
  package let sak: UInt8 = 0x60
  /// Frames of 256 bytes, FWI 7, no CID, as telephones answer.
  package let ats: [UInt8] = [0x78, 0x80, 0x70, 0x02]
  package private(set) var uid: [UInt8]
  /// What the first UID was made from.
  package let storedUID: [UInt8]
  package let eeprom = EEPROM([UInt8](repeating: 0, count: 16))

  package var activation = Activation()
  private var generator: SplitMix64

  /// `seed` has 4 bytes; it decides the UIDs.
  package init(seed: [UInt8]) {
    precondition(seed.count == 4, "a UID of a wrong size")
    storedUID = seed
    generator = SplitMix64(state: seed.reduce(0) { $0 << 8 | UInt64($1) })
    uid = [0x08] + seed.dropFirst()
  }

  package func powerOff() {
    returnToIdle()
    let word = generator.next()
    uid = [0x08] + (0..<3).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
  }

  package func forget() {}

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data([0x67, 0x00]) }
    return .data(apdu.ins == 0xA4 ? [0x6A, 0x82] : [0x6D, 0x00])
  }
}

extension VirtualPhone: StoredTag {
  package var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: [0]) }
  package var userMemory: Range<Int> { 0..<16 }
  /// The UID is no part of the memory.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
