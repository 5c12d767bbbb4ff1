import Hummingbird
import JSON

/// Why a request has no other answer: RFC 9457, "Problem Details for HTTP APIs".
package struct Problem: Error {
  /// What went wrong, for programs. Each server has its own kinds beside those that stand here.
  package struct Kind: Hashable, Sendable {
    /// Stands at the end of the problem's type.
    package let name: String
    package let status: HTTPResponse.Status
    /// In a few words, for people; always the same for a kind.
    package let title: String

    package init(_ name: String, _ status: HTTPResponse.Status, _ title: String) {
      (self.name, self.status, self.title) = (name, status, title)
    }
  }

  package var kind: Kind
  /// A sentence about this request.
  package var detail: String
  /// A sentence for each row of a list.
  package var mistakes: [String]
  /// Seconds after which to try again.
  package var retryAfter: Int?
  /// The exit status of a command that failed so; nil: none has run.
  package var code: Int32?
  /// A JSON document that says more; nil: nothing does.
  package var report: String?
  /// Of an address that takes other methods.
  package var allow: [HTTPRequest.Method] = []

  package init(
    _ kind: Kind, _ detail: String, mistakes: [String] = [], retryAfter: Int? = nil
  ) {
    (self.kind, self.detail, self.mistakes) = (kind, detail, mistakes)
    self.retryAfter = retryAfter
  }

  /// Returns the answer of the server of this name.
  package func response(of server: String) -> Response {
    var headers: HTTPFields = [.contentType: Self.contentType]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if !allow.isEmpty { headers[.allow] = allow.map(\.rawValue).joined(separator: ", ") }
    if kind == .notSignedIn { headers[.wwwAuthenticate] = "Bearer" }
    return Response(
      status: kind.status, headers: headers, body: .init(byteBuffer: document(of: server)))
  }

  package static let contentType = "application/problem+json"

  /// Returns the answer's body.
  package func document(of server: String) -> ByteBuffer {
    var text = JSONLine.text(ProblemDocument(self, server))
    if let report { text = text.dropLast() + ",\"report\":\(report)}" }
    return ByteBuffer(string: text)
  }
}

/// A problem as its reader gets it.
private struct ProblemDocument: OutputDocument {
  var type: String
  var title: String
  var status: Int
  var detail: String
  var mistakes: [String]?
  var code: Int32?

  init(_ problem: Problem, _ server: String) {
    type = "urn:nfcprog:\(server):\(problem.kind.name)"
    (title, status) = (problem.kind.title, problem.kind.status.code)
    (detail, code) = (problem.detail, problem.code)
    mistakes = problem.mistakes.isEmpty ? nil : problem.mistakes
  }
}
