/// A MIFARE Plus in security level 3: ISO-DEP, AES and commands of its own, and no NDEF
/// application. Its memory stays closed here.
///
/// UID, SAK and the answer to RATS as a real card gave them (Proxmark3, `traces/hf_mfp_mad_sl3`).
/// The first generation ends every command with one byte and knows none that begins with 00 or 90;
/// an EV1 and an EV2 take commands wrapped as ISO/IEC 7816-4 wants them, GetVersion among them.
package final class VirtualPlus: ActivatedTag {
  package let product: String
  package let atqa: UInt16 = 0x0044
  package let sak: UInt8 = 0x20
  package let ats: [UInt8]
  package let uid: [UInt8]
  package let eeprom = EEPROM([UInt8](repeating: 0, count: 16))
  package var activation = Activation()
  /// The parts of the answer to GetVersion; none where it is not known.
  private let version: [[UInt8]]
  private var nextPart: Int?

  /// The names, and the major version of the hardware where the chip tells it.
  static let names: [(name: String, major: UInt8?)] = [
    ("plus-sl3", nil), ("plus-ev1", 0x11), ("plus-ev2", 0x22),
  ]

  /// `uid` has 7 bytes.
  package init(_ name: String, major: UInt8?, uid: [UInt8]) {
    precondition(uid.count == 7, "a UID of a wrong size")
    (product, self.uid) = (name, uid)
    // Historical bytes: C1, five bytes of a MIFARE Plus (AN10833, 5.1).
    let historical: [UInt8] = major == nil ? [0xC1, 0x05, 0x2F, 0x2F, 0x00, 0x35, 0xC7] : []
    ats = [0x75, 0x77, 0x80, 0x02] + historical
    version =
      major.map { major in
        let part: [UInt8] = [0x04, 0x02, 0x02, major, 0x00, 0x16, 0x04]
        return [part, part, uid + [0, 0, 0, 0, 0, 0x01, 0x18]]
      } ?? []
  }

  package func forget() { nextPart = nil }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    // Invalid command.
    guard !version.isEmpty else { return .data([0x0B]) }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data([0x67, 0x00]) }
    let part = apdu.ins == 0x60 ? 0 : apdu.ins == 0xAF ? nextPart : nil
    nextPart = nil
    guard apdu.cla == 0x90, let part else {
      return .data(apdu.cla == 0x00 && apdu.ins == 0xA4 ? [0x6A, 0x82] : [0x6E, 0x00])
    }
    let isLast = part == version.count - 1
    if !isLast { nextPart = part + 1 }
    return .data(version[part] + [0x91, isLast ? 0x00 : 0xAF])
  }
}

extension VirtualPlus: StoredTag {
  package var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: [0]) }
  package var userMemory: Range<Int> { 0..<16 }
  /// The UID is no part of the memory.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
