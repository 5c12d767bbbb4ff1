import HTTPServing
import HTTPTypes
import Hummingbird

extension Agent {
  /// What comes to lie on a reader, as server-sent events.
  func addEvents(_ routes: ServedRoutes) {
    routes.get("/v1/readers/:reader/events") { request, context in
      _ = try Query(request, takes: [])
      let station = try stations.station(context.part("reader"))
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
          try await Self.write(station.watch, client, context, &writer)
        })
    }
  }

  /// A line that is silent for long is taken for dead.
  private static let heartbeat = Duration.seconds(2)
  /// A client that takes nothing for so long is disconnected.
  private static let patience = Duration.seconds(30)

  private static func write(
    _ watch: FieldWatch, _ client: ClientPresence?, _ context: ServingContext,
    _ writer: inout any ResponseBodyWriter
  ) async throws {
    let (events, finish) = watch.events()
    defer { finish() }
    let (texts, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(64))
    let feeds = [
      Task {
        for await event in events { continuation.yield(event.text) }
        continuation.finish()
      },
      Task {
        while !Task.isCancelled {
          try await Task.sleep(for: heartbeat)
          continuation.yield("event: beat\ndata: {}\n\n")
        }
      },
    ]
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
