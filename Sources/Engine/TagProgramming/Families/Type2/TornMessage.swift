/// Says whether bytes with a hole in them can be a message TLV with a whole message in it: what a
/// page leaves that lost power while its message was switched off or on. The hole is a page;
/// everything around it must fit.
struct TornMessage {
  /// The data area as far as it is known; nil in the hole.
  let bytes: [UInt8?]
  /// Where the TLV's type byte belongs.
  let start: Int
  /// The size of the data area.
  let areaByteCount: Int

  /// Is true if some four bytes in the hole would make it one.
  var isPossible: Bool {
    guard start < bytes.count, bytes[start] ?? 0x03 == 0x03 else { return false }
    return hasShort || hasLong
  }

  /// With a length of one byte.
  private var hasShort: Bool {
    guard let length = byte(start + 1) else {
      return (1...254).contains { fits($0, at: start + 2) }
    }
    return length == 0
      ? byte(start + 2) == 0xFE : length < 0xFF && fits(Int(length), at: start + 2)
  }

  /// With a length of three bytes.
  private var hasLong: Bool {
    guard start + 3 < bytes.count, bytes[start + 1] ?? 0xFF == 0xFF else { return false }
    if let high = bytes[start + 2], let low = bytes[start + 3] {
      return fits(Int(high) << 8 | Int(low), at: start + 4)
    }
    return start + 4 + 255 <= areaByteCount
      && (255...(areaByteCount - start - 4)).contains { fits($0, at: start + 4) }
  }

  /// Nil in the hole and beyond what is known.
  private func byte(_ offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// Returns whether `count` bytes from `offset` on may be records, with a Terminator or the end of
  /// the area behind them.
  private func fits(_ count: Int, at offset: Int) -> Bool {
    let end = offset + count
    guard end <= bytes.count, end == areaByteCount || byte(end) == 0xFE else { return false }
    return isRecords(from: offset, to: end, isFirst: true)
  }

  /// Returns whether these are records up to `end`, the last one marked as such (NDEF 1.0, 3.2).
  private func isRecords(from offset: Int, to end: Int, isFirst: Bool) -> Bool {
    guard offset + 2 < end else { return false }
    let begin: UInt8 = isFirst ? 0x80 : 0
    let headers =
      bytes[offset].map { [$0] }
      ?? [0x51, 0x11, 0x41, 0x01, 0x59, 0x19, 0x49, 0x09].map { $0 | begin }
    return headers.contains { isRecord($0, at: offset, to: end, isFirst: isFirst) }
  }

  private func isRecord(_ header: UInt8, at offset: Int, to end: Int, isFirst: Bool) -> Bool {
    guard (header & 0x80 != 0) == isFirst, header & 0x07 != 0x07 else { return false }
    let (isShort, hasID, isLast) = (header & 0x10 != 0, header & 0x08 != 0, header & 0x40 != 0)
    let content = offset + 2 + (isShort ? 1 : 4) + (hasID ? 1 : 0)
    guard content <= end else { return false }
    let lengthBytes = bytes[(offset + 2)..<(offset + 2 + (isShort ? 1 : 4))]
    let payload = lengthBytes.reduce(Int?(0)) { sum, byte in
      sum.flatMap { sum in byte.map { sum << 8 | Int($0) } }
    }
    guard let id = hasID ? byte(content - 1) : 0 else { return false }
    let room = end - content - Int(id)
    /// Returns whether it is one with a type of `type` bytes.
    func ends(_ type: Int) -> Bool {
      guard type <= room, isType(content..<content + type) else { return false }
      guard let payload else { return isLast }
      guard type + payload <= room else { return false }
      if isLast { return type + payload == room }
      return isRecords(
        from: content + type + Int(id) + payload, to: end, isFirst: false)
    }
    if let type = bytes[offset + 1] { return ends(Int(type)) }
    // A record that has lost its own head must be told by something: its type's letters.
    guard payload != nil, room > 0 else { return false }
    return (1...min(255, room)).contains(where: ends)
  }

  /// Returns whether the bytes may be a record's type: printable characters (RTD 1.0, 3).
  private func isType(_ range: Range<Int>) -> Bool {
    range.allSatisfy { offset in byte(offset).map { 0x21...0x7E ~= $0 } ?? true }
  }
}
