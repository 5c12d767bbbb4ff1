import Foundation
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("What a hub is started with")
struct SettingsTests {
  @Test("beyond this machine it needs a token, and a proxy in front")
  func access() throws {
    let token = try AccessToken(SecurityTests.secret)
    let everywhere = ListenAddress(host: "0.0.0.0", port: 8410)
    #expect(throws: ServerMistake.self) { try HubSettings(address: everywhere) }
    let open = #expect(throws: ServerMistake.self) {
      try HubSettings(address: everywhere, token: token)
    }
    #expect(open?.text.contains("--behind-proxy") == true)
    #expect(throws: ServerMistake.self) { try HubSettings(isBehindProxy: true) }
    _ = try HubSettings(address: everywhere, token: token, isBehindProxy: true)
    _ = try HubSettings(token: token, isBehindProxy: true)
    _ = try HubSettings()
  }

  @Test("a token is long, printable, and in a file that not everybody can read")
  func tokens() throws {
    #expect(throws: ServerMistake.self) { try AccessToken("0123456789abcde") }
    #expect(throws: ServerMistake.self) { try AccessToken("0123456789 abcdef") }
    #expect(throws: ServerMistake.self) { try AccessToken("0123456789äbcdef") }
    let path = NSTemporaryDirectory() + "token-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("\(SecurityTests.secret)\nmore\n".utf8).write(to: URL(filePath: path))
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: ServerMistake.self) { try AccessToken(file: path) }
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(try AccessToken(file: path).accepts(SecurityTests.secret))
    #expect(throws: ServerMistake.self) { try AccessToken(file: path + "-none") }
  }

  @Test("an address has a host and a port")
  func addresses() {
    func parse(_ text: String) -> String? { ListenAddress(parsing: text)?.text }
    #expect(parse("127.0.0.1:80") == "127.0.0.1:80" && parse("bench") == "bench:8410")
    #expect(parse(":9000") == "127.0.0.1:9000" && parse("[::1]:9000") == "[::1]:9000")
    #expect(parse("::1") == "[::1]:8410" && parse("[::1]") == "[::1]:8410")
    for text in ["a:b", "a:70000", "[::1", "[::1]9", "a b", "http://a/", "8411"] {
      #expect(parse(text) == nil, "\(text)")
    }
    for host in ["127.0.0.1", "127.9.9.9", "::1", "localhost"] {
      #expect(ListenAddress(host: host, port: 1).isLoopback, "\(host)")
    }
    for host in ["0.0.0.0", "::", "10.0.0.1", "127.evil.example", "bench"] {
      #expect(!ListenAddress(host: host, port: 1).isLoopback, "\(host)")
    }
  }

  @Test("a further name of the hub has no scheme and no port")
  func names() {
    for host in ["hub.factory.example", "HUB", "10.0.0.7", "::1", "xn--mnchen-3ya.example"] {
      #expect(ListenAddress.isHost(host), "\(host)")
    }
    for host in ["https://hub.factory.example", "hub:8410", "hub/", "[::1]", "a b", ""] {
      #expect(!ListenAddress.isHost(host), "\(host)")
    }
  }

  @Test("the hub answers under its own names alone")
  func hosts() {
    let names = HostNames(ListenAddress(host: "10.0.0.5", port: 1), others: ["Hub.Example"])
    for host in ["localhost:8410", "127.0.0.1", "[::1]:1", "10.0.0.5:8410", "hub.example:443"] {
      #expect(names.contains(host), "\(host)")
    }
    for host in [
      "evil.example", "localhost.evil.example", "10.0.0.6", "", "localhost:x", "localhost:1:2",
      "[::1", "hub.example.", "127.0.0.1@evil.example",
    ] {
      #expect(!names.contains(host), "\(host)")
    }
    let everywhere = HostNames(ListenAddress(host: "0.0.0.0", port: 1), others: [])
    #expect(everywhere.contains("192.168.1.7:8410") && !everywhere.contains("evil.example"))
  }
}
