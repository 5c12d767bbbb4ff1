/// A URL as the device sees it: split by RFC 3986, not rewritten beyond what every URL parser does.
///
/// The scheme and the host are lower-cased, a host outside ASCII becomes punycode (RFC 3492), and
/// characters that RFC 3986 has no place for are percent-encoded. Escapes, dot segments and double
/// slashes stay as they are, since patterns are compared with the URL as written.
public struct LinkURL: Hashable, Sendable {
  /// Lower case, without the colon.
  public let scheme: String
  /// What stands before the `@`.
  public let userInfo: String?
  /// ASCII and lower case; nil where no `//` follows the scheme, as in `mailto:`.
  public let host: String?
  /// The digits after the host's colon, which may be none at all.
  public let port: String?
  /// From the first `/` after the host; empty when there is none.
  public let path: String
  /// What follows the first `?`, without it.
  public let query: String?
  /// What follows the first `#`, without it.
  public let fragment: String?
  /// The text that was parsed.
  public let written: String
  /// The host as it was written, without user information and port.
  public let writtenHost: String?
  /// Whether characters had to be percent-encoded.
  let hasEncodedCharacters: Bool
}

extension LinkURL: CustomStringConvertible {
  /// The URL put together again.
  public var description: String {
    var text = scheme + ":"
    if let host {
      text += "//" + (userInfo.map { $0 + "@" } ?? "") + host + (port.map { ":" + $0 } ?? "")
    }
    return text + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }
}

extension LinkURL {
  /// Whether iOS looks for an app that claims it: a web address.
  public var isWebLink: Bool { scheme == "https" || scheme == "http" }

  /// The parts of the query in their order; a part without `=` has an empty value. As written.
  var queryItems: [(name: String, value: String)] {
    guard let query, !query.isEmpty else { return [] }
    return query.split(separator: "&", omittingEmptySubsequences: false).map { part in
      guard let equals = part.firstIndex(of: "=") else { return (String(part), "") }
      return (String(part[..<equals]), String(part[part.index(after: equals)...]))
    }
  }

  /// The labels of the host, without the empty one that a trailing dot leaves.
  var hostLabels: [Substring] { (host ?? "").split(separator: ".") }

  /// Whether the host is a numeric address: such a host has no site association.
  var hostIsAddress: Bool {
    guard let host else { return false }
    return host.hasPrefix("[")
      || hostLabels.last.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? false
  }
}
