import CardCrypto

extension TripleDES {
  /// The key as Ultralight C stores it in pages 44 to 47: each half last byte first (MF0ICU2,
  /// 7.5.7).
  init(ultralightMemory bytes: ArraySlice<UInt8>) {
    self.init(key: bytes.prefix(8).reversed() + bytes.suffix(8).reversed())
  }
}
