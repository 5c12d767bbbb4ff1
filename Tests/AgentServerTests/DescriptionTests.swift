import Bench
import Foundation
import Hummingbird
import Testing

@testable import AgentServer
@testable import HTTPServing
@testable import nfcprog

@Suite("The description of an agent")
struct AgentDescriptionTests {
  @Test("has every address with its methods, and no other; every error")
  func addresses() throws {
    let parsed = try JSONSerialization.jsonObject(with: Data(APIDescription.text.utf8))
    let document = try #require(parsed as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    let routes = ServedRoutes(
      router: Router(context: ServingContext.self), addresses: KnownAddresses())
    try AgentUnderTest().agent.addAll(routes)
    let known = Dictionary(
      uniqueKeysWithValues: routes.addresses.all.map { path, methods in
        (path.replacing(/:(\w+)/) { "{\($0.1)}" }, methods.filter { $0 != .head })
      })
    #expect(
      known.mapValues { $0.map { $0.rawValue.lowercased() }.sorted() }
        == paths.mapValues { $0.keys.sorted() })
    let statuses = Set(
      paths.values.flatMap(\.values).flatMap { operation in
        (operation["responses"] as? [String: Any] ?? [:]).keys.compactMap { Int($0) }
      })
    for kind in Problem.Kind.ofAgent where kind != .method {
      #expect(statuses.contains(kind.status.code), "\(kind.name)")
    }
  }

  /// Options that name files or replace them, ask at a terminal, are for a person who watches, for
  /// series and sessions, or for what a chip keeps for ever.
  static let notOffered: Set<String> = [
    "reader", "baud", "trace", "no-agent", "key-file", "json", "yes", "quiet", "verbose", "help",
    "version",
    "backup", "raw", "keys", "old-keys", "manifest", "assetlinks", "wakes", "android-versions",
    "new-key", "count", "dry-run", "sdm", "lrp", "random-uid", "watch-loop",
    "entitlements", "info-plist", "invalidate-after-first-read", "poll", "restart-polling",
    "session", "unlimited", "force", "auth0", "authlim", "counter", "freeze-config",
  ]

  @Test(
    "every member is an option of the command, and every option is a member or left out by name")
  func members() throws {
    let root = try #require(CommandOptions.all(of: NFCProg.self))
    for command in Command.all {
      let arguments = root.called(by: [command.name]).command.arguments ?? []
      let options = Set(arguments.compactMap(\.longName))
      #expect(!options.isEmpty, "\(command.name)")
      for member in command.members
      where !member.isArgument && !["confirm", "records", "data"].contains(member.name) {
        #expect(options.contains(member.name), "\(command.name) \(member.name)")
      }
      let offered = Set(command.members.map(\.name))
        .union(command.name == "write" ? Member.recordNames : [])
        // What opens a tag is of no use to commands that are sent as they stand.
        .union(["apdu", "transceive"].contains(command.name) ? Member.openers.map(\.name) : [])
      let rest = options.subtracting(offered).subtracting(Self.notOffered)
      #expect(rest.isEmpty, "\(command.name): \(rest.sorted())")
    }
  }
}
