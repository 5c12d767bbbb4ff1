import Bytes
import HubKit
import Hummingbird
import Wire

extension Hub {
  /// What changes a pool: new batches, more rows, the end.
  func addMaking(_ routes: inout HubRoutes) {
    let (store, makers, room) = (store, makers, room)
    routes.post("/v1/batches") { request, context in
      let query = try Query(request, takes: ["id", "template", "tag", "lock"])
      let body = try await SentBody(request, context, room)
      return try await repetitions.answer(request, body, on: makers) {
        let batch = try store.make(body.list(query))
        var response = Hub.json(BatchJSON(batch), status: .created)
        response.headers[.location] = "/v1/batches/\(Self.escaped(batch.id))"
        return response
      }
    }
    routes.post("/v1/batches/:batch/rows") { request, context in
      _ = try Query(request, takes: [])
      let id = try context.part("batch")
      let body = try await SentBody(request, context, room)
      return try await repetitions.answer(request, body, on: makers) {
        Hub.json(BatchJSON(try store.extend(id, csv: body.rows())))
      }
    }
    routes.post("/v1/batches/:batch/close") { request, context in
      _ = try Query(request, takes: [])
      let id = try context.part("batch")
      let body = try await SentBody(request, context, room, upTo: 4096)
      return try await repetitions.answer(request, body, on: makers) {
        try body.checkEmpty()
        return Hub.json(BatchJSON(try store.close(id)))
      }
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
