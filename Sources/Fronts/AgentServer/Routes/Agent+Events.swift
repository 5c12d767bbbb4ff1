import HTTPServing
import HTTPTypes
import Hummingbird

extension Agent {
  /// Adds the addresses that tell which tags come and go, on one reader or on all, as server-sent
  /// events.
  func addEvents(_ routes: ServedRoutes) {
    routes.get("/v1/readers/:reader/events") { request, context in
      try await events(at: [stations.station(context.part("reader"))], request, context)
    }
    routes.get("/v1/events") { request, context in
      try await events(at: stations.all(), request, context)
    }
  }

  private func events(
    at stations: [Station], _ request: Request, _ context: ServingContext
  ) async throws -> Response {
    _ = try Query(request, takes: [])
    guard let place = streams.take() else {
      throw Problem(
        .tooMany, "\(streams.limit) streams are open: that is all there can be.", retryAfter: 10)
    }
    let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    guard request.method == .get else { return Response(status: .ok, headers: headers) }
    let client = await context.client()
    return Response(
      status: .ok, headers: headers,
      body: .init { writer in
        defer { withExtendedLifetime(place) {} }
        try await Self.write(stations, client, context, &writer)
      })
  }

  /// A line that is silent for long is taken for dead.
  private static let heartbeat = Duration.seconds(2)
  /// A client that takes nothing for so long is disconnected.
  private static let patience = Duration.seconds(30)

  private static func write(
    _ stations: [Station], _ client: ClientPresence?, _ context: ServingContext,
    _ writer: inout any ResponseBodyWriter
  ) async throws {
    let watched = stations.map { ($0.id, $0.watch.events()) }
    defer { for (_, (_, finish)) in watched { finish() } }
    let (texts, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(64))
    var feeds = watched.map { id, watch in
      Task<Void, any Error> {
        for await event in watch.events { continuation.yield(event.text(at: id)) }
        continuation.finish()
      }
    }
    feeds.append(
      Task {
        while !Task.isCancelled {
          try await Task.sleep(for: heartbeat)
          continuation.yield("event: beat\ndata: {}\n\n")
        }
      })
    defer { for feed in feeds { feed.cancel() } }
    let number = client?.whenGone { continuation.finish() }
    defer { client?.forget(number) }
    try await send("retry: 2000\n\n", context, &writer)
    for await text in texts { try await send(text, context, &writer) }
    try await writer.finish(nil)
  }

  private static func send(
    _ text: String, _ context: ServingContext, _ writer: inout any ResponseBodyWriter
  ) async throws {
    let clock = Task { [disconnect = context.disconnect] in
      try await Task.sleep(for: patience)
      disconnect()
    }
    defer { clock.cancel() }
    try await writer.write(ByteBuffer(string: text))
  }
}
