import HTTPServing
import HubKit
import Hummingbird

/// The hub's web server.
package enum HubApplication {
  /// Returns what answers requests.
  package static func router(
    _ store: any HubStore, _ settings: HubSettings
  ) -> Router<ServingContext> {
    let router = Router(context: ServingContext.self)
    let hub = Hub(store, settings)
    let sessions = settings.token.map(Sessions.init)
    let addresses = KnownAddresses()
    // Middlewares come before the routes that they are for.
    router.add(
      middleware: Outermost(
        of: "hub", isEncrypted: settings.isBehindProxy, figures: hub.figures, addresses: addresses))
    router.add(middleware: Gate(settings, sessions))
    hub.addAll(ServedRoutes(router: router, addresses: addresses), sessions)
    return router
  }

  /// The server. `started` gets the port.
  package static func application(
    _ store: any HubStore, _ settings: HubSettings,
    started: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    WebServer.application(
      router(store, settings), of: "hub",
      at: .hostname(settings.address.host, port: settings.address.port), connections: 800
    ) { channel in await started(channel.localAddress?.port ?? 0) }
  }

  /// Serves until the process is asked to end. Throws where it cannot listen.
  package static func run(
    _ store: any HubStore, _ settings: HubSettings,
    started: @escaping @Sendable (Int) async -> Void
  ) async throws(ServerMistake) {
    try await WebServer.run(
      application(store, settings, started: started), of: "hub", at: settings.address.text,
      ending: Spool.removeUnfinished)
  }
}

extension Hub {
  /// All routes.
  func addAll(_ routes: ServedRoutes, _ sessions: Sessions?) {
    routes.files(PageFiles.bodies)
    addFigures(routes)
    addLogin(routes, sessions)
    addReading(routes)
    addBoards(routes)
    addDownloads(routes)
    addMaking(routes)
    addDescription(routes)
  }
}
