import NDEF

/// A URL on the command line: percent-encoded where it must be, and refused where no phone could follow it.
enum LinkArgument {
  /// The URI record of `text`. Fails with `badInput`, and says why.
  static func record(_ text: String) throws(CommandFailure) -> URIRecord {
    let record: URIRecord
    do {
      record = try URIRecord(percentEncoding: text)
    } catch {
      throw CommandFailure(.badInput, "\(quoted(text)) is not a URL: \(error).")
    }
    if let reason = reasonAgainst(record.uri) {
      throw CommandFailure(.badInput, "\(quoted(text)) is not a URL: \(reason).")
    }
    return record
  }

  /// Why `uri`, percent-encoded, cannot be followed; nil when nothing speaks against it.
  ///
  /// RFC 3986, 3.1: it must be absolute. For http and https also 3.2.2 and 3.2.3: a host, and a port that is one.
  static func reasonAgainst(_ uri: String) -> String? {
    guard let colon = uri.firstIndex(of: ":"), isScheme(uri[..<colon]) else {
      return "it does not begin with a scheme such as https://"
    }
    let scheme = uri[..<colon].lowercased()
    let rest = uri[uri.index(after: colon)...]
    guard scheme == "http" || scheme == "https" else {
      return rest.isEmpty ? "nothing follows \(scheme):" : nil
    }
    guard rest.hasPrefix("//") else { return "\(scheme): must be followed by //" }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return reasonAgainst(hostAndPort: afterUser ?? authority)
  }

  private static func reasonAgainst(hostAndPort text: Substring) -> String? {
    let hostEnd =
      text.hasPrefix("[")
      ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":") ?? text.endIndex
    guard let hostEnd else { return "the bracket of its host is not closed" }
    let (host, port) = (text[..<hostEnd], text[hostEnd...])
    if host.isEmpty { return "it names no host" }
    if host.contains("%") {
      return "a host has letters, digits, dots and dashes; write others as Punycode (xn--…)"
    }
    if port.isEmpty { return nil }
    guard port.hasPrefix(":"), port.dropFirst().allSatisfy(\.isNumber),
      port.count == 1 || UInt16(port.dropFirst()) != nil
    else { return "its port is not a number up to 65535" }
    return nil
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  private static func quoted(_ text: String) -> String { "\u{201C}\(text)\u{201D}" }
}
