/// What the capability container says, and where the files lie.
extension VirtualType4 {
  private var container: [UInt8] {
    let bytes = eeprom.bytes.prefix(32)
    return bytes + [UInt8](repeating: 0, count: 32 - bytes.count)
  }

  var mapping: Int { Int(container[2] >> 4) }
  var longestRead: Int { Int(container[3]) << 8 | Int(container[4]) }
  var longestWrite: Int { Int(container[5]) << 8 | Int(container[6]) }

  /// CCLEN, as far as the room for it goes.
  private var containerSize: Int { min(Int(container[0]) << 8 | Int(container[1]), containerRoom) }
  private var containerRoom: Int { mapping == 3 ? 32 : 16 }
  /// Where the access bytes stand.
  private var accessOffset: Int { mapping == 3 ? 15 : 13 }
  /// Where the NDEF file starts.
  private var messageStart: Int { containerRoom + (silicon.system == nil ? 0 : 64) }

  private var fileSize: Int {
    let bytes = mapping == 3 ? container[11..<15] : container[11..<13]
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Where a file lies; never outside the memory.
  func range(of file: File) -> Range<Int>? {
    let range: Range<Int> =
      switch file {
      case .container: 0..<containerSize
      case .system: containerRoom..<containerRoom + 18
      case .message: messageStart..<min(messageStart + fileSize, eeprom.bytes.count)
      }
    return range.upperBound <= eeprom.bytes.count ? range : nil
  }

  func mayRead(_ file: File) -> Bool {
    file != .message || access(0) == 0x00 || access(0) == 0x80 && verified.contains(1)
  }

  var mayWrite: Bool { access(1) == 0x00 || access(1) == 0x80 && verified.contains(2) }

  private func access(_ index: Int) -> UInt8 { container[accessOffset + index] }

  /// Sets the access byte for reading (0) or writing (1).
  func setAccess(_ index: Int, _ value: UInt8) -> TagAnswer {
    ended(eeprom.program([value], at: accessOffset + index, tearingSafe: true))
  }

  /// Access byte 80h or FFh: the owner's password alone, or nobody.
  func currentAccess(_ index: Int) -> UInt8 { access(index) }
}

extension VirtualType4: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<eeprom.bytes.count / 16))
  }
  package var userMemory: Range<Int> {
    min(messageStart, eeprom.bytes.count - 16)..<eeprom.bytes.count
  }
  /// The UID is no part of the files that count.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }

  /// The capability container and the message's file, with all of the bytes that it says.
  package func load(files: [Int: [UInt8]]) -> Bool {
    guard let container = files[0xE103], container.count >= 15, (1...3).contains(container[2] >> 4)
    else { return false }
    let room = container[2] >> 4 == 3 ? 32 : 16
    guard container.count <= room, files.count == 2, let message = files[Int(silicon.fileID)],
      silicon.system == nil || room == containerRoom
    else { return false }
    let places = room == 32 ? 11..<15 : 11..<13
    guard container.count >= places.upperBound,
      message.count == container[places].reduce(0, { $0 << 8 | Int($1) })
    else { return false }
    let system =
      silicon.system == nil ? [] : Array(eeprom.bytes[containerRoom..<containerRoom + 64])
    let (gap, end) = (room - container.count, (16 - message.count % 16) % 16)
    eeprom.resize(
      to: container + [UInt8](repeating: 0, count: gap) + system + message
        + [UInt8](repeating: 0, count: end))
    return range(of: .message)?.count == message.count
  }

  private static let rowCount = "Rows"
  /// A file of 65536 bytes and what stands before it.
  private static let mostRows = 4102
  /// Rows as delivered.
  private var usualRows: Int {
    let room = silicon.layout.mapping == 3 ? 2 : 1
    return room + (silicon.system == nil ? 0 : 4) + (silicon.layout.size + 15) / 16
  }

  /// How many rows there are.
  package var storedRegisters: [StoredRegister] {
    [
      StoredRegister(
        name: Self.rowCount, value: eeprom.bytes.count / 16, maximum: Self.mostRows,
        usual: usualRows)
    ]
  }

  package func store(_ value: Int, in register: String) {
    guard register == Self.rowCount, (2...Self.mostRows).contains(value) else { return }
    let bytes = eeprom.bytes.prefix(16 * value)
    eeprom.resize(to: bytes + [UInt8](repeating: 0, count: 16 * value - bytes.count))
  }
}
