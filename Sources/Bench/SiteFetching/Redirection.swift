import UniversalLinks
import WebAddress

/// A server sends a link on to somewhere else.
package struct Redirection: Hashable, Sendable {
  package let status: Int
  package let location: String?

  /// Returns what follows for a tag that holds `link`.
  package func finding(for link: Address) -> Finding {
    let target = location.map { text in
      let printable = text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
      return " to " + String(String.UnicodeScalarView(printable.prefix(300)))
    }
    return Finding(
      .linkRedirects, .address("\(link)"),
      """
      The site redirects this link (\(status))\(target ?? ""). A phone that follows a redirect is in \
      the browser already and opens no app at its end (Apple, TN3155): the address that the app is \
      for must itself be on the tag.
      """)
  }
}

extension SiteFetcher {
  /// Returns whether the site redirects `link`: asked once, for 10 s at most. Nil when it does not,
  /// or does not answer.
  package func redirection(of link: Address) async -> Redirection? {
    guard link.scheme == "https", let host = link.host, !host.isEmpty, link.userInfo == nil else {
      return nil
    }
    let path = (link.path.isEmpty ? "/" : link.path) + (link.query.map { "?" + $0 } ?? "")
    let port = link.port.flatMap { Int($0) }
    return await HTTPSClient(configuration).redirection(host: host, port: port, path: path)
  }
}
