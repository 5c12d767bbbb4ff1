/// ReadData and WriteData: number, offset and length (3 bytes each, low one first), then data, all
/// as the file's messaging wants.
extension VirtualDESFire {
  private static let headerSize = 7

  private func part(
    _ data: [UInt8]
  ) throws(DESFireStatus) -> (file: DESFireFile, offset: Int, count: Int) {
    guard data.count >= Self.headerSize else { throw .length }
    let offset = Int(Self.number(Array(data[1..<4])))
    return (try file(data[0]), offset, Int(Self.number(Array(data[4..<7]))))
  }

  /// How long a WriteData is that starts like this, seals included.
  func lengthOfWrite(_ data: [UInt8]) throws(DESFireStatus) -> Int {
    let (file, _, count) = try part(data)
    guard try right(to: file, [.write, .both]), let session else { return 7 + count }
    switch file.mode {
    case 1: return 7 + count + session.macSize
    case 3: return 7 + session.padded([UInt8](repeating: 0, count: count + session.checkSize)).count
    default: return 7 + count
    }
  }

  func writeData(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let (file, offset, count) = try part(data)
    let isKnown = try right(to: file, [.write, .both])
    guard count > 0 else { throw .parameter }
    guard offset + count <= file.size else { throw .boundary }
    let content: [UInt8]
    switch isKnown ? file.mode : 0 {
    case 1: content = Array(try checked(0x3D, data, header: 7)[7...])
    case 3: content = try opened(0x3D, data, header: 7, count: count)
    default:
      countCommand([0x3D] + data)
      content = Array(data[7...])
    }
    guard content.count == count else { throw .length }
    try program(content, at: try place(of: file) + offset, header: 13)
    return []
  }

  /// A length of 0 is all there is.
  func readData(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard data.count == Self.headerSize else { throw .length }
    let (file, offset, count) = try part(data)
    let isKnown = try right(to: file, [.read, .both])
    let wanted = count == 0 ? file.size - offset : count
    guard wanted > 0, offset + wanted <= file.size else { throw .boundary }
    countCommand([0xBD] + data)
    let start = try place(of: file) + offset
    let content = Array(eeprom.bytes[start..<start + wanted])
    readIsEnciphered = false
    guard isKnown, var session else { return content }
    switch file.mode {
    case 1 where session.isLegacy:
      let mac = session.mac(content)
      self.session = session
      return content + mac
    case 3:
      readIsEnciphered = true
      return try sealed(content)
    default: return content
    }
  }

  /// Where a file's content lies.
  func place(of file: DESFireFile) throws(DESFireStatus) -> Int {
    let start = fileMemory.lowerBound + file.start
    guard start + file.size <= fileMemory.upperBound else { throw .memoryError }
    return start
  }
}
