/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
  /// The value of a hexadecimal digit.
  package static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "0"..."9": UInt8(scalar.value - 0x30)
    case "a"..."f": UInt8(scalar.value - 0x61 + 10)
    case "A"..."F": UInt8(scalar.value - 0x41 + 10)
    default: nil
    }
  }

  /// `%` and the two digits of `byte`, in the upper case that RFC 3986, 2.1, prefers.
  package static func encoded(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// `text` with every character that `isAllowed` refuses as its UTF-8 bytes, encoded.
  package static func encode(_ text: String, allowing isAllowed: (Unicode.Scalar) -> Bool) -> String
  {
    var result = ""
    for scalar in text.unicodeScalars {
      if isAllowed(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(Character(scalar)).utf8 { result += encoded(byte) }
      }
    }
    return result
  }

  /// `text` decoded; where that would not be UTF-8, or an escape is cut short, the text as it is.
  package static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")), firstFault(in: text) == nil else { return text }
    return String(validating: bytes(of: text), as: UTF8.self) ?? text
  }

  /// Returns whether the escapes of `text` spell UTF-8.
  package static func spellsUTF8(_ text: String) -> Bool {
    firstFault(in: text) != nil || String(validating: bytes(of: text), as: UTF8.self) != nil
  }

  /// The first `%` of `text` that two hexadecimal digits do not follow, with what stands there.
  package static func firstFault(in text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    for index in scalars.indices where scalars[index] == "%" {
      let digits = scalars[(index + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy({ digit($0) != nil }) else {
        return String(String.UnicodeScalarView(scalars[index...].prefix(3)))
      }
    }
    return nil
  }

  /// Returns whether an escape of `text` has a lower-case digit.
  package static func hasLowerCaseDigits(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.contains { index in
      scalars[index] == "%"
        && scalars[(index + 1)...].prefix(2).contains { ("a"..."f").contains($0) }
    }
  }

  private static func bytes(of text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { digit(Unicode.Scalar($0)) }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        result.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
