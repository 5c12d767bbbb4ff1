import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Leaves out the last chunk of an answer to HEAD whose length is not known: it has no body, and so
/// no end of one (RFC 9112, 6.3).
final class HeadAnswers: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// For each request that is not answered, whether it is a HEAD.
  private var asked: [Bool] = []
  private var hasLength = true

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { asked.append(head.method == .head) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head): hasLength = head.headerFields[.contentLength] != nil
    case .body: break
    case .end:
      let isHead = asked.isEmpty ? false : asked.removeFirst()
      if isHead, !hasLength {
        promise?.succeed()
        return
      }
    }
    context.write(data, promise: promise)
  }
}
