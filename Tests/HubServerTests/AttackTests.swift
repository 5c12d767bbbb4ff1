import HTTPTypes
import Testing

@testable import HTTPServing
@testable import HubServer

/// What somebody sends who has no business at a hub, as a list, and what he gets.
@Suite("Requests that a hub refuses")
struct AttackTests {
  /// Addresses that a page of another site asks for.
  private static let addresses = [
    "/v1/batches", "/v1/batches/A17", "/v1/batches/A17/board", "/v1/batches/A17/events/stream",
    "/v1/batches/A17/jobs.csv", "/v1/batches/A17/report.html", "/v1/search?q=x", "/v1/tags/04",
    "/metrics", "/openapi.json", "/assets/hub.js", "/v1/nope",
  ]

  @Test("another site's page gets nothing, and takes nothing of what its reader may ask")
  func otherSites() async throws {
    let hub = HubUnderTest(SampleStore(), try HubSettings())
    for address in Self.addresses {
      for site in ["cross-site", "same-site", "Cross-Site", "none, cross-site", "else"] {
        for mode in ["no-cors", "cors", "navigate", "websocket", nil] {
          var headers: HTTPFields = [.secFetchSite: site]
          headers[.secFetchMode] = mode
          // Far more than a client may ask at once.
          for _ in 0..<2 {
            let answer = try await hub.answer(Asking(address, .get, headers))
            #expect(answer.status == 403 && answer.problem == "not-allowed", "\(address) \(site)")
          }
        }
      }
    }
    #expect(try await hub.answer(Asking("/v1/batches")).status == 200)
  }

  @Test("another site's page may link to the hub's page, and the page may ask")
  func links() async throws {
    let hub = HubUnderTest(SampleStore(), try HubSettings())
    func status(_ path: String, _ site: String, _ mode: String) async throws -> Int {
      try await hub.answer(
        Asking(path, .get, [.secFetchSite: site, .secFetchMode: mode])
      ).status
    }
    #expect(try await status("/", "cross-site", "navigate") == 200)
    #expect(try await status("/?batch=A17", "same-site", "navigate") == 200)
    #expect(try await status("/", "cross-site", "no-cors") == 403)
    #expect(try await status("/v1/batches", "same-origin", "cors") == 200)
    #expect(try await status("/v1/batches", "none", "navigate") == 200)
  }

  @Test(
    "without a token, what a proxy passes on is refused",
    arguments: [
      "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Anything", "Via",
      "Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP",
    ])
  func proxies(name: String) async throws {
    let field = try #require(HTTPField.Name(name))
    let asking = Asking("/v1/batches", .get, [field: "10.0.0.7"])
    let answer = try await ask(SampleStore(), nil, asking)[0]
    #expect(answer.status == 403 && answer.body.contains("--token-file"), "\(answer.body)")
    let guarded = try await ask(SampleStore(), try SecurityTests.guarded(), asking)[0]
    #expect(guarded.status == 401)
  }

  @Test("another name than this machine's needs a token")
  func names() throws {
    for host in ["hub.factory.example", "10.0.0.7", "bench"] {
      let mistake = #expect(throws: ServerMistake.self) { try HubSettings(hosts: [host]) }
      #expect(mistake?.code == .configuration && mistake?.text.contains("--token-file") == true)
    }
    _ = try HubSettings(hosts: ["localhost", "127.0.0.1", "::1"])
    _ = try HubSettings(token: AccessToken(SecurityTests.secret), hosts: ["hub.factory.example"])
    #expect(try HubSettings().remark(takesBatches: true)?.contains("--token-file") == true)
    let token = try AccessToken(SecurityTests.secret)
    #expect(try HubSettings(token: token).remark(takesBatches: true) == nil)
  }

  @Test(
    "a token that can be guessed is refused",
    arguments: [
      "aaaaaaaaaaaaaaaaaaaa", "abababababababababababababababababababab", "0123456789abcdef",
      "0123456789abcdef0123456789abcdef", "abcdefghijklmnopqrstuvwxyzabcdefghij",
      "12345678901234567890123456789012", "passwordpasswordpassword", "deadbeefdeadbeefdeadbeef",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "zyxwvutsrqponmlkjihgfedcba987654", "4815162342481516",
    ])
  func weak(token: String) {
    let mistake = #expect(throws: ServerMistake.self) { try AccessToken(token) }
    #expect(mistake?.code == .configuration && mistake?.text.contains(token) == false)
  }

  @Test("a token that chance made is taken, however it is written")
  func chance() throws {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    for _ in 0..<500 {
      let hex = String((0..<32).map { _ in digits.randomElement(using: &random) ?? "0" })
      // 16 bytes in Base64: 22 digits that say something.
      let base = String((0..<22).map { _ in letters.randomElement(using: &random) ?? "A" })
      for text in [hex, hex.uppercased(), base, base + "=="] {
        #expect(throws: Never.self, "\(text)") { try AccessToken(text) }
      }
    }
  }
}
