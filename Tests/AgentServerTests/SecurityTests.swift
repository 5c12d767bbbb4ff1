import Foundation
import HTTPTypes
import Testing

@testable import AgentServer
@testable import HTTPServing

@Suite("Who may ask an agent")
struct SecurityTests {
  static let shop = "https://shop.example"
  static let closed = [
    "/v1/readers", "/v1/readers/sim-ntag213/tag", "/v1/openapi.json", "/nope", "/v1/readers/x/tag",
  ]

  @Test("it listens where this machine alone reaches it, and nowhere else")
  func places() throws {
    #expect(try AgentSettings.Place(parsing: ":9000").text == "http://127.0.0.1:9000/")
    #expect(try AgentSettings.Place(parsing: "[::1]").text == "http://[::1]:8411/")
    #expect(try AgentSettings.Place(parsing: "unix:/run/a.sock") == .socket("/run/a.sock"))
    for text in [
      "0.0.0.0", "0.0.0.0:80", "[::]:80", "192.168.1.5:80", "bench.example:80", "127.0.0.2:80",
      "localhost:80",
      "127.evil.example",
      "unix:", "unix:" + String(repeating: "a", count: 200), "8411", "http://127.0.0.1/",
      "[::ffff:10.0.0.1]:80", "2130706433", "0x7f.1",
    ] {
      let mistake = #expect(throws: ServerMistake.self, "\(text)") {
        try AgentSettings.Place(parsing: text)
      }
      #expect(mistake?.code.status == 64)
    }
  }

  @Test("without the token nothing is said of readers and tags")
  func tokens() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    let other = String(AgentUnderTest.secret.reversed())
    for path in Self.closed {
      for header in [
        "", "Bearer", "Bearer ", "Basic \(AgentUnderTest.secret)", AgentUnderTest.secret,
        "Bearer \(AgentUnderTest.secret)x",
      ] {
        let answer = try await agent.ask(path, headers: [.authorization: header])
        #expect(answer.status == 401 || answer.status == 429, "\(path) \(header)")
        #expect(!answer.body.contains(AgentUnderTest.secret))
      }
    }
    var last = 0
    for _ in 0..<12 {
      last = try await agent.ask("/v1/readers", headers: [.authorization: "Bearer \(other)"]).status
    }
    #expect(last == 429, "who guesses has to wait")
    #expect(try await agent.ask("/v1/readers").status == 200, "who has it does not")
    #expect(try await agent.ask("/health", headers: [.authorization: ""]).status == 200)
  }

  @Test("a name that leads here is no name of the agent")
  func rebinding() async throws {
    let agent = try AgentUnderTest()
    defer { agent.close() }
    for host in ["127.0.0.1", "localhost:8411", "[::1]:8411", "LOCALHOST"] {
      #expect(try await agent.ask("/v1/readers", host: host).status == 200, "\(host)")
    }
    for host in [
      "shop.example", "127.0.0.1.evil.example", "localhost.evil.example:8411", "0.0.0.0:8411",
      "127.0.0.1:", "[::1", "", "192.168.1.2", "127.0.0.1@evil.example",
    ] {
      let answer = try await agent.ask("/v1/readers", host: host)
      #expect(answer.status == 421, "\(host)")
    }
    let twice = try await agent.ask("/v1/readers", headers: [.host: "evil.example"])
    #expect(twice.status == 400)
  }

  @Test("a page that is not paired gets nothing, be its token the right one")
  func strangers() async throws {
    let agent = try AgentUnderTest(origins: [Self.shop])
    defer { agent.close() }
    for origin in [
      "https://evil.example", "http://shop.example", "https://shop.example:444", "null",
      "https://shop.example.evil.example", "https://shop.example/", "http://localhost:1",
      "HTTPS://SHOP.EXAMPLE", "file://", "https://shop.example, https://evil.example",
    ] {
      for path in Self.closed + ["/health"] {
        let answer = try await agent.ask(path, headers: [.origin: origin])
        #expect(answer.status == 403, "\(origin) \(path)")
        #expect(answer.headers[.allowOrigin] == nil)
        let preflight = try await agent.ask(
          path, .options,
          headers: [.origin: origin, .requestMethod: "POST", .authorization: ""])
        #expect(preflight.status == 403 && preflight.headers[.allowOrigin] == nil)
      }
      let write = try await agent.post(
        "sim-ntag213/write-url", #"{"url": "https://evil.example/"}"#, headers: [.origin: origin])
      #expect(write.status == 403)
    }
    // An element of another page, which sends no origin.
    for site in ["cross-site", "same-site"] {
      let answer = try await agent.ask("/v1/readers", headers: [.secFetchSite: site])
      #expect(answer.status == 403)
    }
    #expect(try await agent.ask("/v1/readers", headers: [.secFetchSite: "none"]).status == 200)
    let read = try await agent.post("sim-ntag213/read")
    #expect(read.text("content") != "message", "nothing was written")
  }

  @Test("a page that is paired gets a token for its own pages alone")
  func pages() async throws {
    let agent = try AgentUnderTest(origins: [Self.shop, "https://other.example"])
    defer { agent.close() }
    func token(_ origin: String) async throws -> String {
      let answer = try await agent.ask(
        "/v1/pairing", .post, headers: [.origin: origin, .authorization: ""])
      #expect(answer.status == 200 && answer.headers[.allowOrigin] == origin)
      return try #require(answer.text("token"))
    }
    let (shop, other) = (try await token(Self.shop), try await token("https://other.example"))
    #expect(shop != other && !shop.contains(AgentUnderTest.secret))
    func status(_ token: String, _ origin: String?) async throws -> Int {
      var headers: HTTPFields = [.authorization: "Bearer \(token)"]
      if let origin { headers[.origin] = origin }
      return try await agent.ask("/v1/readers", headers: headers).status
    }
    #expect(try await status(shop, Self.shop) == 200)
    #expect(try await status(shop, "https://other.example") == 401)
    #expect(try await status(other, Self.shop) == 401)
    #expect(try await status(shop, nil) == 401)
    #expect(try await status(shop, "https://evil.example") == 403)
    let preflight = try await agent.ask(
      "/v1/readers/x/read", .options,
      headers: [.origin: Self.shop, .requestMethod: "POST", .authorization: ""])
    #expect(preflight.status == 204 && preflight.headers[.allowOrigin] == Self.shop)
    #expect(preflight.headers[.vary] == "Origin")
    let failure = try await agent.ask("/v1/readers/x/tag", headers: [.origin: Self.shop])
    #expect(failure.status == 404 && failure.headers[.allowOrigin] == Self.shop)
  }

  @Test("every page may load the library, and the agent's own page is opened by hand and paired")
  func ownPage() async throws {
    let agent = try AgentUnderTest(pairing: Person())
    defer { agent.close() }
    for path in AgentPages.bodies.keys {
      for site in ["none", "same-origin", "cross-site"] {
        let answer = try await agent.ask(
          path, headers: [.authorization: "", .secFetchSite: site])
        let isOpen = site != "cross-site" || path == AgentPages.library
        #expect(answer.status == (isOpen ? 200 : 403), "\(path) \(site)")
        #expect(answer.headers[.allowOrigin] == nil)
        if isOpen {
          let policy = path == AgentPages.library ? "cross-origin" : "same-origin"
          #expect(answer.headers[.resourcePolicy] == policy)
        }
      }
      // A module of the page is loaded with an Origin.
      let module = try await agent.ask(
        path, headers: [.authorization: "", .origin: "http://127.0.0.1:8411"])
      #expect(module.status == 200, "\(path)")
      let rebound = try await agent.ask(path, host: "evil.example", headers: [.authorization: ""])
      #expect(rebound.status == 421, "\(path)")
    }
    let own = "http://127.0.0.1:8411"
    let pairing = try await agent.ask(
      "/v1/pairing?code=123456", .post, headers: [.origin: own, .authorization: ""])
    let token = try #require(pairing.text("token"))
    func status(_ more: HTTPFields) async throws -> Int {
      var headers = more
      headers[.authorization] = "Bearer \(token)"
      return try await agent.ask("/v1/readers", headers: headers).status
    }
    // What a browser sends for a page of the agent's own: no Origin with a GET.
    #expect(try await status([.secFetchSite: "same-origin"]) == 200)
    #expect(try await status([.origin: own]) == 200)
    #expect(try await status([:]) == 401)
    #expect(try await status([.secFetchSite: "cross-site"]) == 403)
  }

  @Test("a person pairs a page, and nobody else does")
  func pairing() async throws {
    let folder = NSTemporaryDirectory() + "agent-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/token.origins"
    func pair(
      _ agent: AgentUnderTest, _ origin: String = Self.shop, _ query: String = "?code=123456"
    ) async throws -> Answer {
      try await agent.ask(
        "/v1/pairing\(query)", .post, headers: [.origin: origin, .authorization: ""])
    }
    let alone = try AgentUnderTest()
    #expect(try await pair(alone).status == 403)
    let refusing = try AgentUnderTest(pairing: Person(answer: false), folder: folder)
    let answer = try await pair(refusing)
    #expect(answer.status == 403 && answer.headers[.allowOrigin] == nil)
    refusing.time.pass(.seconds(59))
    #expect(try await pair(refusing).status == 429, "a no is one for a while")
    refusing.time.pass(.seconds(1))
    #expect(try await pair(refusing).status == 403)
    #expect(!FileManager.default.fileExists(atPath: file))
    let agent = try AgentUnderTest(pairing: Person(), folder: folder)
    #expect(try await pair(agent, Self.shop, "").status == 400)
    #expect(try await pair(agent, "null").status == 400)
    let paired = try await pair(agent)
    #expect(paired.status == 200 && paired.headers[.allowOrigin] == Self.shop)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    // The agent starts anew; another user's program says that it is that page.
    let again = try AgentUnderTest(folder: folder)
    #expect(try await pair(again, Self.shop, "").status == 200)
    let foreign = try AgentUnderTest(folder: folder, owner: .user(4_000_000))
    #expect(try await pair(foreign, Self.shop, "").status == 403)
    let unknown = try AgentUnderTest(folder: folder, owner: .notKnown)
    #expect(try await pair(unknown, Self.shop, "").status == 403)
    // Whoever takes the line out ends the pairing of an agent that runs, too.
    let page: HTTPFields = [
      .origin: Self.shop, .authorization: "Bearer \(try #require(paired.text("token")))",
    ]
    #expect(try await agent.ask("/v1/readers", headers: page).status == 200)
    try Data("https://other.example\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try await agent.ask("/v1/readers", headers: page).status == 403)
    #expect(try await pair(again, Self.shop, "").status == 403)
  }

  @Test("the token opens nothing to another user of this machine")
  func users() async throws {
    let agent = try AgentUnderTest(owner: .user(4_000_000))
    for path in Self.closed { #expect(try await agent.ask(path).status == 403) }
    let gone = try AgentUnderTest(owner: .gone)
    #expect(try await gone.ask("/v1/readers").status == 403)
    let head =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    let rest = "00000000:00000000 00:00000000 00000000"
    let table = """
         0: 0100007F:20DB 00000000:0000 0A \(rest)  1000        0 1
         1: 0100007F:20DB 0100007F:C350 01 \(rest)  1000        0 2
         2: 0200007F:C350 0100007F:20DB 01 \(rest)  1002        0 3
         3: 0100007F:C350 0100007F:20DB 01 \(rest)  1001        0 4
         4: 0100007F:C351 0100007F:20DB 05 \(rest)     0        0 0
         5: 0000000000000000FFFF00000100007F:C352 0000000000000000FFFF00000100007F:20DB 01 \(rest)  1003        0 5
         6: 00000000000000000000000001000000:C353 00000000000000000000000001000000:20DB 01 \(rest)  1004        0 6
      """
    func owner(_ address: String, _ port: Int) -> Peer? {
      Peer.owner(in: head + table, of: address, port: port, connectedTo: 8411)
    }
    #expect(owner("127.0.0.1", 50_000) == .user(1001))
    #expect(owner("127.0.0.2", 50_000) == .user(1002))
    #expect(
      owner("127.0.0.1", 50_001) == .gone, "a socket that nobody holds is root's in the table")
    #expect(owner("127.0.0.1", 50_002) == .user(1003))
    #expect(owner("::1", 50_003) == .user(1004))
    #expect(owner("127.0.0.1", 50_004) == nil)
    #expect(Peer.user(0).isOurs && !Peer.user(4_000_000).isOurs && !Peer.gone.isOurs)
  }

  #if canImport(Glibc)
    @Test("the kernel names who holds one connection among many, with IPv4 and IPv6")
    func askedKernel() throws {
      for family in [AF_INET, AF_INET6] {
        let pair = try Loopback(family)
        defer { pair.close() }
        func peer(_ address: String, _ port: Int) -> Peer? {
          Peer.asked(of: address, port: port, connectedTo: pair.ours)
        }
        let address = family == AF_INET ? "127.0.0.1" : "::1"
        #expect(peer(address, pair.theirs) == .user(geteuid()))
        #expect(Peer.owner(of: address, port: pair.theirs, connectedTo: pair.ours).isOurs)
        #expect(peer(address, pair.ours) == nil, "a socket that listens")
        #expect(peer(address, pair.theirs ^ 1) == nil)
        #expect(peer(family == AF_INET ? "127.0.0.2" : "::2", pair.theirs) == nil)
        #expect(peer("local", pair.theirs) == nil)
        pair.leave()
        #expect(peer(address, pair.theirs) == .gone)
        #expect(Peer.owner(of: address, port: pair.theirs, connectedTo: pair.ours) == .gone)
      }
    }
  #endif

  @Test("a token is made once, for its owner alone")
  func tokenFile() throws {
    let folder = NSTemporaryDirectory() + "agent-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/token"
    let (token, fresh) = try TokenFile.open(path)
    let text = try #require(fresh)
    #expect(token.accepts(text) && !token.accepts(text + "x"))
    let files = FileManager.default
    func mode(_ path: String) throws -> Int? {
      (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(try mode(path) == 0o600 && mode(folder) == 0o700)
    let (again, nothing) = try TokenFile.open(path)
    #expect(nothing == nil && again.accepts(text))
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(throws: ServerMistake.self) { try TokenFile.open(path) }
  }
}
