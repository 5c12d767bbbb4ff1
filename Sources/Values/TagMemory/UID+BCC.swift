/// Block check characters: the exclusive or of the bytes before them (ISO/IEC 14443-3, 6.5.2).
extension UID {
  /// The cascade tag that stands before the first three bytes of a 7-byte UID.
  static let cascadeTag: UInt8 = 0x88

  /// The check bytes in the order of the cascade levels: one for a 4-byte UID, two for a 7-byte
  /// one, three for a 10-byte one; none for any other length.
  package var blockCheckCharacters: [UInt8] {
    func check(_ part: some Sequence<UInt8>) -> UInt8 { part.reduce(0, ^) }
    return switch bytes.count {
    case 4: [check(bytes)]
    case 7: [Self.cascadeTag ^ check(bytes[0..<3]), check(bytes[3...])]
    case 10:
      [
        Self.cascadeTag ^ check(bytes[0..<3]), Self.cascadeTag ^ check(bytes[3..<6]),
        check(bytes[6...]),
      ]
    default: []
    }
  }

  /// The first nine bytes of a Type 2 tag that has this UID: three bytes, BCC0, four bytes, BCC1
  /// (MF0ICU1, 7.5.1). Nil unless the UID has seven bytes.
  package var type2Bytes: [UInt8]? {
    guard bytes.count == 7 else { return nil }
    let checks = blockCheckCharacters
    return Array(bytes[0..<3]) + [checks[0]] + Array(bytes[3...]) + [checks[1]]
  }

  /// Reads a UID out of the first nine bytes of a Type 2 tag; nil when there are fewer, or when a
  /// check byte is wrong.
  public init?(type2Bytes stored: some Sequence<UInt8>) {
    let head = Array(stored.prefix(9))
    guard head.count == 9 else { return nil }
    let uid = UID(head[0..<3] + head[4..<8])
    guard uid.type2Bytes == head else { return nil }
    self = uid
  }

  /// Reads a UID out of the first pages of an NTAG I2C: seven bytes without check bytes, SAK and
  /// ATQA behind them (NT3H2111/NT3H2211, 8.3). Nil for what begins otherwise.
  init?(ntagI2C stored: some Sequence<UInt8>) {
    let head = Array(stored.prefix(10))
    guard head.count == 10, head[0] == 0x04, Array(head[7...]) == [0x00, 0x44, 0x00],
      UID(type2Bytes: head) == nil
    else { return nil }
    self.init(head[..<7])
  }
}
