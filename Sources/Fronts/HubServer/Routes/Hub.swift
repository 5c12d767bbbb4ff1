import Foundation
import HTTPServing
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
