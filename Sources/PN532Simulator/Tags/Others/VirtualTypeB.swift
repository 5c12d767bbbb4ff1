/// A plain ISO/IEC 14443-4 card of type B: it can be found and named, and knows no application.
///
/// `receive` takes and gives APDUs.
public final class VirtualTypeB: VirtualTag {
  public let product = "typeb"
  public let technology = TagTechnology.b
  public let atqa: UInt16 = 0
  public let sak: UInt8 = 0
  public let ats: [UInt8] = []
  /// The PUPI, 4 bytes.
  public let uid: [UInt8]
  public let eeprom = EEPROM([UInt8](repeating: 0, count: 16))
  public private(set) var state = TagState.idle

  /// One application family of none in particular.
  private static let applicationData: [UInt8] = [0x00, 0x00, 0x00, 0x00]
  /// 106 kbit/s, frames of 256 bytes and ISO/IEC 14443-4, FWI 7 with CID (ISO/IEC 14443-3, 7.9.4).
  private static let protocolInfo: [UInt8] = [0x00, 0x81, 0x71]

  public init(pupi: [UInt8]) {
    precondition(pupi.count == 4, "a PUPI of a wrong size")
    uid = pupi
  }

  public func requestB(family: UInt8) -> [UInt8]? {
    guard state != .active, family == 0x00 else { return nil }
    return [0x50] + uid + Self.applicationData + Self.protocolInfo
  }

  public func powerOff() { state = .idle }
  public func select() { state = .active }
  public func halt() { state = .halt }

  public func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  public func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data([0x67, 0x00]) }
    return .data(apdu.ins == 0xA4 ? [0x6A, 0x82] : [0x6D, 0x00])
  }
}

extension VirtualTypeB: StoredTag {
  public var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: [0]) }
  public var userMemory: Range<Int> { 0..<16 }
  /// The PUPI is no part of the memory.
  public func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
