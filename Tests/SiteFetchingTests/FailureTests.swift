import Pace
import Synchronization
import Testing
import UniversalLinks

@testable import SiteFetching

/// One server that misbehaves, and what must be said of it.
struct Misbehaviour: CustomTestStringConvertible, Sendable {
  let name: String
  var certificate: Certificates.Name? = .good
  let answer: Server.Answer
  let code: Finding.Code
  let failure: @Sendable (FetchError) -> Bool

  var testDescription: String { name }

  private static let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
  private static let endlessHead =
    "HTTP/1.1 200 OK\r\n" + String(repeating: "x: 0123456789abcdef\r\n", count: 10_000)
  private static let file = "{\"applinks\":{}}"

  static let all = [
    Misbehaviour(
      name: "a permanent redirect",
      answer: .reply(301, "", type: nil, "location: https://www.example.com/x"),
      code: .fetchRedirect,
      failure: { $0 == .redirect(status: 301, location: "https://www.example.com/x") }),
    Misbehaviour(
      name: "a temporary redirect to a relative place",
      answer: .reply(307, "", type: nil, "location: /login"), code: .fetchRedirect,
      failure: { $0 == .redirect(status: 307, location: "/login") }),
    Misbehaviour(
      name: "no such file", answer: .reply(404, "<html>"), code: .fetchNotFound,
      failure: { $0 == .status(404) }),
    Misbehaviour(
      name: "a login", answer: .reply(401), code: .fetchStatus, failure: { $0 == .status(401) }),
    Misbehaviour(
      name: "a server error", answer: .reply(503), code: .fetchStatus,
      failure: { $0 == .status(503) }),
    Misbehaviour(
      name: "an empty success", answer: .reply(204), code: .fetchStatus,
      failure: { $0 == .status(204) }),
    Misbehaviour(
      name: "a file that announces more than 128 KB",
      answer: .bytes(Array((head + "content-length: 131073\r\n\r\n").utf8)), code: .fileTooLarge,
      failure: { $0 == .tooLarge }),
    Misbehaviour(
      name: "a file of unknown length that goes beyond 128 KB",
      answer: .bytes(
        Array((head + "connection: close\r\n\r\n" + String(repeating: " ", count: 131_073)).utf8)),
      code: .fileTooLarge, failure: { $0 == .tooLarge }),
    Misbehaviour(
      name: "a compressed file", answer: .reply(200, file, type: nil, "content-encoding: gzip"),
      code: .fetchEncoded, failure: { $0 == .encoded("gzip") }),
    Misbehaviour(
      name: "a file that breaks off",
      answer: .bytes(Array((head + "content-length: 1000\r\n\r\n" + file).utf8)),
      code: .fetchBroken, failure: \.isBroken),
    Misbehaviour(
      name: "something that is no HTTP",
      answer: .bytes(Array("220 mail.example.com ready\r\n".utf8)),
      code: .fetchBroken, failure: \.isBroken),
    Misbehaviour(
      name: "an end before any answer", answer: .bytes([]), code: .fetchBroken,
      failure: \.isBroken),
    Misbehaviour(
      name: "silence", answer: .silence, code: .fetchTimeout,
      failure: { $0 == .timedOut(.milliseconds(700)) }),
    Misbehaviour(
      name: "a body that drips without end",
      answer: .drip(Array((head + "content-length: 100000\r\n\r\n").utf8)), code: .fetchTimeout,
      failure: { $0 == .timedOut(.milliseconds(700)) }),
    Misbehaviour(
      name: "a head that drips without end", answer: .drip(Array("HTTP/1.1 200 OK\r\nx: ".utf8)),
      code: .fetchTimeout, failure: { $0 == .timedOut(.milliseconds(700)) }),
    Misbehaviour(
      name: "an expired certificate", certificate: .expired, answer: .reply(200, file),
      code: .fetchCertificate, failure: { $0 == .certificate(.notTrusted) }),
    Misbehaviour(
      name: "a self-signed certificate", certificate: .selfSigned, answer: .reply(200, file),
      code: .fetchCertificate, failure: { $0 == .certificate(.notTrusted) }),
    Misbehaviour(
      name: "a certificate for other names", certificate: .otherName, answer: .reply(200, file),
      code: .fetchCertificateName, failure: { $0 == .certificate(.otherName) }),
    Misbehaviour(
      name: "a certificate that names the host as its subject only", certificate: .commonName,
      answer: .reply(200, file), code: .fetchCertificateName,
      failure: { $0 == .certificate(.otherName) }),
    Misbehaviour(
      name: "a head without end that is fast", answer: .bytes(Array(endlessHead.utf8)),
      code: .fetchBroken, failure: \.isBroken),
    Misbehaviour(
      name: "no TLS at all", certificate: nil,
      answer: .bytes(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), code: .fetchTLS,
      failure: \.isHandshake),
  ]
}

extension FetchError {
  var isBroken: Bool { if case .broken = self { true } else { false } }
  var isHandshake: Bool { if case .handshake = self { true } else { false } }
}

@Suite("A server that misbehaves")
struct FailureTests {
  @Test("is found out for what it does", arguments: Misbehaviour.all)
  func misbehaviour(_ misbehaviour: Misbehaviour) async throws {
    let server = try Server(misbehaviour.certificate) { _, _ in misbehaviour.answer }
    defer { server.stop() }
    var configuration = try server.configuration()
    if misbehaviour.code == .fetchTimeout { configuration.timeLimit = .milliseconds(700) }
    let fetch = await SiteFetcher(configuration).fetch(address: "https://example.com/file")
    let failure = try #require(fetch.failure)
    #expect(misbehaviour.failure(failure), "\(failure)")
    #expect(fetch.findings.map(\.code) == [misbehaviour.code])
    #expect(fetch.bytes == nil)
    #expect(fetch.findings[0].message.hasSuffix("."), "\(fetch.findings[0].message)")
    let check = LinkCheck(url: "https://example.com/t/1", association: fetch.association())
    // What is at an address of somebody says nothing of what devices get.
    #expect(check.opens == .unknown && !check.wakesApp)
    #expect(check.findings.map(\.code) == [misbehaviour.code])
  }

  @Test("a port where nobody listens is unreachable")
  func refused() async throws {
    let server = try Server { _, _ in .silence }
    let configuration = try server.configuration()
    server.stop()
    let fetch = await SiteFetcher(configuration).fetch(address: "https://example.com/file")
    #expect(fetch.failure == .unreachable("it refuses connections"))
  }

  @Test("a TCP server that never begins with TLS is a timeout")
  func silentBeforeTLS() async throws {
    let server = try Server(nil) { _, _ in .silence }
    defer { server.stop() }
    var configuration = try server.configuration()
    configuration.timeLimit = .milliseconds(700)
    let fetch = await SiteFetcher(configuration).fetch(address: "https://example.com/file")
    #expect(fetch.failure == .timedOut(.milliseconds(700)))
  }

  @Test(
    "a proxy that does not let anybody through is unreachable",
    arguments: [(403, "Forbidden"), (407, "Proxy Authentication Required")])
  func proxy(status: Int, words: String) async throws {
    let server = try Server(nil) { _, _ in .bytes(Array("HTTP/1.1 \(status) \(words)\r\n\r\n".utf8))
    }
    defer { server.stop() }
    var configuration = FetchConfiguration.standard
    configuration.proxy = FetchConfiguration.Proxy("127.0.0.1:\(server.port)")
    let fetch = await SiteFetcher(configuration).fetch(address: "https://example.com/file")
    #expect(fetch.failure == .unreachable("the proxy answers with status \(status)"))
  }

  @Test("an interim answer is not the answer")
  func interim() async throws {
    let server = try Server { _, _ in
      .bytes(
        Array(
          "HTTP/1.1 103 Early Hints\r\nlocation: /x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
            .utf8))
    }
    defer { server.stop() }
    let fetch = await SiteFetcher(try server.configuration()).fetch(
      address: "https://example.com/file")
    #expect(fetch.bytes == Array("{}".utf8), "\(String(describing: fetch.failure))")
  }

  @Test("whoever gives up does not wait for the server")
  func cancelled() async throws {
    // It answers half a minute after that: whoever waits gets the answer.
    let isAsked = Atomic(false)
    let givenUp = Mutex<ContinuousClock.Instant?>(nil)
    let answer = Array("HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\n{}".utf8)
    let server = try Server { _, _ in
      isAsked.store(true, ordering: .relaxed)
      return .later(answer) { givenUp.withLock { $0.map { $0 + .seconds(30) < .now } ?? false } }
    }
    defer { server.stop() }
    var configuration = try server.configuration()
    configuration.timeLimit = .seconds(600)
    let fetcher = SiteFetcher(configuration)
    let task = Task { await fetcher.fetch(address: "https://example.com/file") }
    #expect(await Pace.suspend { isAsked.load(ordering: .relaxed) })
    task.cancel()
    givenUp.withLock { $0 = .now }
    #expect(await task.value.failure == .timedOut(.seconds(600)))
  }

  @Test("a name that does not resolve is an unknown host")
  func unknownHost() async throws {
    let server = try Server { _, _ in .silence }
    defer { server.stop() }
    var configuration = try server.configuration()
    // No resolver asks anybody for a name with an empty part.
    configuration.addresses["example.com"] = "no..where"
    let fetch = await SiteFetcher(configuration).fetch(address: "https://example.com/file")
    #expect(fetch.failure == .unknownHost("example.com"))
  }

  @Test(
    "what is no https address is not asked for",
    arguments: [
      "http://example.com/file", "example.com", "https://me@example.com/", "https:///x", "ftp://a",
    ])
  func notHTTPS(_ address: String) async {
    let fetch = await SiteFetcher().fetch(address: address)
    #expect(fetch.failure == .notHTTPS(address))
    #expect(fetch.findings.map(\.code) == [.fetchNotHTTPS])
  }

  @Test(
    "what is no name of a domain is not asked for",
    arguments: [
      "", "localhost", "127.0.0.1", "[::1]", "a b.c", "example.com/x", "example.com:443",
      "me@example.com", "a..b", "example.com.",
    ])
  func notADomain(_ text: String) async {
    await #expect(throws: FetchError.notADomain(text)) {
      try await SiteFetcher().fetch(domain: text)
    }
  }
}

extension AddressFetch {
  var failure: FetchError? {
    if case .failure(let failure) = file { failure } else { nil }
  }
}
