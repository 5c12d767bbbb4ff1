import Dispatch
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A web server of this project: what stands between its routes and the network.
package enum WebServer {
  /// The server of this name. `started` gets where it listens.
  package static func application(
    _ router: Router<ServingContext>, of server: String, at address: BindAddress,
    connections: Int, started: @escaping @Sendable (any Channel) async -> Void
  ) -> some ApplicationProtocol {
    var application = Application(
      router: router, server: http(of: server),
      configuration: ApplicationConfiguration(
        address: address,
        availableConnectionsDelegate: MaximumAvailableConnections(connections)),
      onServerRunning: { channel in await started(channel) })
    // What people have to know is said by the program itself.
    application.logger.logLevel = .critical
    return application
  }

  /// Serves until the process is asked to end; `ending` is called when work has not ended in time.
  /// Throws where it cannot listen.
  package static func run(
    _ application: some ApplicationProtocol, of server: String, at place: String,
    ending: @escaping @Sendable () -> Void
  ) async throws(ServerMistake) {
    let signals = endInTime(ending)
    defer { for signal in signals { signal.cancel() } }
    do {
      try await application.runService()
    } catch {
      let reason =
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: "another program listens there. End it, or choose another port"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "ports below 1024 need a permission. Choose another port"
        default: "\(error)"
        }
      throw ServerMistake(.unavailable, "The \(server) cannot listen at \(place): \(reason).")
    }
  }

  /// How long work may go on when the process is asked to end.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Ends the process when its work has not ended in time: what a database does with it is
  /// finished there, or undone.
  private static func endInTime(
    _ ending: @escaping @Sendable () -> Void
  ) -> [any DispatchSourceSignal] {
    [SIGTERM, SIGINT].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          ending()
          exit(0)
        }
      }
      source.resume()
      return source
    }
  }

  private static func http(of server: String) -> HTTPServerBuilder {
    let limits = BrokenRequests.limits
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [
          EarlierClients.Place(), BrokenRequests(of: server), UnreadBodies(), HeadAnswers(),
          ClientPresence(),
        ],
        idleTimeout: .seconds(30),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.field, maxHeaderListSize: limits.all,
          maxHeaderFieldCount: limits.count)))
  }
}
