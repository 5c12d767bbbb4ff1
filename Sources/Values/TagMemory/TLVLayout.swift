/// Where a message goes in a data area, and the bytes that put it there.
///
/// The TLVs in front of the message stay as they are; bytes that control TLVs reserve are skipped
/// (NFC Forum Type 2 Tag 1.1, 2.3). A Terminator follows if a byte is left for it.
package struct TLVLayout: Hashable, Sendable {
  /// The area, with the bytes that the leading TLVs reserve.
  package let area: TLVArea
  /// Offset of the message TLV's tag byte.
  package let tagOffset: Int
  /// Offsets of the length field's bytes, 1 or 3. Together with `tagOffset` they switch the message
  /// on, so whoever writes them last leaves no half message behind.
  package let lengthOffsets: [Int]
  /// Offset of the Terminator, if there is one.
  package let terminatorOffset: Int?
  /// The message TLV and the Terminator, cut where reserved bytes lie between.
  package let pieces: [Piece]

  /// Bytes that follow each other on the tag.
  package struct Piece: Hashable, Sendable {
    /// Of the first byte, from the start of the area.
    package let offset: Int
    package let bytes: [UInt8]

    package init(offset: Int, bytes: [UInt8]) {
      self.offset = offset
      self.bytes = bytes
    }
  }

  /// Places `message` behind `leading`, the first bytes of the area as they are on the tag and stay
  /// there. Throws when it does not fit.
  package init(
    message: [UInt8], in area: TLVArea, leading: some Collection<UInt8> = []
  ) throws(TagMemoryError) {
    let (area, start, room) = TLVLayout.room(in: area, leading: Array(leading))
    guard let capacity = TLV.messageCapacity(room: room) else {
      throw .noRoomForMessage(area: area.byteCount, leading: leading.count)
    }
    guard let block = TLV.messageBlock(message, room: room),
      let runs = area.runs(from: start, count: block.count)
    else { throw .messageTooLong(byteCount: message.count, capacity: capacity) }

    let offsets = runs.flatMap { Array($0) }
    let headerCount = TLV.lengthField(message.count).count + 1
    self.area = area
    tagOffset = start
    lengthOffsets = Array(offsets[1..<headerCount])
    terminatorOffset = block.count > headerCount + message.count ? offsets.last : nil
    var rest = block[...]
    pieces = runs.map { run in
      defer { rest = rest.dropFirst(run.count) }
      return Piece(offset: run.lowerBound, bytes: Array(rest.prefix(run.count)))
    }
  }

  /// The longest message, in bytes, that fits behind `leading`; nil when not even an empty one
  /// does.
  package static func capacity(of area: TLVArea, leading: some Collection<UInt8> = []) -> Int? {
    TLV.messageCapacity(room: room(in: area, leading: Array(leading)).byteCount)
  }

  /// One past the last byte that belongs to the message TLV or the Terminator.
  package var endOffset: Int {
    pieces.last.map { $0.offset + $0.bytes.count } ?? tagOffset
  }

  /// `current`, the area's first bytes, as they are once this layout is written: at least up to
  /// `endOffset`, with zeros where nothing was known.
  package func applied(to current: some Collection<UInt8>) -> [UInt8] {
    var bytes = Array(current)
    bytes += Array(repeating: 0, count: max(0, endOffset - bytes.count))
    for piece in pieces {
      bytes.replaceSubrange(piece.offset..<piece.offset + piece.bytes.count, with: piece.bytes)
    }
    return bytes
  }

  /// The area with what `leading` reserves, the message's place in it, the usable bytes from there.
  private static func room(in area: TLVArea, leading: [UInt8])
    -> (area: TLVArea, start: Int, byteCount: Int)
  {
    let area = TLVScan(leading, of: area).area
    let start = area.usable(from: leading.count)
    return (area, start, area.usableCount(from: start))
  }
}
