import Bytes
import HTTPServing
import HubKit
import Hummingbird

extension Hub {
  /// What changes a pool: new batches, more rows, the end.
  func addMaking(_ routes: ServedRoutes) {
    let (store, threads, makers, room) = (store, threads, makers, room)
    routes.post("/v1/batches") { request, context in
      let query = try Query(request, takes: ["id", "template", "tag", "lock"])
      let body = try await SentBody(request, context, room)
      try body.check(query)
      let batch = try await repetitions.batch(after: request, body, on: makers) {
        try store.make(body.list(query), $0)
      }
      var response = Hub.json(BatchJSON(batch), status: .created)
      response.headers[.location] = "/v1/batches/\(Self.escaped(batch.id))"
      return response
    }
    routes.post("/v1/batches/:batch/rows") { request, context in
      _ = try Query(request, takes: [])
      let id = try context.part("batch")
      let body = try await SentBody(request, context, room)
      let batch = try await repetitions.batch(after: request, body, on: makers) {
        try store.extend(id, csv: body.rows(), $0)
      }
      return Hub.json(BatchJSON(batch))
    }
    routes.post("/v1/batches/:batch/close") { request, context in
      _ = try Query(request, takes: [])
      let id = try context.part("batch")
      let body = try await SentBody(request, context, room, upTo: 4096)
      // Nobody who closes a batch waits behind a list.
      let batch = try await repetitions.batch(after: request, body, on: threads) {
        try body.checkEmpty()
        return try store.close(id, $0)
      }
      return Hub.json(BatchJSON(batch))
    }
  }

  /// For a path.
  static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
        ? String(character) : "%" + Hex.byte(byte).uppercased()
    }.joined()
  }
}
