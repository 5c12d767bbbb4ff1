import ArgumentParser
import HubServer
import Hummingbird

@main
struct NFCProgHub: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nfcprog-hub", abstract: "Show the line in a browser.")

  mutating func run() async throws {
    try await Application(
      router: HubApplication.router(),
      configuration: .init(address: .hostname("127.0.0.1", port: 8410))
    ).runService()
  }
}
