import HTTPServing
import HTTPTypes
import HubKit
import Hummingbird

extension Hub {
  /// The line as it is now: boards, stations and the stream.
  func addBoards(_ routes: ServedRoutes) {
    let (watchers, streams) = (watchers, streams)
    routes.get("/v1/batches/:batch/board") { request, context in
      _ = try Query(request, takes: [])
      let watcher = watchers.watcher(of: try context.part("batch"))
      return Hub.json(text: try await watcher.board().json)
    }
    routes.get("/v1/batches/:batch/stations") { request, context in
      _ = try Query(request, takes: [])
      let watcher = watchers.watcher(of: try context.part("batch"))
      return Hub.json(StationListJSON(try await watcher.board().board))
    }
    routes.get("/v1/batches/:batch/events/stream") { request, context in
      let query = try Query(request, takes: ["after"])
      let id = try context.part("batch")
      var after = try query.number("after", in: 0...Int64.max)
      if let last = request.headers[.lastEventID], !last.isEmpty {
        after = try Query.number(last, "header Last-Event-ID", in: 0...Int64.max)
      }
      let watcher = watchers.watcher(of: id)
      // So that a batch that is not there, or a store that is away, has an error of its own.
      _ = try await watcher.board()
      guard let place = streams.take() else {
        throw Problem(
          .tooMany, "\(streams.limit) watchers are there already: that is all the hub takes.",
          retryAfter: 30)
      }
      let stream = EventStream(watcher: watcher, after: after, place: place, context: context)
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .accelBuffering: "no"],
        body: .init { writer in try await stream.write(&writer) })
    }
  }
}

extension HTTPField.Name {
  /// Tells nginx to pass every event on at once.
  static let accelBuffering = Self("X-Accel-Buffering")!
}
