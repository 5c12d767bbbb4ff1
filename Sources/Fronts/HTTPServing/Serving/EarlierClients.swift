import NIOCore
import NIOHTTP1

/// Gives a client of HTTP/1.0 an answer that it can read: one with a length, or one that ends where
/// the connection does. It knows no chunks (RFC 9112, 6.1).
///
/// What the framework passes on has no version, so this stands before its own codec.
final class EarlierClients: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// For each request that has no answer, whether it is of HTTP/1.0.
  private var asked: [Bool] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    let isEarlier = head.version == .http1_0 || head.version == .http0_9
    asked.append(isEarlier)
    // The framework then closes the connection behind the answer, also where that has a length:
    // nobody has to be told that it stays open.
    if isEarlier { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), let isEarlier = asked.first else {
      return context.write(data, promise: promise)
    }
    let isFinal = !(100..<200).contains(head.status.code)
    if isFinal { asked.removeFirst() }
    guard isEarlier else { return context.write(data, promise: promise) }
    // It knows no 100 (Continue), either (RFC 9110, 15.2).
    guard isFinal else {
      promise?.succeed()
      return
    }
    head.version = .http1_0
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  /// Puts it right behind the framework's decoder: a server's own handlers come later.
  final class Place: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      do {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(EarlierClients(), position: .after(decoder))
      } catch {
        context.fireErrorCaught(error)
      }
    }
  }
}
