import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives an answer of the framework's own a problem document: a request that is no HTTP, or whose
/// header is too long, never gets to the routes, and the framework says 400 without a word.
final class BrokenRequests: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The longest header that is taken: bytes of a field, bytes of all, and fields.
  static let limits = (field: 16 << 10, all: 32 << 10, count: 100)

  private static let problem = Problem(
    .badRequest,
    "The request is no HTTP, has a method that HTTP does not know, or its header is too long: it may have \(limits.count) fields of \(limits.all >> 10) KB in all, and \(limits.field >> 10) KB in one."
  )

  private let server: String

  init(of server: String) { self.server = server }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // All answers of routes with this status say why.
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentType] == nil
    else { return context.write(data, promise: promise) }
    let document = Self.problem.document(of: server)
    head.headerFields[.contentType] = Problem.contentType
    head.headerFields[.contentLength] = "\(document.readableBytes)"
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    context.write(wrapOutboundOut(.body(document)), promise: nil)
  }
}
