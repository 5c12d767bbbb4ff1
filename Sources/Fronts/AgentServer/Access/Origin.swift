import HTTPServing

/// Whose page it is (RFC 6454): `https://shop.example`, as a browser writes it.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil where `text` is no origin of a page on the web: it has a path, or is `null`.
  package init?(_ text: String) {
    guard text.utf8.count <= 300,
      let scheme = ["https://", "http://"].first(where: text.hasPrefix)
    else { return nil }
    let authority = text.dropFirst(scheme.count)
    guard let host = HostNames.host(of: String(authority)), ListenAddress.isHost(host),
      authority.allSatisfy({ $0.isASCII && !$0.isUppercase })
    else { return nil }
    description = text
  }
}
