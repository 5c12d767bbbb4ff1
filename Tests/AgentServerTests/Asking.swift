import Bench
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Synchronization
import nfcprog

@testable import AgentServer
@testable import HTTPServing

/// An answer of an agent.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPFields
  let body: String

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
  }
  /// The last part of a problem's type.
  var problem: String? { (json["type"] as? String)?.split(separator: ":").last.map(String.init) }
  /// The command's own document, also in a problem.
  var report: [String: Any] { json["report"] as? [String: Any] ?? json }
  func text(_ name: String) -> String? { report[name] as? String }
}

/// A person who says the same to every page.
struct Person: PairingJudge {
  var isPossible = true
  var answer = true

  func allows(
    _ origin: Origin, code: String, while isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool { answer }
}

/// An agent without a connection: what its routes answer.
struct AgentUnderTest: Sendable {
  static let secret = "4f1c9ad27be05386aa17f0c2d94e6b83"

  let agent: Agent
  /// The time by which it keeps pages quiet: it stands still.
  let time = StandingTime()
  private let responder: RouterResponder<ServingContext>

  /// `readers` are simulated ones; `owner`: whose programs ask.
  init(
    _ readers: [String] = ["sim:ntag213"], origins: [String] = [],
    pairing: any PairingJudge = NoPairing(),
    folder: String = NSTemporaryDirectory() + "agent-\(UUID().uuidString)",
    owner: Peer = .user(geteuid()), secret: String = secret
  ) throws {
    let settings = AgentSettings(
      token: try AccessToken(secret, signing: TokenFile.purpose),
      origins: Set(origins.compactMap { Origin($0) }), folder: folder, pairing: pairing)
    let (choices, reading) = try Served.readers(readers) { _ in }
    agent = try Agent(
      settings, Stations(choices, reading), owner: { _, _, _ in owner }, now: { [time] in time.now }
    )
    responder = AgentApplication.router(agent).buildResponder()
  }

  /// The answer to a request of a program that has the token; `headers` replace its own.
  func ask(
    _ path: String, _ method: HTTPRequest.Method = .get, host: String = "127.0.0.1:8411",
    headers: HTTPFields = [:], body: String? = nil
  ) async throws -> Answer {
    var fields: HTTPFields = [.authorization: "Bearer \(Self.secret)"]
    for field in headers { fields[field.name] = field.value.isEmpty ? nil : field.value }
    let content = body.map { ByteBuffer(string: $0) }
    if let content {
      fields[.contentLength] = "\(content.readableBytes)"
      if fields[.contentType] == nil { fields[.contentType] = "application/json" }
    }
    let request = Request(
      head: .init(
        method: method, scheme: "http", authority: host, path: path, headerFields: fields),
      body: .init(buffer: content ?? ByteBuffer()))
    var context = ServingContext(
      source: .init(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test")))
    (context.peerPort, context.port) = (50_000, 8411)
    let response = try await responder.respond(to: request, context: context)
    let taken = Collector.Bytes()
    try await response.body.write(Collector(taken: taken))
    return Answer(
      status: response.status.code, headers: response.headers, body: String(buffer: taken.buffer))
  }

  func post(
    _ path: String, _ body: String = "{}", headers: HTTPFields = [:]
  ) async throws -> Answer {
    try await ask("/v1/readers/\(path)", .post, headers: headers, body: body)
  }

  func close() { _ = agent.stations.close() }
}

/// Takes a whole body.
private struct Collector: ResponseBodyWriter {
  final class Bytes: @unchecked Sendable {
    // Used by one task after the other.
    var buffer = ByteBuffer()
  }
  let taken: Bytes

  mutating func write(_ buffer: ByteBuffer) async throws {
    taken.buffer.writeImmutableBuffer(buffer)
  }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A time that passes where a test says so.
final class StandingTime: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  func pass(_ duration: Duration) { instant.withLock { $0 += duration } }
}
