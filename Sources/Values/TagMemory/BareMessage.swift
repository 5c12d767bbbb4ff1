/// A whole NDEF message that stands where a TLV should: what a message TLV has left whose length
/// was set to 0 (NFC Forum NDEF 1.0, 3.2).
enum BareMessage {
  enum Extent: Hashable {
    /// No message begins here.
    case none
    /// The first `byteCount` bytes are needed to tell.
    case needs(byteCount: Int)
    /// Its records are this many bytes.
    case whole(byteCount: Int)
  }

  /// How far the message at the start of `bytes` goes, of which at most `room` can be there.
  static func extent(of bytes: [UInt8], room: Int) -> Extent {
    var offset = 0
    while true {
      guard offset + 3 <= room else { return .none }
      guard offset < bytes.count else { return .needs(byteCount: offset + 3) }
      // The first byte may tell already: of a Terminator, which no message begins with.
      let flags = bytes[offset]
      let (isLast, isChunk) = (flags & 0x40 != 0, flags & 0x20 != 0)
      guard (flags & 0x80 != 0) == (offset == 0), flags & 0x07 != 0x07, !(isLast && isChunk) else {
        return .none
      }
      guard offset + 2 < bytes.count else { return .needs(byteCount: offset + 3) }
      let (isShort, hasID) = (flags & 0x10 != 0, flags & 0x08 != 0)
      let head = 2 + (isShort ? 1 : 4) + (hasID ? 1 : 0)
      guard offset + head <= bytes.count else {
        return offset + head <= room ? .needs(byteCount: offset + head) : .none
      }
      let payload = bytes[(offset + 2)..<(offset + (isShort ? 3 : 6))]
        .reduce(0) { $0 << 8 | Int($1) }
      let idLength = hasID ? Int(bytes[offset + head - 1]) : 0
      offset += head + Int(bytes[offset + 1]) + idLength + payload
      guard offset <= room else { return .none }
      if isLast { return .whole(byteCount: offset) }
    }
  }
}
