/// What Read and Write Without Encryption ask for, after the IDm (JIS X 6319-4; FeliCa Lite-S User's Manual).
struct BlockRequest {
  let blocks: [Int]
  /// What to write; empty for a read.
  let data: [UInt8]

  /// Status flag 2.
  enum Flag: UInt8, Error {
    case memoryError = 0x70
    case illegalServiceCount = 0xA1
    case illegalBlockCount = 0xA2
    case illegalServiceOrder = 0xA3
    case notAllowed = 0xA5
    case illegalService = 0xA6
    case illegalBlock = 0xA8
    case writeFailed = 0xA9
  }

  /// Service count 1, service 000Bh (read) or 0009h (read and write), block count up to 4 (1 to write), block list
  /// elements of two or three bytes, data.
  init(_ bytes: [UInt8], isRead: Bool) throws(Flag) {
    guard bytes.count >= 4, bytes[0] == 1 else { throw .illegalServiceCount }
    let service = UInt16(bytes[2]) << 8 | UInt16(bytes[1])
    guard service == 0x0009 || isRead && service == 0x000B else { throw .illegalService }
    let count = Int(bytes[3])
    guard count > 0, count <= (isRead ? 4 : 1) else { throw .illegalBlockCount }
    var rest = bytes[4...]
    var blocks: [Int] = []
    for _ in 0..<count {
      guard let head = rest.first, rest.count >= (head & 0x80 != 0 ? 2 : 3) else {
        throw .illegalBlockCount
      }
      guard head & 0x0F == 0 else { throw .illegalServiceOrder }
      guard head & 0x70 == 0 else { throw .illegalBlock }
      let element = Array(rest.prefix(head & 0x80 != 0 ? 2 : 3))
      blocks.append(element[1...].reversed().reduce(0) { $0 << 8 | Int($1) })
      rest = rest.dropFirst(element.count)
    }
    guard rest.count == (isRead ? 0 : 16 * count) else { throw .illegalBlockCount }
    self.blocks = blocks
    data = Array(rest)
  }
}
