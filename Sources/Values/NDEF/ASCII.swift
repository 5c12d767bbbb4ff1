/// The character classes that type names, URIs and language codes are made of.
enum ASCII {
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Returns whether `byte` is printable and no space.
  static func isGraphic(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// `text` with the letters A to Z in lower case and everything else as it is.
  static func lowercased(_ text: some Sequence<UInt8>) -> String {
    String(decoding: text.map { isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
