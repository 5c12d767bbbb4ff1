import HTTPServing
import Hummingbird

extension Hub {
  /// What the API takes and gives, for programs that make clients of it.
  func addDescription(_ routes: ServedRoutes) {
    routes.get("/openapi.json") { request, _ in
      _ = try Query(request, takes: [])
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: .init(byteBuffer: ByteBuffer(bytes: APIDescription.document)))
    }
  }
}
