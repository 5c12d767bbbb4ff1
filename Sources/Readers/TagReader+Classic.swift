import TagMemory

/// MIFARE Classic commands (MF1S50YYX_V1, 9), through InDataExchange.
extension TagReader {
  /// Opens `block`'s sector with `key`. Throws `exchangeFailed(.authentication)` when the tag
  /// refuses; the tag must then be selected again.
  public func authenticate(
    block: Int, key: Key, type: KeyType, tag: Target
  ) throws(ReaderError) {
    // The tag's own four bytes in both lengths: of a 7-byte UID the last four (AN10927, 2.2.4).
    let command = [type.rawValue, UInt8(block)] + key.bytes + tag.uid.bytes.suffix(4)
    try expectNothing(try exchange(command, repetition: .once))
  }

  /// The 16 bytes of a block in an open sector.
  public func readBlock(_ block: Int) throws(ReaderError) -> [UInt8] {
    try expect(16, try exchange([0x30, UInt8(block)], repetition: .once))
  }

  /// Writes the 16 bytes of a block in an open sector.
  public func writeBlock(_ block: Int, _ bytes: [UInt8]) throws(ReaderError) {
    precondition(bytes.count == 16, "a block has 16 bytes")
    try expectNothing(try exchange([0xA0, UInt8(block)] + bytes, repetition: .never))
  }
}
