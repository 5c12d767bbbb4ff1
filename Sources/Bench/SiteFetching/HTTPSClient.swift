/// Gets files over https: one request a file, nothing followed, nothing kept.
struct HTTPSClient: Sendable {
  private let configuration: FetchConfiguration

  init(_ configuration: FetchConfiguration) {
    self.configuration = configuration
  }

  /// The file at `path` of `host`, within the limits of time and size.
  func get(host: String, port: Int? = nil, path: String) async -> Result<Download, FetchError> {
    let request = Transfer.Request(
      host: host, url: url(host, port, path), headers: ["Accept: application/json, */*"])
    return await Transfer.run(request, configuration) {
      Download(bytes: $0.body, mediaType: $0.head.mediaType)
    }
  }

  /// Where `path` of `host` redirects to; nil when it does not, or when that could not be found
  /// out.
  ///
  /// Asks by HEAD, and where the server does not know that, by a GET of one byte.
  func redirection(host: String, port: Int? = nil, path: String) async -> Redirection? {
    for isHead in [true, false] {
      let request = Transfer.Request(
        host: host, url: url(host, port, path), headers: isHead ? [] : ["Range: bytes=0-0"],
        isHead: isHead, endsWithHead: true)
      let answer = await Transfer.run(request, configuration) {
        (status: $0.head.status, location: $0.head.first("location"))
      }
      guard let (status, location) = try? answer.get() else { return nil }
      if isHead, [400, 403, 404, 405, 501].contains(status) { continue }
      guard [301, 302, 303, 307, 308].contains(status) else { return nil }
      return Redirection(status: status, location: location)
    }
    return nil
  }

  private func url(_ host: String, _ port: Int?, _ path: String) -> String {
    "https://\(host)\((port ?? configuration.port).map { ":\($0)" } ?? "")\(path)"
  }
}
