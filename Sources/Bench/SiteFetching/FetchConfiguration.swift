import UniversalLinks
import WebAddress

/// How files are fetched: as a device does, or through what stands between a workshop and the
/// network.
package struct FetchConfiguration: Sendable {
  /// For one file, from the name's look-up to its last byte.
  package var timeLimit = Duration.seconds(10)
  /// For one file, in bytes.
  package var byteLimit = SiteAssociation.byteLimit
  /// Where the servers listen, where that is not 443.
  package var port: Int?
  /// Addresses of hosts, instead of what the domain name system says.
  package var addresses: [String: String] = [:]
  /// PEM text of the root certificates to trust, instead of the system's. What holds none trusts
  /// nobody.
  package var trustedRoots: [UInt8]?
  /// The proxy that is asked to connect to the servers; TLS is spoken with them, not with it.
  package var proxy: Proxy?

  /// An HTTP proxy (RFC 9110, 9.3.6: CONNECT).
  package struct Proxy: Hashable, Sendable {
    package let host: String
    package let port: Int

    /// Reads `http://host:port`, as it stands in `https_proxy`; nil for anything else, a password
    /// in it included.
    package init?(_ text: String) {
      guard let link = try? Address(parsing: text.contains("://") ? text : "http://" + text),
        link.scheme == "http", let host = link.host, !host.isEmpty, link.userInfo == nil,
        link.path.isEmpty || link.path == "/"
      else { return nil }
      self.host = host
      guard let port = link.port else {
        port = 80
        return
      }
      guard let number = UInt16(port), number > 0 else { return nil }
      self.port = Int(number)
    }
  }

  /// As a device fetches.
  package static let standard = FetchConfiguration()
}
