import Foundation
import HubKit
import Hummingbird
import JSON

/// What the routes of one hub share.
struct Hub: Sendable {
  let store: any HubStore
  let settings: HubSettings
  let watchers: BoardWatchers
  let threads: StoreThreads
  let exports = Exports()
  /// For lists that are sent: they are large, and those who look do not wait for them.
  let makers = StoreThreads(
    count: max(1, ProcessInfo.processInfo.activeProcessorCount - 1), isLongWork: true)
  let room = BodyRoom(limit: 128 << 20)
  let streams = StreamPlaces(limit: 512)
  let figures = ServerFigures()
  let repetitions: Repetitions

  init(_ store: any HubStore, _ settings: HubSettings) {
    (self.store, self.settings, threads) = (store, settings, StoreThreads())
    watchers = BoardWatchers(store)
    repetitions = Repetitions(store, threads)
  }

  static func json(
    _ document: some OutputDocument, status: HTTPResponse.Status = .ok
  ) -> Response {
    json(text: JSONLine.text(document), status: status)
  }

  static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}

/// Where routes are added, and where is known which there are.
struct HubRoutes {
  let router: Router<HubContext>
  let addresses: KnownAddresses

  func get(
    _ path: String,
    _ answer: @escaping @Sendable (Request, HubContext) async throws -> Response
  ) {
    addresses.add(.get, path)
    router.get(RouterPath(path), use: answer)
    // The framework's own answer to HEAD has the length 0 where none is known.
    router.head(RouterPath(path), use: answer)
  }

  func post(
    _ path: String,
    _ answer: @escaping @Sendable (Request, HubContext) async throws -> Response
  ) {
    addresses.add(.post, path)
    router.post(RouterPath(path), use: answer)
  }
}
