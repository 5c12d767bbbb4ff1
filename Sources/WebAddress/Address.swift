/// An address as every command takes it: absolute, by RFC 3986, with a scheme that is known or
/// somebody's own.
///
/// What a URL cannot hold is encoded, and `alterations` says so: a host outside ASCII becomes
/// punycode (RFC 3492), other characters are percent-encoded. Nothing else is rewritten: escapes,
/// dot segments, double slashes and the case of letters stay, since rules are compared with the
/// address as written.
public struct Address: Hashable, Sendable {
  /// Lower case, without the colon.
  public let scheme: String
  /// What stands before the `@`.
  public let userInfo: String?
  /// ASCII; lower case where it is a domain. Nil where no `//` follows the scheme, as in `mailto:`.
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
  /// The address as it goes onto a tag: `written`, with its alterations.
  public let text: String
  /// The host as it was written, without user information and port.
  public let writtenHost: String?
  /// What had to be changed; `text` differs from `written` by these alone.
  public let alterations: [Alteration]
}

extension Address: CustomStringConvertible {
  /// The address as a device compares it: scheme and domain in lower case.
  public var description: String { Self.join(scheme, host: host, self) }

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
  /// Whether iOS looks for an app that claims it: a web address.
  public var isWebLink: Bool { scheme == "https" || scheme == "http" }

  /// Whether characters had to be percent-encoded.
  public var hasEncodedCharacters: Bool {
    alterations.contains { if case .encoded = $0 { true } else { false } }
  }

  /// The parts of the query in their order; a part without `=` has an empty value. As written.
  public var queryItems: [(name: String, value: String)] {
    guard let query, !query.isEmpty else { return [] }
    return query.split(separator: "&", omittingEmptySubsequences: false).map { part in
      guard let equals = part.firstIndex(of: "=") else { return (String(part), "") }
      return (String(part[..<equals]), String(part[part.index(after: equals)...]))
    }
  }

  /// Whether the host is a numeric address: such a host has no site association.
  public var hostIsAddress: Bool {
    guard let host else { return false }
    return host.hasPrefix("[") || DomainName.isNumeric(host)
  }
}
