import Hummingbird
import JSON

/// Why a request has no other answer: RFC 9457, "Problem Details for HTTP APIs".
package struct Problem: Error {
  /// What went wrong, for programs.
  package enum Kind: String, CaseIterable, Sendable {
    case badRequest = "bad-request"
    case notSignedIn = "not-signed-in"
    case notAllowed = "not-allowed"
    case notFound = "not-found"
    case noBatch = "no-batch"
    case noJob = "no-job"
    case method
    case tooSlow = "too-slow"
    case exists
    case inProgress = "in-progress"
    case closed
    case oneJournal = "one-journal"
    case tooLarge = "too-large"
    case mediaType = "media-type"
    case otherHost = "other-host"
    case badList = "bad-list"
    case reusedKey = "reused-key"
    case tooMany = "too-many-requests"
    case failed
    case busy
    case away

    package var status: HTTPResponse.Status {
      switch self {
      case .badRequest: .badRequest
      case .notSignedIn: .unauthorized
      case .notAllowed: .forbidden
      case .notFound, .noBatch, .noJob: .notFound
      case .method: .methodNotAllowed
      case .tooSlow: .requestTimeout
      case .exists, .inProgress, .closed, .oneJournal: .conflict
      case .tooLarge: .contentTooLarge
      case .mediaType: .unsupportedMediaType
      case .otherHost: .misdirectedRequest
      case .badList, .reusedKey: .unprocessableContent
      case .tooMany: .tooManyRequests
      case .failed: .internalServerError
      case .busy, .away: .serviceUnavailable
      }
    }

    /// In a few words, for people; always the same for a kind.
    package var title: String {
      switch self {
      case .badRequest: "The request is not understood"
      case .notSignedIn: "Sign in first"
      case .notAllowed: "This is not allowed"
      case .notFound: "There is no such address"
      case .noBatch: "There is no such batch"
      case .noJob: "There is no such job"
      case .method: "The address does not take this method"
      case .tooSlow: "The request did not arrive in time"
      case .exists: "There is such a batch already"
      case .inProgress: "The same request is being answered"
      case .closed: "The batch is closed"
      case .oneJournal: "The hub shows a journal's file"
      case .tooLarge: "The request is too large"
      case .mediaType: "The content type is not taken here"
      case .otherHost: "The request is for another host"
      case .badList: "The list has mistakes"
      case .reusedKey: "The idempotency key belongs to another request"
      case .tooMany: "Too many requests"
      case .failed: "The hub failed"
      case .busy: "The hub has too much to do"
      case .away: "The journal or the database does not answer"
      }
    }
  }

  package var kind: Kind
  /// A sentence about this request.
  package var detail: String
  /// A sentence for each row of a list.
  package var mistakes: [String]
  /// Seconds after which to try again.
  package var retryAfter: Int?
  /// Of an address that takes other methods.
  package var allow: [HTTPRequest.Method] = []

  package init(
    _ kind: Kind, _ detail: String, mistakes: [String] = [], retryAfter: Int? = nil
  ) {
    (self.kind, self.detail, self.mistakes) = (kind, detail, mistakes)
    self.retryAfter = retryAfter
  }

  package var response: Response {
    var headers: HTTPFields = [.contentType: Self.contentType]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if !allow.isEmpty { headers[.allow] = allow.map(\.rawValue).joined(separator: ", ") }
    if kind == .notSignedIn { headers[.wwwAuthenticate] = "Bearer" }
    return Response(status: kind.status, headers: headers, body: .init(byteBuffer: document))
  }

  static let contentType = "application/problem+json"

  /// The answer's body.
  var document: ByteBuffer { ByteBuffer(string: JSONLine.text(ProblemDocument(self))) }
}

/// A problem as its reader gets it.
private struct ProblemDocument: OutputDocument {
  var type: String
  var title: String
  var status: Int
  var detail: String
  var mistakes: [String]?

  init(_ problem: Problem) {
    type = "urn:nfcprog:hub:\(problem.kind.rawValue)"
    (title, status) = (problem.kind.title, problem.kind.status.code)
    detail = problem.detail
    mistakes = problem.mistakes.isEmpty ? nil : problem.mistakes
  }
}
