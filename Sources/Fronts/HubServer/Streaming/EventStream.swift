import AsyncAlgorithms
import HTTPServing
import HubKit
import Hummingbird
import JSON
import ServiceLifecycle

/// What a watcher gets: server-sent events (HTML Living Standard, 9.2).
///
/// Nothing is put by for a watcher: what comes next is looked up when the last piece is on its way.
/// One that takes nothing for half a minute is disconnected; it comes back with the number of its
/// last event and misses none.
struct EventStream: Sendable {
  let watcher: BoardWatcher
  /// The event behind which it begins; nil: behind the newest.
  let after: Int64?
  let place: StreamPlaces.Place
  let context: ServingContext

  /// Proxies take a line for dead that is silent for long, a page wants to know that there is no
  /// news, and who has signed out is not kept for longer.
  private static let heartbeat = Duration.seconds(2)
  private static let patience = Duration.seconds(30)

  private enum Item: Sendable {
    case update(BoardUpdate)
    case beat
  }

  func write(_ writer: inout any ResponseBodyWriter) async throws {
    defer { withExtendedLifetime(place) {} }
    try await send("retry: 2000\n\n", &writer)
    let beats = AsyncTimerSequence(interval: Self.heartbeat, clock: .continuous)
    let items = merge(
      watcher.updates(after: after).map { Item.update($0) }, beats.map { _ in Item.beat })
    var isTroubled = false
    stream: for try await item in items.cancelOnGracefulShutdown() {
      guard context.isStillSignedIn() else { break }
      switch item {
      case .beat: try await send("event: beat\ndata: {}\n\n", &writer)
      case .update(.board(let moment, let number)):
        isTroubled = false
        let id = number.map { "id: \($0)\n" } ?? ""
        try await send("event: board\n\(id)data: \(moment.json)\n\n", &writer)
      case .update(.happened(let events)):
        let texts = events.map { "event: happened\nid: \($0.number)\ndata: \($0.json)\n\n" }
        try await send(texts.joined(), &writer)
      case .update(.trouble(.noBatch)): break stream
      case .update(.trouble(let error)):
        guard !isTroubled else { continue }
        isTroubled = true
        let json = JSONLine.text(TroubleDocument(detail: "\(error)"))
        try await send("event: trouble\ndata: \(json)\n\n", &writer)
      }
    }
    try await writer.finish(nil)
  }

  private func send(_ text: String, _ writer: inout any ResponseBodyWriter) async throws {
    let clock = Task { [disconnect = context.disconnect] in
      try await Task.sleep(for: Self.patience)
      disconnect()
    }
    defer { clock.cancel() }
    try await writer.write(ByteBuffer(string: text))
  }
}

/// Why there is no news: until the next board.
private struct TroubleDocument: OutputDocument {
  var detail: String
}
