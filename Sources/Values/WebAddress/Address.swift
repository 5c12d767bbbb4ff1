/// An address as every command takes it: absolute, by RFC 3986, with a scheme that is known or
/// somebody's own.
///
/// What a URL cannot hold is encoded, and `alterations` says so: a host outside ASCII becomes
/// punycode (RFC 3492), other characters are percent-encoded. Nothing else is rewritten: escapes,
/// dot segments, double slashes and the case of letters stay, since rules are compared with the
/// address as written.
package struct Address: Hashable, Sendable {
  /// Lower case, without the colon.
  package let scheme: String
  /// What stands before the `@`.
  package let userInfo: String?
  /// ASCII; lower case where it is a domain. Nil where no `//` follows the scheme, as in `mailto:`.
  package let host: String?
  /// The digits after the host's colon, which may be none at all.
  package let port: String?
  /// From the first `/` after the host; empty when there is none.
  package let path: String
  /// What follows the first `?`, without it.
  package let query: String?
  /// What follows the first `#`, without it.
  package let fragment: String?
  /// The text that was parsed.
  package let written: String
  /// The address as it goes onto a tag: `written`, with its alterations.
  package let text: String
  /// The host as it was written, without user information and port.
  package let writtenHost: String?
  /// What had to be changed; `text` differs from `written` by these alone.
  package let alterations: [Alteration]
}

extension Address: CustomStringConvertible {
  /// The address as a device compares it: scheme and domain in lower case.
  package var description: String { Self.join(scheme, host: host, self) }

  /// The parts put together again.
  static func join(
    _ scheme: String, userInfo: String?, host: String?, port: String?, path: String,
    query: String?, fragment: String?
  ) -> String {
    var text = scheme + ":"
    if let host {
      text += "//" + (userInfo.map { $0 + "@" } ?? "") + host + (port.map { ":" + $0 } ?? "")
    }
    return text + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  private static func join(_ scheme: String, host: String?, _ parts: Address) -> String {
    join(
      scheme, userInfo: parts.userInfo, host: host, port: parts.port, path: parts.path,
      query: parts.query, fragment: parts.fragment)
  }
}

extension Address {
  /// This address with another path; nil where that makes none.
  package func replacingPath(by path: String) -> Address? {
    try? Address(
      parsing: Self.join(
        scheme, userInfo: userInfo, host: host, port: port, path: path, query: query,
        fragment: fragment))
  }

  /// Is true if iOS looks for an app that claims it: a web address.
  package var isWebLink: Bool { scheme == "https" || scheme == "http" }

  /// Is true if characters had to be percent-encoded.
  package var hasEncodedCharacters: Bool {
    alterations.contains { if case .encoded = $0 { true } else { false } }
  }

  /// The parts of the query in their order; a part without `=` has an empty value. As written.
  package var queryItems: [(name: String, value: String)] {
    guard let query, !query.isEmpty else { return [] }
    return query.split(separator: "&", omittingEmptySubsequences: false).map { part in
      guard let equals = part.firstIndex(of: "=") else { return (String(part), "") }
      return (String(part[..<equals]), String(part[part.index(after: equals)...]))
    }
  }

  /// Is true if the host is a numeric address: such a host has no site association.
  package var hostIsAddress: Bool {
    guard let host else { return false }
    return host.hasPrefix("[") || DomainName.isNumeric(host)
  }
}
