import UniversalLinks
import WebAddress

/// Gets site associations over the network. Nothing is asked, and no thread started, before that.
package struct SiteFetcher: Sendable {
  let configuration: FetchConfiguration

  package init(_ configuration: FetchConfiguration = .standard) {
    self.configuration = configuration
  }

  /// Asks for the file of `domain` at all its places at once, for 10 s at most. Throws `notADomain`
  /// for what is none.
  package func fetch(domain text: String) async throws(FetchError) -> SiteFetch {
    let domain = try Self.domain(text)
    let client = HTTPSClient(configuration)
    func file(_ place: SiteFetch.Place) async -> Result<Download, FetchError> {
      let (host, path) = place.address(of: domain)
      return await client.get(host: host, path: path)
    }
    async let wellKnown = file(.wellKnown)
    async let root = file(.root)
    async let cdn = file(.cdn)
    return await SiteFetch(domain: domain, wellKnown: wellKnown, root: root, cdn: cdn)
  }

  /// Asks for the file at one address, and for nothing else, for 10 s at most.
  ///
  /// The association's host is the address's; for an address of Apple's CDN, the domain that it
  /// ends in.
  package func fetch(address: String) async -> AddressFetch {
    guard let link = try? Address(parsing: address), link.scheme == "https", let host = link.host,
      !host.isEmpty, link.userInfo == nil
    else { return AddressFetch(address: address, host: nil, file: .failure(.notHTTPS(address))) }
    let path = (link.path.isEmpty ? "/" : link.path) + (link.query.map { "?" + $0 } ?? "")
    let port = link.port.flatMap { Int($0) }
    let file = await HTTPSClient(configuration).get(host: host, port: port, path: path)
    let isCDN = host == SiteFetch.Place.cdnHost
    let owner = isCDN ? link.path.split(separator: "/").last.map(String.init) : host
    return AddressFetch(address: address, host: owner, file: file)
  }

  /// The host that `domain` names, in ASCII and lower case; nil for what is no name of a public
  /// domain.
  package static func host(ofDomain domain: String) -> String? { try? self.domain(domain) }

  /// The name in ASCII and lower case.
  private static func domain(_ text: String) throws(FetchError) -> String {
    guard !text.isEmpty, let link = try? Address(parsing: "https://" + text + "/"),
      let host = link.host, link.path == "/", link.port == nil, link.userInfo == nil,
      link.query == nil, link.fragment == nil,
      !Lint.findings(link).contains(where: { $0.severity == .error })
    else { throw .notADomain(text) }
    return host
  }
}
