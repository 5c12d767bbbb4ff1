/// A telephone that offers both card emulation and peer-to-peer (SAK 60h): it can be found and
/// named, and has no NDEF application.
///
/// It shows another UID (08h and three bytes) after every loss of the field. `receive` takes and
/// gives APDUs.
public final class VirtualPhone: VirtualTag {
  public let product = "phone"
  public let atqa: UInt16 = 0x0004
  public let sak: UInt8 = 0x60
  /// Frames of 256 bytes, FWI 7, no CID, as telephones answer.
  public let ats: [UInt8] = [0x78, 0x80, 0x70, 0x02]
  public private(set) var uid: [UInt8]
  /// What the first UID was made from.
  public let storedUID: [UInt8]
  public let eeprom = EEPROM([UInt8](repeating: 0, count: 16))
  public var state: TagState { activation.state }

  private var activation = Activation()
  private var generator: SplitMix64

  /// `seed` has 4 bytes; it decides the UIDs.
  public init(seed: [UInt8]) {
    precondition(seed.count == 4, "a UID of a wrong size")
    storedUID = seed
    generator = SplitMix64(state: seed.reduce(0) { $0 << 8 | UInt64($1) })
    uid = [0x08] + seed.dropFirst()
  }

  public func powerOff() {
    activation = Activation()
    let word = generator.next()
    uid = [0x08] + (0..<3).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
  }

  public func returnToIdle() { activation = Activation() }
  public func select() { activation.select() }
  public func halt() { activation.halt() }

  public func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    if state == .active { activation.fallBack() }
    return false
  }

  public func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data([0x67, 0x00]) }
    return .data(apdu.ins == 0xA4 ? [0x6A, 0x82] : [0x6D, 0x00])
  }
}

extension VirtualPhone: StoredTag {
  public var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: [0]) }
  public var userMemory: Range<Int> { 0..<16 }
  /// The UID is no part of the memory.
  public func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
