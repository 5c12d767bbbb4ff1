import NDEF

/// A URL as text: percent-encoded where it must be, and refused where no phone could follow it.
public enum LinkArgument {
  /// The URI record of `text`; fails and says why.
  public static func record(_ text: String) throws(RecordTextError) -> URIRecord {
    let record: URIRecord
    do {
      record = try URIRecord(percentEncoding: text)
    } catch {
      throw .badInput("\(RecordTextError.quoted(text)) is not a URL: \(error).")
    }
    if let reason = reasonAgainst(record.uri) {
      throw .badInput("\(RecordTextError.quoted(text)) is not a URL: \(reason).")
    }
    return record
  }

  /// Why `uri`, percent-encoded, cannot be followed; nil when nothing speaks against it.
  ///
  /// RFC 3986, 3.1: it must be absolute. For http and https also 3.2.2 and 3.2.3: a host, and a port that is one.
  static func reasonAgainst(_ uri: String) -> String? {
    let bytes = uri.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
      return "it does not begin with a scheme such as https://"
    }
    let scheme = uri[..<colon].lowercased()
    let rest = uri[uri.index(after: colon)...]
    guard scheme == "http" || scheme == "https" else {
      return rest.isEmpty ? "nothing follows \(scheme):" : nil
    }
    guard rest.utf8.starts(with: "//".utf8) else { return "\(scheme): must be followed by //" }
    let authority = rest.utf8.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    let afterUser = authority.lastIndex(of: UInt8(ascii: "@"))
      .map { authority[authority.index(after: $0)...] }
    return reasonAgainst(hostAndPort: afterUser ?? authority)
  }

  private static func reasonAgainst(hostAndPort text: Substring.UTF8View) -> String? {
    let hostEnd =
      text.first == UInt8(ascii: "[")
      ? text.firstIndex(of: UInt8(ascii: "]")).map(text.index(after:))
      : text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    guard let hostEnd else { return "the bracket of its host is not closed" }
    let (host, port) = (text[..<hostEnd], text[hostEnd...])
    if host.isEmpty { return "it names no host" }
    if host.contains(UInt8(ascii: "%")) {
      return "a host has letters, digits, dots and dashes; write others as Punycode (xn--…)"
    }
    if port.isEmpty { return nil }
    let digits = port.dropFirst()
    guard port.first == UInt8(ascii: ":"), digits.allSatisfy(isDigit),
      digits.isEmpty || UInt16(Substring(digits)) != nil
    else { return "its port is not a number up to 65535" }
    return nil
  }

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
