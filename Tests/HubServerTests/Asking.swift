import Foundation
import HTTPTypes
import HubKit
import Hummingbird
import Logging
import NIOEmbedded

@testable import HTTPServing
@testable import HubServer

/// An answer of a hub.
struct Answer {
  let status: Int
  let headers: HTTPFields
  let body: String

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
  }
  /// The last part of a problem's type.
  var problem: String? { (json["type"] as? String)?.split(separator: ":").last.map(String.init) }
}

/// A request to a hub, as a program of this machine sends it.
struct Asking {
  var path: String
  var method = HTTPRequest.Method.get
  var headers: HTTPFields = [:]
  var body: String?

  init(_ path: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]) {
    (self.path, self.method, self.headers) = (path, method, headers)
  }

  /// A JSON object.
  static func post(_ path: String, _ body: String, _ headers: HTTPFields = [:]) -> Asking {
    var asking = Asking(path, .post, headers)
    if asking.headers[.contentType] == nil { asking.headers[.contentType] = "application/json" }
    asking.body = body
    return asking
  }
}

/// A hub without a connection: what its routes answer.
struct HubUnderTest {
  private let responder: RouterResponder<ServingContext>

  init(_ store: any HubStore, _ settings: HubSettings) {
    responder = HubApplication.router(store, settings).buildResponder()
  }

  /// The answer, whose body is still to be written.
  func respond(to asking: Asking) async throws -> Response {
    var headers = asking.headers
    let body = asking.body.map { ByteBuffer(string: $0) }
    if let body { headers[.contentLength] = "\(body.readableBytes)" }
    let request = Request(
      head: .init(
        method: asking.method, scheme: "http", authority: "localhost", path: asking.path,
        headerFields: headers), body: .init(buffer: body ?? ByteBuffer()))
    let context = ServingContext(
      source: .init(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test")))
    return try await responder.respond(to: request, context: context)
  }

  func answer(_ asking: Asking) async throws -> Answer {
    let response = try await respond(to: asking)
    let taken = Collector.Bytes()
    try await response.body.write(Collector(taken: taken))
    return Answer(
      status: response.status.code, headers: response.headers, body: String(buffer: taken.buffer))
  }
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

/// Asks one hub, one request after the other.
func ask(
  _ store: any HubStore = SampleStore(), _ settings: HubSettings? = nil, _ requests: Asking...
) async throws -> [Answer] {
  let hub = HubUnderTest(store, try settings ?? HubSettings())
  var answers: [Answer] = []
  for request in requests { answers.append(try await hub.answer(request)) }
  return answers
}
