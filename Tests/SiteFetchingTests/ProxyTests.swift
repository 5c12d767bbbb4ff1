import Testing

@testable import SiteFetching

@Suite("The proxy that https_proxy names")
struct ProxyTests {
  @Test(
    "is a host and a port, 80 where none stands",
    arguments: [
      ("http://proxy.example:3128", "proxy.example", 3128),
      ("proxy.example:8080", "proxy.example", 8080),
      ("http://10.0.0.1/", "10.0.0.1", 80), ("HTTP://Proxy.example:3128/", "Proxy.example", 3128),
    ])
  func parsed(text: String, host: String, port: Int) throws {
    let proxy = try #require(FetchConfiguration.Proxy(text))
    #expect(proxy.host.lowercased() == host.lowercased() && proxy.port == port)
  }

  @Test(
    "is not guessed from anything else",
    arguments: [
      "", "http://", "https://proxy.example:3128", "socks5://proxy.example:1080",
      "http://me:secret@proxy.example:3128", "http://proxy.example:0", "http://proxy.example:65536",
      "http://proxy.example:x", "http://proxy.example/path",
    ])
  func refused(text: String) {
    #expect(FetchConfiguration.Proxy(text) == nil)
  }
}
