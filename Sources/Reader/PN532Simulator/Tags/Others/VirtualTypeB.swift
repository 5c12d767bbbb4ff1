/// A plain ISO/IEC 14443-4 card of type B: it can be found and named, and knows no application.
///
/// `receive` takes and gives APDUs.
package final class VirtualTypeB: VirtualTag {
  package let product = "typeb"
  package let technology = TagTechnology.b
  package let atqa: UInt16 = 0
  package let sak: UInt8 = 0
  package let ats: [UInt8] = []
  /// The PUPI, 4 bytes.
  package let uid: [UInt8]
  package let eeprom = EEPROM([UInt8](repeating: 0, count: 16))
  package private(set) var state = TagState.idle

  /// One application family of none in particular.
  private static let applicationData: [UInt8] = [0x00, 0x00, 0x00, 0x00]
  /// 106 kbit/s, frames of 256 bytes and ISO/IEC 14443-4, FWI 7 with CID (ISO/IEC 14443-3, 7.9.4).
  private static let protocolInfo: [UInt8] = [0x00, 0x81, 0x71]

  package init(pupi: [UInt8]) {
    precondition(pupi.count == 4, "a PUPI of a wrong size")
    uid = pupi
  }

  package func requestB(family: UInt8) -> [UInt8]? {
    guard state != .active, family == 0x00 else { return nil }
    return [0x50] + uid + Self.applicationData + Self.protocolInfo
  }

  package func powerOff() { state = .idle }
  package func select() { state = .active }
  package func halt() { state = .halt }

  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data([0x67, 0x00]) }
    return .data(apdu.ins == 0xA4 ? [0x6A, 0x82] : [0x6D, 0x00])
  }
}

extension VirtualTypeB: StoredTag {
  package var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: [0]) }
  package var userMemory: Range<Int> { 0..<16 }
  /// The PUPI is no part of the memory.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
