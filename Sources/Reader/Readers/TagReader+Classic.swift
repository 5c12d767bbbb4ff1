import TagMemory

/// MIFARE Classic commands (MF1S50YYX_V1, 9).
extension TagReader {
  /// Opens `block`'s sector with `key`. Throws `exchangeFailed(.authentication)` when the tag
  /// refuses; the tag must then be selected again.
  public func authenticate(block: Int, key: Key, type: KeyType) throws(ReaderError) {
    _ = try send(.authenticate(block: block, key: key, type: type))
  }

  /// The 16 bytes of a block in an open sector.
  public func readBlock(_ block: Int) throws(ReaderError) -> [UInt8] {
    try send(.readBlock(block))
  }

  /// Writes the 16 bytes of a block in an open sector.
  public func writeBlock(_ block: Int, _ bytes: [UInt8]) throws(ReaderError) {
    _ = try send(.writeBlock(block, bytes))
  }
}
