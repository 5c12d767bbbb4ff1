import Foundation
import HTTPTypes
import HubKit
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("Who may ask a hub")
struct SecurityTests {
  static let secret = "0123456789abcdef-secret"

  static func guarded() throws -> HubSettings { try HubSettings(token: AccessToken(secret)) }

  @Test("with a token, all but health, the form and its style is closed")
  func closed() async throws {
    let settings = try Self.guarded()
    for path in [
      "/v1/batches", "/v1/batches/A17", "/v1/batches/A17/events/stream", "/metrics",
      "/openapi.json", "/v1/search?q=x", "/nope", "/logout",
    ] {
      let answers = try await ask(
        SampleStore(), settings, Asking(path),
        Asking(path, .get, [.authorization: "Bearer \(Self.secret)x"]),
        Asking(path, .get, [.authorization: "Basic \(Self.secret)"]),
        Asking(path, .get, [.authorization: "Bearer"]),
        Asking(path, .get, [.cookie: "nfcprog-hub=00.99999999999.00"]))
      for answer in answers {
        #expect(answer.status == 401 && answer.problem == "not-signed-in", "\(path)")
        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        #expect(!answer.body.contains(Self.secret))
      }
    }
    let post = try await ask(SampleStore(), settings, .post("/v1/batches/A17/close", "{}"))[0]
    #expect(post.status == 401)
    let open = try await ask(
      SampleStore(), settings, Asking("/health"), Asking("/login"), Asking("/assets/hub.css"),
      Asking("/"), Asking("/", .head))
    #expect(open.map(\.status) == [200, 200, 200, 303, 303])
    #expect(open[3].headers[.location] == "/login")
  }

  @Test("the token opens it, in a header and by a cookie that no script can read")
  func opened() async throws {
    let settings = try Self.guarded()
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let answers = try await ask(
      SampleStore(), settings,
      Asking("/v1/batches", .get, [.authorization: "bearer \(Self.secret)"]),
      .post("/login", "token=wrong", form), .post("/login", "token=\(Self.secret)", form))
    #expect(answers.map(\.status) == [200, 401, 303])
    #expect(answers[1].headers[.setCookie] == nil)
    let cookie = try #require(answers[2].headers[.setCookie])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(!cookie.contains("Secure") && !cookie.contains(Self.secret))
    let value = String(cookie.prefix { $0 != ";" })
    let again = try await ask(
      SampleStore(), settings, Asking("/v1/batches", .get, [.cookie: value]),
      Asking("/logout", .post, [.cookie: value]), Asking("/v1/batches", .get, [.cookie: value]))
    #expect(again.map(\.status) == [200, 303, 401])
    #expect(again[1].headers[.setCookie]?.contains("Max-Age=0") == true)
  }

  @Test("who signs in comes back to where they were, and to no other site")
  func returns() async throws {
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let wall = "/login?to=%2F%3Fbatch%3DA%2526B%26wall"
    let answers = try await ask(
      SampleStore(), Self.guarded(), Asking("/?batch=A%26B&wall"),
      .post(wall, "token=wrong", form), .post(wall, "token=\(Self.secret)", form))
    #expect(answers[0].headers[.location] == wall)
    #expect(answers[1].body.contains("action=\"\(wall)\""))
    #expect(answers[2].headers[.location] == "/?batch=A%26B&wall")
    let others = [
      "%2F%2Fevil.example%2F", "%2F%5Cevil.example", "https:%2F%2Fevil.example%2F", "evil.example",
      "%2F%09%2Fevil.example", "%2F%0D%0ASet-Cookie:x", "%2F%20", "", "%2Fcaf%C3%A9",
    ]
    for other in others {
      let request = Asking.post("/login?to=\(other)", "token=\(Self.secret)", form)
      let answer = try await ask(SampleStore(), Self.guarded(), request)[0]
      #expect(answer.status == 303 && answer.headers[.location] == "/", "\(other)")
    }
  }

  @Test("behind TLS the cookie goes through TLS only")
  func secureCookie() async throws {
    let settings = try HubSettings(token: AccessToken(Self.secret), isBehindProxy: true)
    let answer = try await ask(
      SampleStore(), settings,
      .post(
        "/login", "token=\(Self.secret)", [.contentType: "application/x-www-form-urlencoded"]))[0]
    let cookie = try #require(answer.headers[.setCookie])
    #expect(cookie.hasPrefix("__Host-nfcprog-hub=") && cookie.contains("; Secure"))
    #expect(cookie.contains("; Path=/;") && !cookie.contains("Domain"))
    let value = String(cookie.prefix { $0 != ";" })
    func status(_ cookie: String) async throws -> Int {
      try await ask(SampleStore(), settings, Asking("/v1/batches", .get, [.cookie: cookie]))[0]
        .status
    }
    #expect(try await status(value) == 200)
    // One of that name that came without TLS is none.
    #expect(try await status(String(value.dropFirst("__Host-".count))) == 401)
    #expect(answer.headers[.transportSecurity] != nil)
  }

  @Test("a session ends, and one that was changed is none")
  func sessions() throws {
    let sessions = Sessions(try AccessToken(Self.secret))
    let now = Date(timeIntervalSince1970: 1_000_000)
    let value = sessions.begin(now: now)
    #expect(sessions.isSignedIn(value, now: now + Double(Sessions.lifetime) - 1))
    #expect(!sessions.isSignedIn(value, now: now + Double(Sessions.lifetime)))
    var parts = value.split(separator: ".").map(String.init)
    parts[1] = "99999999999"
    #expect(!sessions.isSignedIn(parts.joined(separator: "."), now: now))
    let others = Sessions(try AccessToken(Self.secret + "2"))
    #expect(!others.isSignedIn(value, now: now))
    // The hub starts anew.
    #expect(Sessions(try AccessToken(Self.secret)).isSignedIn(value, now: now))
  }

  @Test("who guesses tokens has to wait")
  func guesses() async throws {
    let request = Asking.post(
      "/login", "token=wrong", [.contentType: "application/x-www-form-urlencoded"])
    let hub = HubUnderTest(SampleStore(), try Self.guarded())
    let start = ContinuousClock.now
    var answers: [Answer] = []
    repeat { answers.append(try await hub.answer(request)) } while answers.last?.status == 401
    // Five at once, and one more every five seconds.
    let most = 5 + Int(start.duration(to: .now) / .seconds(5))
    #expect(answers.count - 1 >= 5 && answers.count - 1 <= most, "\(answers.count) in \(most)")
    #expect(answers.last?.status == 429 && answers.last?.headers[.retryAfter] != nil)
  }

  @Test("another site's page changes nothing")
  func origins() async throws {
    func status(_ headers: HTTPFields) async throws -> Int {
      try await ask(SampleStore(), nil, .post("/v1/batches/A17/close", "{}", headers))[0].status
    }
    #expect(try await status([:]) == 200)
    #expect(try await status([.origin: "http://localhost", .secFetchSite: "same-origin"]) == 200)
    #expect(try await status([.origin: "https://localhost"]) == 200)
    #expect(try await status([.secFetchSite: "none"]) == 200)
    #expect(try await status([.origin: "http://evil.example"]) == 403)
    #expect(try await status([.origin: "null"]) == 403)
    #expect(try await status([.origin: "http://localhost:1"]) == 403)
    #expect(try await status([.secFetchSite: "cross-site"]) == 403)
    #expect(try await status([.secFetchSite: "same-site"]) == 403)
  }

  @Test("every answer tells browsers what the page may do")
  func headers() async throws {
    let answers = try await ask(
      SampleStore(), nil, Asking("/"), Asking("/assets/hub.js"), Asking("/v1/batches"),
      Asking("/nope"), Asking("/v1/batches", .delete), Asking("/login"))
    for answer in answers {
      let policy = try #require(answer.headers[.contentSecurityPolicy])
      #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(answer.headers[.contentTypeOptions] == "nosniff")
      #expect(answer.headers[.referrerPolicy] == "same-origin")
    }
  }

  @Test("a client that asks too often waits; others do not")
  func limit() {
    let limit = RateLimit(perSecond: 2, burst: 3)
    let start = ContinuousClock.now
    #expect((0..<4).map { _ in limit.wait("a", now: start) } == [nil, nil, nil, 1])
    #expect(limit.wait("b", now: start) == nil)
    #expect(limit.wait("a", now: start + .milliseconds(500)) == nil)
    #expect(limit.wait("a", now: start + .milliseconds(501)) == 1)
  }

  @Test("as many watchers as there are places, and one that leaves makes room")
  func places() {
    let places = StreamPlaces(limit: 2)
    var taken = [places.take(), places.take()]
    #expect(places.take() == nil && places.count == 2)
    taken.removeLast()
    #expect(places.take() != nil)
    taken = []
    #expect(places.count == 0)
  }
}
