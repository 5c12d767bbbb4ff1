/// Programs what an APDU brings.
struct Type4Writer {
  let eeprom: EEPROM
  let tearing: Type4Behaviour.Tearing
  /// FSC.
  let frameSize: Int

  /// Bytes of memory that are programmed at once.
  static let page = 32

  /// `data` at `offset`. `header`: how many bytes of the APDU, which came in frames, stood before
  /// them.
  func program(_ data: [UInt8], at offset: Int, header: Int) -> EEPROM.Outcome {
    var (start, rest) = (offset, data[...])
    // Three bytes of each frame are its prologue and CRC.
    var room = max(1, frameSize - 3 - header)
    while !rest.isEmpty {
      let size = tearing == .frame ? room : Self.page - start % Self.page
      let piece = Array(rest.prefix(size))
      let pages = (start + piece.count - 1) / Self.page - start / Self.page + 1
      let outcome = eeprom.program(
        piece, at: start, tearingSafe: tearing == .frame, pages: pages)
      guard outcome == .programmed else { return outcome }
      start += piece.count
      rest = rest.dropFirst(piece.count)
      room = frameSize - 3
    }
    return .programmed
  }
}
