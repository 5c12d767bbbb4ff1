import ArgumentParser
import HTTPServing
import HubServer

/// Who can reach the hub.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to listen; beyond this machine only with a token and behind a proxy (127.0.0.1:8410).",
      valueName: "host[:port]"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "A file whose first line is the token that opens the hub: 16 characters or more.",
      valueName: "file"))
  var tokenFile: String?

  @Flag(help: "A proxy in front of the hub does TLS and tells it who asks.")
  var behindProxy = false

  @Option(
    help: ArgumentHelp("A further name under which browsers find the hub.", valueName: "name"))
  var host: [String] = []

  func validate() throws {
    if let listen, !listen.isEmpty, listen.allSatisfy(\.isNumber) {
      throw ValidationError("--listen takes HOST or HOST:PORT: for a port alone write :\(listen).")
    }
    guard listen == nil || address != nil else {
      throw ValidationError("--listen takes HOST or HOST:PORT, for example 127.0.0.1:8410.")
    }
    if let wrong = host.first(where: { !ListenAddress.isHost($0) }) {
      throw ValidationError(
        "--host takes a name alone, such as hub.factory.example, without https:// and port: \(wrong)."
      )
    }
  }

  private var address: ListenAddress? {
    guard let listen else { return .usual }
    return ListenAddress(parsing: listen)
  }

  func settings() throws(ServerMistake) -> HubSettings {
    var token: AccessToken?
    if let tokenFile { token = try AccessToken(file: tokenFile) }
    return try HubSettings(
      address: address ?? .usual, token: token, isBehindProxy: behindProxy, hosts: host)
  }
}
