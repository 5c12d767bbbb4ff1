extension Problem.Kind {
  package static let badRequest = Self("bad-request", .badRequest, "The request is not understood")
  package static let notSignedIn = Self("not-signed-in", .unauthorized, "Sign in first")
  package static let notAllowed = Self("not-allowed", .forbidden, "This is not allowed")
  package static let notFound = Self("not-found", .notFound, "There is no such address")
  package static let method = Self(
    "method", .methodNotAllowed, "The address does not take this method")
  package static let tooSlow = Self(
    "too-slow", .requestTimeout, "The request did not arrive in time")
  package static let inProgress = Self(
    "in-progress", .conflict, "The same request is being answered")
  package static let tooLarge = Self("too-large", .contentTooLarge, "The request is too large")
  package static let mediaType = Self(
    "media-type", .unsupportedMediaType, "The content type is not taken here")
  package static let otherHost = Self(
    "other-host", .misdirectedRequest, "The request is for another host")
  package static let reusedKey = Self(
    "reused-key", .unprocessableContent, "The idempotency key belongs to another request")
  package static let tooMany = Self(
    "too-many-requests", .tooManyRequests, "Too many requests")
  package static let failed = Self("failed", .internalServerError, "The server failed")
  package static let busy = Self(
    "busy", .serviceUnavailable, "The server has too much to do")
  package static let givenUp = Self(
    "given-up", .serviceUnavailable, "The request was given up")

  /// Those of every server.
  package static let shared: [Self] = [
    .badRequest, .notSignedIn, .notAllowed, .notFound, .method, .tooSlow, .inProgress, .tooLarge,
    .mediaType, .otherHost, .reusedKey, .tooMany, .failed, .busy, .givenUp,
  ]
}
