import Bench
import Foundation
import HTTPServing
import Hummingbird

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The agent's web server.
package enum AgentApplication {
  /// Returns what answers requests.
  static func router(_ agent: Agent) -> Router<ServingContext> {
    let router = Router(context: ServingContext.self)
    let addresses = KnownAddresses()
    // Middlewares come before the routes that they are for.
    router.add(middleware: CrossOrigin(paired: agent.paired))
    router.add(
      middleware: Outermost(
        of: "agent", isEncrypted: false, figures: ServerFigures(), addresses: addresses))
    router.add(middleware: AgentGate(agent.settings, agent.paired, owner: agent.owner))
    agent.addAll(ServedRoutes(router: router, addresses: addresses))
    return router
  }

  /// Serves until the process is asked to end, and closes the readers. `started` gets where it
  /// listens; `trouble` what goes wrong. Throws where it cannot listen.
  package static func run(
    _ settings: AgentSettings, _ stations: Stations, started: @escaping @Sendable (String) -> Void,
    trouble: @escaping @Sendable (String) -> Void
  ) async throws(ServerMistake) {
    let address: BindAddress
    switch settings.place {
    case .loopback(let place): address = .hostname(place.host, port: place.port)
    case .socket(let path):
      try removeLeftSocket(path)
      address = .unixDomainSocket(path: path)
    }
    // What it makes is its own user's alone, from the first moment: a socket, too.
    umask(0o077)
    let agent: Agent
    let door: GuestDoor
    do throws(PrivateFile.Failure) {
      agent = try Agent(settings, stations)
      door = try GuestDoor("\(settings.folder)/commands", stations)
    } catch {
      throw ServerMistake(
        .unavailable, "The folder \(settings.folder) cannot be used: \(error.reason).")
    }
    let place = settings.place
    let application = WebServer.application(
      router(agent), of: "agent", at: address, connections: 400
    ) { channel in
      switch place {
      case .loopback(let address):
        let port = channel.localAddress?.port ?? address.port
        started(AgentSettings.Place.loopback(ListenAddress(host: address.host, port: port)).text)
      case .socket: started(place.text)
      }
    }
    let end: @Sendable () -> Void = {
      door.close()
      for sentence in stations.close() { trouble(sentence) }
    }
    try await WebServer.run(application, of: "agent", at: place.text, ending: end)
    end()
    if case .socket(let path) = place { unsafe unlink(path) }
  }

  /// Removes a socket that an agent has left which was killed. Throws where another one listens,
  /// and where something else is at the path.
  private static func removeLeftSocket(_ path: String) throws(ServerMistake) {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFSOCK else {
      throw ServerMistake(
        .unavailable, "At \(path) is something that is no socket. Choose another path.")
    }
    let place = path as NSString
    let socket = AgentSocket(place.deletingLastPathComponent, place.lastPathComponent)
    guard !socket.isAnswered else {
      throw ServerMistake(
        .unavailable, "Another program listens at \(path). End it, or choose another path.")
    }
    unsafe unlink(path)
  }
}
