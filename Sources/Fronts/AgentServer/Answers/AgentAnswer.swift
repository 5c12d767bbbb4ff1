import HTTPServing
import HTTPTypes
import Hummingbird
import nfcprog

/// A whole answer to a command, as it is given again to who asks again.
struct AgentAnswer: Codable, Sendable, Equatable {
  var status: Int
  var type: String
  var retryAfter: Int?
  var body: String

  init(_ text: String) { (status, type, body) = (200, "application/json", text) }

  init(_ problem: Problem) {
    (status, type) = (problem.kind.status.code, Problem.contentType)
    retryAfter = problem.retryAfter
    body = String(buffer: problem.document(of: "agent"))
  }

  init(_ answer: ServedAnswer) {
    switch answer {
    case .ended(let ending) where ending.status == 0: self.init(ending.document)
    case .ended(let ending):
      self.init(
        Problem(exitStatus: ending.status, ending.message ?? "", report: ending.document))
    case .unconfirmed:
      self.init(
        Problem(
          .unconfirmed,
          "What this does to the tag cannot be undone. Nothing was written. Send it with dry-run true, show the plan to a person, and send it again with the member confirm of the answer."
        ))
    case .otherPlan:
      self.init(
        Problem(
          .otherPlan,
          "The confirmation is of another tag, or of another plan for this one. Nothing was written. Send it with dry-run true again."
        ))
    }
  }

  /// `isRepeated`: it was given before.
  func response(isRepeated: Bool = false) -> Response {
    var headers: HTTPFields = [.contentType: type]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if isRepeated { headers[.idempotentReplayed] = "true" }
    return Response(
      status: .init(code: status), headers: headers,
      body: .init(byteBuffer: ByteBuffer(string: body)))
  }
}

extension HTTPField.Name {
  static let idempotentReplayed = Self("Idempotent-Replayed")!
}
