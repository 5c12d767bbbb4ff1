import Bytes
import CardCrypto
import HTTPTypes
import Hummingbird

extension ServedRoutes {
  /// Serves files that are part of the program, by their addresses; a browser keeps each one until
  /// it changes.
  package func files(_ bodies: [String: [UInt8]]) {
    for (path, body) in bodies {
      let type = Self.type(of: path)
      let mark = "\"\(Hex.string(SHA256.hash(body).prefix(12)))\""
      get(path) { request, _ in
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

  /// The media type, by the ending of an address; without one it is a page.
  package static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/html; charset=utf-8"
    }
  }
}
