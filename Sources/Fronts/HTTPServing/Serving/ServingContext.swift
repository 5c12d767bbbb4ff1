import HTTPTypes
import Hummingbird
import NIOHTTPTypes

/// What belongs to one request: its connection, and whose it is.
package struct ServingContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The other end of the connection: the client, or a proxy.
  package let peer: String
  /// Ends the connection as it is.
  package let disconnect: @Sendable () -> Void
  /// Is true if the client waits for its answer; nil: it is not known.
  package let client: @Sendable () async -> ClientPresence?
  /// Tells a client that waits before it sends its body to go on (RFC 9110, 10.1.1).
  package let goOn: @Sendable () -> Void
  /// Is true if the client has shown the token; set by the gate.
  package var isSignedIn = false
  /// Is true if the session that was shown goes on; set by the gate.
  package var isStillSignedIn: @Sendable () -> Bool = { true }

  /// Is true if the program at the other end is one of our own user; nil: it is not known. Set by a
  /// gate.
  package var isSameUser: Bool?
  /// The port at the other end; nil: the connection has none.
  package var peerPort: Int?
  /// The port at this end.
  package var port: Int?

  package init(source: Source) {
    coreContext = .init(source: source)
    let channel = source.channel
    peer = channel.remoteAddress?.ipAddress ?? "local"
    (peerPort, port) = (channel.remoteAddress?.port, channel.localAddress?.port)
    disconnect = { channel.close(promise: nil) }
    client = { try? await channel.pipeline.handler(type: ClientPresence.self).get() }
    goOn = {
      channel.writeAndFlush(
        HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
  }

  /// Does something, and ends the connection where that takes longer than it may.
  package func within<Value: Sendable>(
    _ limit: Duration, _ body: () async throws -> Value
  ) async throws -> Value {
    let clock = Task { [disconnect] in
      try await Task.sleep(for: limit)
      disconnect()
    }
    defer { clock.cancel() }
    return try await body()
  }
}
