import Bytes

extension URIRecord {
  /// `text` with everything percent-encoded, in UTF-8, that RFC 3986 does not let stand where it
  /// stands; a valid URI comes back unchanged.
  ///
  /// RFC 3986, 2 and appendix A. Besides characters outside the URI alphabet these are a percent
  /// sign without two hexadecimal digits, brackets outside the authority and a second `#`. A host
  /// outside ASCII is encoded like the rest; its Punycode form is for the caller to choose.
  /// Throws for an empty text and for control characters, which are never meant.
  public static func percentEncoded(_ text: String) throws(NDEFError) -> String {
    try check(text, in: .argument)
    if text.utf8.allSatisfy({ alwaysStands[Int($0)] }) { return text }
    let bytes = Array(text.utf8)
    let authority = authorityRange(of: bytes)
    var result: [UInt8] = []
    var isFragment = false
    for (index, byte) in bytes.enumerated() {
      let stands: Bool
      switch byte {
      case UInt8(ascii: "%"):
        stands = bytes.dropFirst(index + 1).prefix(2).filter(ASCII.isHexDigit).count == 2
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        stands = authority.contains(index)
      case UInt8(ascii: "#"):
        stands = !isFragment
        isFragment = true
      default:
        stands = alwaysStands[Int(byte)]
      }
      if stands {
        result.append(byte)
      } else {
        result += "%\(Hex.byte(byte).uppercased())".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where the authority stands: from `//`, after a scheme if any, to the next `/`, `?` or `#`.
  private static func authorityRange(of bytes: [UInt8]) -> Range<Int> {
    let delimiters = Array("/?#".utf8)
    let firstDelimiter = bytes.firstIndex(where: delimiters.contains) ?? bytes.endIndex
    guard bytes[firstDelimiter...].starts(with: "//".utf8) else { return 0..<0 }
    guard firstDelimiter == 0 || bytes[firstDelimiter - 1] == UInt8(ascii: ":") else {
      return 0..<0
    }
    let start = firstDelimiter + 2
    return start..<(bytes[start...].firstIndex(where: delimiters.contains) ?? bytes.endIndex)
  }

  /// For each byte whether it is itself wherever it stands: unreserved, or a delimiter without a place of its own.
  private static let alwaysStands: [Bool] = (UInt8.min...UInt8.max).map { byte in
    ASCII.isAlphanumeric(byte) || "-._~:/?@!$&'()*+,;=".utf8.contains(byte)
  }
}
