import NIOCore
import NIOHTTPTypes
import Synchronization

/// Says whether somebody waits for the answer at the other end of a connection: nobody does who has
/// closed it, and nobody gets one once the hub is about to end.
///
/// A client that has closed only its own direction counts as gone, too: its program has ended, most
/// likely, and the other kind cannot be told from it.
package final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  package typealias InboundIn = HTTPRequestPart

  private struct State {
    var isGone = false
    var last = 0
    var watchers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// How long an answer that is under way may go on when the hub is about to end.
  private static let patience = TimeAmount.milliseconds(1500)

  package var isGone: Bool { state.withLock(\.isGone) }

  /// Calls `body` once when the client is gone, be it now; gives what `forget` takes.
  package func whenGone(_ body: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      guard !state.isGone else { return nil }
      state.last += 1
      state.watchers[state.last] = body
      return state.last
    }
    if number == nil { body() }
    return number
  }

  package func forget(_ number: Int?) {
    guard let number else { return }
    state.withLock { $0.watchers[number] = nil }
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { leave() }
    if event is ChannelShouldQuiesceEvent {
      leave()
      let channel = context.channel
      context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func leave() {
    let watchers = state.withLock { state in
      state.isGone = true
      defer { state.watchers = [:] }
      return state.watchers.values
    }
    for watcher in watchers { watcher() }
  }
}
