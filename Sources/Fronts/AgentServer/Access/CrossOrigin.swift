import HTTPServing
import HTTPTypes
import Hummingbird

/// Lets pages of paired origins, and no others, read what the agent answers (CORS, in the Fetch
/// Standard).
struct CrossOrigin: RouterMiddleware {
  typealias Context = ServingContext
  let paired: PairedOrigins

  func handle(
    _ request: Request, context: ServingContext,
    next: (Request, ServingContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.vary] = "Origin"
    if request.uri.path == AgentPages.library { response.headers[.resourcePolicy] = "cross-origin" }
    guard let text = request.headers[.origin], let origin = Origin(text), paired.contains(origin)
    else { return response }
    response.headers[.allowOrigin] = text
    response.headers[.exposeHeaders] = "Retry-After, Idempotent-Replayed"
    // The answer to a page of another site that may read it.
    response.headers[.resourcePolicy] = "cross-origin"
    return response
  }

  /// Returns the answer to a browser that asks what a page of `origin` may send.
  static func preflight(_ request: Request) -> Response {
    var headers: HTTPFields = [
      .allowMethods: "GET, POST", .accessMaxAge: "600",
      .allowHeaders: "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
    ]
    if request.headers[.requestPrivateNetwork] == "true" { headers[.allowPrivateNetwork] = "true" }
    return Response(status: .noContent, headers: headers)
  }
}

extension HTTPField.Name {
  static let allowOrigin = Self("Access-Control-Allow-Origin")!
  static let allowMethods = Self("Access-Control-Allow-Methods")!
  static let allowHeaders = Self("Access-Control-Allow-Headers")!
  static let accessMaxAge = Self("Access-Control-Max-Age")!
  static let exposeHeaders = Self("Access-Control-Expose-Headers")!
  static let requestMethod = Self("Access-Control-Request-Method")!
  static let requestPrivateNetwork = Self("Access-Control-Request-Private-Network")!
  static let allowPrivateNetwork = Self("Access-Control-Allow-Private-Network")!
}
