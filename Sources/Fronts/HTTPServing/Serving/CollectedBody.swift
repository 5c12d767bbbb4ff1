import Hummingbird
import NIOCore

/// The body of a request, of limited length and in limited time.
package enum CollectedBody {
  /// How long a body may take to arrive.
  private static let patience = Duration.seconds(120)

  /// All bytes of the body. Throws where there are more than `limit`, or no room in `share`.
  package static func bytes(
    _ request: Request, _ context: ServingContext, _ share: BodyRoom.Share, upTo limit: Int,
    hint: String = ""
  ) async throws -> [UInt8] {
    let tooLarge = Problem(.tooLarge, "The body may have \(limit) bytes at most.\(hint)")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw tooLarge
    }
    if request.headers[.expect]?.lowercased() == "100-continue" { context.goOn() }
    return try await context.within(patience) {
      var bytes: [UInt8] = []
      do {
        for try await piece in request.body {
          guard bytes.count + piece.readableBytes <= limit else { throw tooLarge }
          guard share.take(piece.readableBytes) else {
            throw Problem(
              .busy, "Others send a lot at the moment. Send this again.", retryAfter: 5)
          }
          bytes += piece.readableBytesView
        }
      } catch is ChannelError {
        throw Problem(.tooSlow, "The body did not arrive.")
      }
      return bytes
    }
  }
}
