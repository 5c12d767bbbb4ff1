/// What Read and Write Without Encryption ask for, after the IDm (JIS X 6319-4; FeliCa Lite-S
/// User's Manual).
struct BlockRequest {
  let blocks: [Int]
  /// What to write, 16 bytes a block; empty for a read.
  let data: [UInt8]

  /// Status flag 2.
  enum Flag: UInt8 {
    case memoryError = 0x70
    case illegalServiceCount = 0xA1
    case illegalBlockCount = 0xA2
    case illegalServiceOrder = 0xA3
    case notAllowed = 0xA5
    case illegalService = 0xA6
    case illegalBlock = 0xA8
    case writeFailed = 0xA9
    /// Lite-S: the block is open to an authenticated host only (value assumed).
    case notAuthenticated = 0xB1
    /// Lite-S: the MAC of a write is missing or wrong (value assumed).
    case wrongMAC = 0xB2
  }

  /// A refusal. Flag 1 is FFh where no block is to blame, else the bit of the block's place in the
  /// list.
  struct Refusal: Error {
    let flag: Flag
    let place: Int?

    init(_ flag: Flag, at place: Int? = nil) { (self.flag, self.place) = (flag, place) }

    var status: [UInt8] { [place.map { 1 << UInt8($0 % 8) } ?? 0xFF, flag.rawValue] }
  }

  /// Service count 1, service 000Bh (read) or 0009h (read and write), at most `limit` blocks, block
  /// list elements of two or three bytes, data.
  init(_ bytes: [UInt8], isRead: Bool, limit: Int) throws(Refusal) {
    guard bytes.count >= 4, bytes[0] == 1 else { throw Refusal(.illegalServiceCount) }
    let service = UInt16(bytes[2]) << 8 | UInt16(bytes[1])
    guard service == 0x0009 || isRead && service == 0x000B else {
      throw Refusal(.illegalService, at: 0)
    }
    let count = Int(bytes[3])
    guard count > 0, count <= limit else { throw Refusal(.illegalBlockCount) }
    var rest = bytes[4...]
    var blocks: [Int] = []
    for place in 0..<count {
      guard let head = rest.first, rest.count >= (head & 0x80 != 0 ? 2 : 3) else {
        throw Refusal(.illegalBlockCount)
      }
      guard head & 0x0F == 0 else { throw Refusal(.illegalServiceOrder, at: place) }
      guard head & 0x70 == 0 else { throw Refusal(.illegalBlock, at: place) }
      let element = Array(rest.prefix(head & 0x80 != 0 ? 2 : 3))
      blocks.append(element[1...].reversed().reduce(0) { $0 << 8 | Int($1) })
      rest = rest.dropFirst(element.count)
    }
    guard rest.count == (isRead ? 0 : 16 * count) else { throw Refusal(.illegalBlockCount) }
    self.blocks = blocks
    data = Array(rest)
  }
}
