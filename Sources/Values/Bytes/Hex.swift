/// Hexadecimal text and back.
package enum Hex {
  /// Two lower-case digits a byte, `separator` between bytes.
  package static func string(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
    bytes.map(byte).joined(separator: separator)
  }

  /// Two lower-case digits.
  package static func byte(_ value: UInt8) -> String {
    let digits = String(value, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// The bytes that `text` spells. Spaces, colons and dashes between bytes are skipped, and so is
  /// one leading `0x`; an odd number of digits and any other character throw.
  package static func bytes(_ text: some StringProtocol) throws(HexError) -> [UInt8] {
    var result: [UInt8] = []
    var high: UInt8?
    let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    for character in digits {
      if character == " " || character == ":" || character == "-" {
        guard high == nil else { throw .splitByte }
        continue
      }
      guard character.isASCII, let value = character.hexDigitValue else {
        throw .notADigit(character)
      }
      if let first = high {
        result.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    guard high == nil else { throw .oddDigitCount }
    return result
  }

  /// Printable ASCII as itself, everything else as a dot: what stands beside the digits of a dump.
  package static func ascii(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." })
  }
}

/// Why a text is not hexadecimal.
package enum HexError: Error, Hashable, Sendable {
  /// A character that is neither a hexadecimal digit nor a separator.
  case notADigit(Character)
  /// The last byte has one digit only.
  case oddDigitCount
  /// A separator stands between the two digits of a byte.
  case splitByte
}

extension HexError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notADigit(let character): "\u{201C}\(character)\u{201D} is not a hexadecimal digit"
    case .oddDigitCount: "the number of hexadecimal digits is odd"
    case .splitByte: "a separator stands between the two digits of a byte"
    }
  }
}
