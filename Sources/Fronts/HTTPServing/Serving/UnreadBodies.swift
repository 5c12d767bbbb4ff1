import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection on which a body still comes that nobody takes: the answer is complete, or the
/// hub is about to end. A little of it may pass, so that a client that first sends and then reads
/// gets its answer.
final class UnreadBodies: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let patience = TimeAmount.seconds(2)
  private static let most = 1 << 20

  /// Requests whose answers are not complete.
  private var unanswered = 0
  /// Is true if the newest request goes on.
  private var isBodyOpen = false
  private var clock: Scheduled<Void>?
  /// Bytes that may still pass; nil: as many as come.
  private var left: Int?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isBodyOpen = true
    case .body(let piece):
      left = left.map { $0 - piece.readableBytes }
      if let left, left < 0 { return context.close(promise: nil) }
    case .end:
      isBodyOpen = false
      stopClock()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      unanswered = max(0, unanswered - 1)
      if unanswered == 0, isBodyOpen {
        left = Self.most
        startClock(context)
      }
    }
    context.write(data, promise: promise)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, isBodyOpen { startClock(context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopClock()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stopClock() }

  private func startClock(_ context: ChannelHandlerContext) {
    guard clock == nil else { return }
    let channel = context.channel
    clock = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  private func stopClock() {
    clock?.cancel()
    (clock, left) = (nil, nil)
  }
}
