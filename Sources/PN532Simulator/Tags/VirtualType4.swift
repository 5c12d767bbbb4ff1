/// An ISO-DEP card with the NDEF application and one NDEF file of 2048 bytes (NFC Forum Type 4 Tag 2.0).
///
/// `receive` takes and gives APDUs (ISO/IEC 7816-4, short lengths). EEPROM layout: the capability container
/// at 0 (15 bytes and one of padding), the NDEF file at 16.
public final class VirtualType4: VirtualTag {
  public let product = "type4"
  public var atqa: UInt16 { uid.count == 7 ? 0x0344 : 0x0304 }
  public let sak: UInt8 = 0x20
  /// Frames of 64 bytes, 106 to 848 kbit/s.
  public let ats: [UInt8] = [0x75, 0x77, 0x81, 0x02, 0x80]
  public let uid: [UInt8]
  public let eeprom: EEPROM
  public var state: TagState { activation.state }

  private var activation = Activation()
  private var applicationIsSelected = false
  private var file: File?

  private struct File {
    let start: Int
    let size: Int
    let isWritable: Bool
  }

  private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
  /// MLe and MLc of the capability container.
  private static let longest = 0xF6
  private static let fileSize = 0x0800
  /// CCLEN, version 2.0, MLe, MLc, NDEF file control TLV: E104h, its size, free to read and write (5.1).
  private static let container: [UInt8] = [
    0x00, 0x0F, 0x20, 0x00, 0xF6, 0x00, 0xF6, 0x04, 0x06, 0xE1, 0x04, 0x08, 0x00, 0x00, 0x00,
  ]

  /// A card with an empty NDEF file. `uid` has 7 or 4 bytes.
  public init(uid: [UInt8]) {
    precondition(uid.count == 7 || uid.count == 4, "a UID of a wrong size")
    self.uid = uid
    eeprom = EEPROM(Self.container + [UInt8](repeating: 0, count: 1 + Self.fileSize))
  }

  public func powerOff() {
    activation = Activation()
    deselect()
  }

  public func select() {
    deselect()
    activation.select()
  }

  public func halt() {
    deselect()
    activation.halt()
  }

  public func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    guard state == .active else { return false }
    deselect()
    activation.fallBack()
    return false
  }

  public func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return status(0x6700) }
    guard apdu.cla == 0x00 else { return status(0x6E00) }
    switch apdu.ins {
    case 0xA4: return select(apdu)
    case 0xB0: return readBinary(apdu)
    case 0xD6: return updateBinary(apdu)
    default: return status(0x6D00)
    }
  }

  /// SELECT, the application by its name or a file by its identifier (5.4.2, 5.4.3).
  private func select(_ apdu: CommandAPDU) -> TagAnswer {
    switch (apdu.p1, apdu.p2) {
    case (0x04, 0x00), (0x04, 0x0C):
      guard apdu.data == Self.application else { return status(0x6A82) }
      applicationIsSelected = true
      file = nil
    case (0x00, 0x0C):
      let writable = eeprom.bytes[14] == 0x00
      let files: [[UInt8]: File] = [
        [0xE1, 0x03]: File(start: 0, size: Self.container.count, isWritable: false),
        [0xE1, 0x04]: File(start: 16, size: Self.fileSize, isWritable: writable),
      ]
      guard applicationIsSelected, let chosen = files[apdu.data] else { return status(0x6A82) }
      file = chosen
    default: return status(0x6A86)
    }
    return status(0x9000)
  }

  private func readBinary(_ apdu: CommandAPDU) -> TagAnswer {
    guard let file else { return status(0x6986) }
    guard apdu.data.isEmpty, let wanted = apdu.le, wanted <= Self.longest else {
      return status(0x6700)
    }
    guard apdu.offset < file.size else { return status(0x6B00) }
    let start = file.start + apdu.offset
    let count = min(wanted, file.size - apdu.offset)
    return .data(Array(eeprom.bytes[start..<start + count]) + [0x90, 0x00])
  }

  /// UPDATE BINARY, one programming cycle for every 32 bytes of memory it touches.
  private func updateBinary(_ apdu: CommandAPDU) -> TagAnswer {
    guard let file else { return status(0x6986) }
    guard file.isWritable else { return status(0x6982) }
    guard !apdu.data.isEmpty, apdu.data.count <= Self.longest else { return status(0x6700) }
    guard apdu.offset + apdu.data.count <= file.size else { return status(0x6B00) }
    var offset = file.start + apdu.offset
    var rest = apdu.data[...]
    while !rest.isEmpty {
      let piece = rest.prefix(32 - offset % 32)
      switch eeprom.program(Array(piece), at: offset) {
      case .programmed: break
      case .failed: return status(0x6581)
      case .powerLost:
        powerOff()
        return .silence
      }
      offset += piece.count
      rest = rest.dropFirst(piece.count)
    }
    return status(0x9000)
  }

  private func status(_ word: UInt16) -> TagAnswer {
    .data([UInt8(word >> 8), UInt8(word & 0xFF)])
  }

  private func deselect() {
    applicationIsSelected = false
    file = nil
  }
}

extension VirtualType4: StoredTag {
  public var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<eeprom.bytes.count / 16))
  }
  public var userMemory: Range<Int> { 16..<eeprom.bytes.count }
  /// The UID is no part of the files.
  public func bearsUID(_ memory: [UInt8]) -> Bool { true }
}

/// A command APDU with short lengths (ISO/IEC 7816-4, 5.1).
struct CommandAPDU {
  let cla: UInt8
  let ins: UInt8
  let p1: UInt8
  let p2: UInt8
  let data: [UInt8]
  /// How many bytes are wanted, 256 for a Le of zero; nil where there is no Le.
  let le: Int?

  /// P1 and P2 of READ and UPDATE BINARY.
  var offset: Int { Int(p1) << 8 | Int(p2) }

  /// Nil where Lc and the length disagree.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    (cla, ins, p1, p2) = (bytes[0], bytes[1], bytes[2], bytes[3])
    let length = { (le: UInt8) in le == 0 ? 256 : Int(le) }
    switch bytes.count {
    case 4: (data, le) = ([], nil)
    case 5: (data, le) = ([], length(bytes[4]))
    case 5 + Int(bytes[4]) where bytes[4] > 0: (data, le) = (Array(bytes[5...]), nil)
    case 6 + Int(bytes[4]) where bytes[4] > 0:
      (data, le) = (Array(bytes[5..<bytes.count - 1]), length(bytes[bytes.count - 1]))
    default: return nil
    }
  }
}
