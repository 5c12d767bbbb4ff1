import Bytes
import CardCrypto
import HTTPServing
import Hummingbird

extension Hub {
  /// The page and its files.
  func addPage(_ routes: ServedRoutes) {
    for (path, body) in PageFiles.bodies {
      let type = Self.type(of: path)
      let mark = "\"\(Self.mark(of: body))\""
      routes.get(path) { request, _ in
        var headers: HTTPFields = [.contentType: type, .eTag: mark, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch] == mark {
          headers[.contentType] = nil
          return Response(status: .notModified, headers: headers)
        }
        return Response(
          status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
      }
    }
  }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/html; charset=utf-8"
    }
  }

  private static func mark(of body: [UInt8]) -> String {
    Hex.string(SHA256.hash(body).prefix(12))
  }
}
