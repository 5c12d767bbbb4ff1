/// An NDEF record that stands where a TLV should (NFC Forum NDEF 1.0, 3.2).
enum BareRecord {
  /// How many bytes the record at the start of `bytes` has; nil where none begins there: the first
  /// of a message, not in chunks, of a known format, with a type, and whole within `room` bytes.
  static func length(of bytes: some Collection<UInt8>, room: Int) -> Int? {
    let bytes = Array(bytes.prefix(7))
    guard bytes.count > 3 else { return nil }
    let (flags, typeLength) = (bytes[0], Int(bytes[1]))
    let (isFirst, isChunk, isShort) = (flags & 0x80 != 0, flags & 0x20 != 0, flags & 0x10 != 0)
    guard isFirst, !isChunk, (1...4).contains(flags & 0x07), (1...64).contains(typeLength) else {
      return nil
    }
    var head = isShort ? 3 : 6
    guard bytes.count > head else { return nil }
    let payload = bytes[2..<head].reduce(0) { $0 << 8 | Int($1) }
    var idLength = 0
    if flags & 0x08 != 0 {
      idLength = Int(bytes[head])
      head += 1
    }
    let length = head + typeLength + idLength + payload
    return length <= room ? length : nil
  }
}
