import Bytes
import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Around everything: errors become problem documents, every answer has the headers that tell a
/// browser what the page may do, and answers are counted.
package struct Outermost: RouterMiddleware {
  package typealias Context = ServingContext
  /// The name of the server: `hub`.
  let server: String
  let isEncrypted: Bool
  let figures: ServerFigures
  let addresses: KnownAddresses

  package init(
    of server: String, isEncrypted: Bool, figures: ServerFigures, addresses: KnownAddresses
  ) {
    (self.server, self.isEncrypted) = (server, isEncrypted)
    (self.figures, self.addresses) = (figures, addresses)
  }

  package func handle(
    _ request: Request, context: ServingContext,
    next: (Request, ServingContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPParserError {
      // The framework answers with 400 and closes the connection.
      figures.count(400)
      throw error
    } catch {
      var problem = Problem(any: error, of: server)
      if problem.kind == .notFound, let methods = addresses.methods(of: request.uri.path) {
        let names = methods.map(\.rawValue).joined(separator: ", ")
        problem = Problem(.method, "This address takes \(names).")
        problem.allow = methods
      }
      if problem.kind == .failed { complain(error) }
      response = problem.response(of: server)
      // What is left of a body that was not taken is not waited for.
      if [.tooLarge, .tooSlow, .busy].contains(problem.kind) {
        response.headers[.connection] = "close"
      }
    }
    figures.count(response.status.code)
    secure(&response.headers)
    if request.method == .head {
      // The length stays that of the body that a GET gives, or unknown.
      response.body = .init(contentLength: response.body.contentLength) { writer in
        try await writer.finish(nil)
      }
    }
    return response
  }

  private func secure(_ headers: inout HTTPFields) {
    if headers[.contentSecurityPolicy] == nil {
      headers[.contentSecurityPolicy] =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        + "object-src 'none'"
    }
    headers[.contentTypeOptions] = "nosniff"
    headers[.referrerPolicy] = "same-origin"
    headers[.frameOptions] = "DENY"
    headers[.openerPolicy] = "same-origin"
    headers[.resourcePolicy] = "same-origin"
    if isEncrypted { headers[.transportSecurity] = "max-age=31536000" }
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
  }

  /// For whoever runs the hub; nothing of the request, which may hold secrets.
  private func complain(_ error: any Error) {
    let text = "nfcprog-\(server): a request failed: \(error)".escapingControlsInLines + "\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
