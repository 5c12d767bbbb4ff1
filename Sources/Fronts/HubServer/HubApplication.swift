import Dispatch
import Foundation
import HubKit
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The hub's web server.
package enum HubApplication {
  /// Returns what answers requests.
  package static func router(
    _ store: any HubStore, _ settings: HubSettings
  ) -> Router<HubContext> {
    let router = Router(context: HubContext.self)
    let hub = Hub(store, settings)
    let sessions = settings.token.map(Sessions.init)
    let addresses = KnownAddresses()
    // Middlewares come before the routes that they are for.
    router.add(
      middleware: Outermost(
        isEncrypted: settings.isBehindProxy, figures: hub.figures, addresses: addresses))
    router.add(middleware: Gate(settings, sessions))
    hub.addAll(HubRoutes(router: router, addresses: addresses), sessions)
    return router
  }

  /// The server. `started` gets the port.
  package static func application(
    _ store: any HubStore, _ settings: HubSettings,
    started: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    var application = Application(
      router: router(store, settings), server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.address.host, port: settings.address.port),
        availableConnectionsDelegate: MaximumAvailableConnections(800)),
      onServerRunning: { channel in await started(channel.localAddress?.port ?? 0) })
    // What people have to know is said by the program itself.
    application.logger.logLevel = .critical
    return application
  }

  /// Serves until the process is asked to end. Throws where it cannot listen.
  package static func run(
    _ store: any HubStore, _ settings: HubSettings,
    started: @escaping @Sendable (Int) async -> Void
  ) async throws(HubMistake) {
    let signals = endInTime()
    defer { for signal in signals { signal.cancel() } }
    do {
      try await application(store, settings, started: started).runService()
    } catch {
      let place = settings.address.text
      let reason =
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: "another program listens there. End it, or choose another port"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "ports below 1024 need a permission. Choose another port"
        default: "\(error)"
        }
      throw HubMistake(.unavailable, "The hub cannot listen at \(place): \(reason).")
    }
  }

  /// How long work may go on when the process is asked to end.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Ends the process when its work has not ended in time: what the database does with it is
  /// finished there, or undone.
  private static func endInTime() -> [any DispatchSourceSignal] {
    [SIGTERM, SIGINT].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          Spool.removeUnfinished()
          exit(0)
        }
      }
      source.resume()
      return source
    }
  }

  private static var server: HTTPServerBuilder {
    let limits = BrokenRequests.limits
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [
          EarlierClients.Place(), BrokenRequests(), UnreadBodies(), HeadAnswers(), ClientPresence(),
        ],
        idleTimeout: .seconds(30),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.field, maxHeaderListSize: limits.all,
          maxHeaderFieldCount: limits.count)))
  }
}

extension Hub {
  /// All routes.
  func addAll(_ routes: HubRoutes, _ sessions: Sessions?) {
    addPage(routes)
    addFigures(routes)
    addLogin(routes, sessions)
    addReading(routes)
    addBoards(routes)
    addDownloads(routes)
    addMaking(routes)
    addDescription(routes)
  }
}
