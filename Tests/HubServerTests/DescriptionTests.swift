import Foundation
import Hummingbird
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("The API's description")
struct DescriptionTests {
  let document: [String: Any]
  let paths: [String: [String: [String: Any]]]

  init() throws {
    let parsed = try JSONSerialization.jsonObject(with: Data(APIDescription.document))
    document = try #require(parsed as? [String: Any])
    paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
  }

  @Test("has every address with its methods, and no other")
  func addresses() throws {
    let routes = ServedRoutes(
      router: Router(context: ServingContext.self), addresses: KnownAddresses())
    Hub(SampleStore(), try HubSettings()).addAll(routes, nil)
    let known = Dictionary(
      uniqueKeysWithValues: routes.addresses.all.map { path, methods in
        (path.replacing(/:(\w+)/) { "{\($0.1)}" }, methods.filter { $0 != .head })
      }
    ).filter { $0.key != "/" && !$0.key.hasPrefix("/assets/") }
    let described = paths.mapValues { $0.keys.sorted() }
    #expect(known.mapValues { $0.map { $0.rawValue.lowercased() }.sorted() } == described)
  }

  @Test("has every error")
  func errors() throws {
    let statuses = Set(
      paths.values.flatMap(\.values).flatMap { operation in
        (operation["responses"] as? [String: Any] ?? [:]).keys.compactMap { Int($0) }
      })
    // Each path takes other methods badly: that stands with none of them.
    for kind in Problem.Kind.ofHub where kind != .method {
      #expect(statuses.contains(kind.status.code), "\(kind)")
    }
  }
}
