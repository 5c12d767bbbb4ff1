import Foundation
import HTTPTypes
import HubKit
import Hummingbird
import HummingbirdTesting

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

/// Asks one hub, one request after the other.
func ask(
  _ store: any HubStore = SampleStore(), _ settings: HubSettings? = nil, _ requests: Asking...
) async throws -> [Answer] {
  let settings = try settings ?? HubSettings()
  let application = try HubApplication.application(store, settings)
  return try await application.test(.router) { client in
    var answers: [Answer] = []
    for request in requests {
      answers.append(
        try await client.execute(
          uri: request.path, method: request.method, headers: request.headers,
          body: request.body.map { ByteBuffer(string: $0) }
        ) { Answer(status: $0.status.code, headers: $0.headers, body: String(buffer: $0.body)) })
    }
    return answers
  }
}
