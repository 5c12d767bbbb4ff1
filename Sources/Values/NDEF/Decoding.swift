/// Text out of payload bytes, with the place of the first byte that is none.
enum Decoding {
  /// `bytes` as UTF-8; throws `invalidUTF8` at `offset` plus the index of the first wrong byte.
  static func utf8(
    _ bytes: some Collection<UInt8>, in part: NDEFError.Part = .payload, at offset: Int
  ) throws(NDEFError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var index = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { index += scalar.count }
    throw NDEFError(.invalidUTF8, in: part, at: offset + index)
  }

  /// `bytes` as UTF-16: in the order of a byte-order mark, which is not part of the text, else high
  /// byte first. Throws `invalidUTF16` at `offset` plus the index of the first wrong byte.
  static func utf16(
    _ bytes: some Collection<UInt8>, at offset: Int
  ) throws(NDEFError) -> String {
    let (units, markCount) = utf16Units(bytes)
    guard let text = String(validating: units, as: UTF16.self) else {
      var iterator = units.makeIterator()
      var parser = Unicode.UTF16.ForwardParser()
      var index = 0
      while case .valid(let scalar) = parser.parseScalar(from: &iterator) { index += scalar.count }
      throw NDEFError(.invalidUTF16, in: .payload, at: offset + markCount + 2 * index)
    }
    guard bytes.count % 2 == 0 else {
      throw NDEFError(.invalidUTF16, in: .payload, at: offset + bytes.count - 1)
    }
    return text
  }
  /// `bytes` in pairs, in the order of a byte-order mark, else high byte first; the mark, of
  /// `markCount` bytes, and an odd byte at the end are left out.
  static func utf16Units(_ bytes: some Collection<UInt8>) -> (units: [UInt16], markCount: Int) {
    let bytes = Array(bytes)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return switch units.first {
    case 0xFEFF: (Array(units.dropFirst()), 2)
    case 0xFFFE: (units.dropFirst().map(\.byteSwapped), 2)
    default: (units, 0)
    }
  }
}
