import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Gets files over https: one request a file, nothing followed, nothing kept.
///
/// Threads exist between `init` and `close` only.
struct HTTPSClient: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let client: HTTPClient
  private let configuration: FetchConfiguration

  init(_ configuration: FetchConfiguration) {
    self.configuration = configuration
    var tls = TLSConfiguration.makeClientConfiguration()
    if let roots = configuration.trustedRoots {
      tls.trustRoots = .certificates((try? NIOSSLCertificate.fromPEMBytes(roots)) ?? [])
    }
    var settings = HTTPClient.Configuration(tlsConfiguration: tls)
    settings.redirectConfiguration = .disallow
    settings.httpVersion = .http1Only
    settings.dnsOverride = configuration.addresses
    settings.proxy = configuration.proxy.map { .server(host: $0.host, port: $0.port) }
    // A connection that is kept may be closed by the server while the next request goes out.
    settings.maximumUsesPerConnection = 1
    let limit = TimeAmount(configuration.timeLimit)
    settings.timeout = HTTPClient.Configuration.Timeout(connect: limit, read: limit)
    // The first error says why; another attempt would end in a timeout that hides it.
    settings.connectionPool.retryConnectionEstablishment = false
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    client = HTTPClient(eventLoopGroup: group, configuration: settings)
  }

  func close() async {
    try? await client.shutdown()
    try? await group.shutdownGracefully()
  }

  /// The file at `path` of `host`, within the limits of time and size.
  func get(host: String, port: Int? = nil, path: String) async -> Result<Download, FetchFailure> {
    let port = (port ?? configuration.port).map { ":\($0)" } ?? ""
    let url = "https://\(host)\(port)\(path)"
    let limit = configuration.timeLimit
    return await withTaskGroup(of: Result<Download, FetchFailure>.self) { group in
      group.addTask { await download(url, from: host) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .failure(.timedOut(limit))
      }
      let first = await group.next() ?? .failure(.timedOut(limit))
      group.cancelAll()
      return first
    }
  }

  /// Where `path` of `host` redirects to; nil when it does not, or when that could not be found out.
  ///
  /// Asks by HEAD, and where the server does not know that, by a GET of one byte.
  func redirection(host: String, port: Int? = nil, path: String) async -> Redirection? {
    for (method, range) in [(.HEAD, nil), (.GET, "bytes=0-0")] as [(HTTPMethod, String?)] {
      let limit = configuration.timeLimit
      let answer = await withTaskGroup(of: HTTPClientResponse?.self) { group in
        group.addTask { await head(method, host: host, port: port, path: path, range: range) }
        group.addTask {
          try? await Task.sleep(for: limit)
          return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first
      }
      guard let answer else { return nil }
      let status = Int(answer.status.code)
      if [400, 403, 404, 405, 501].contains(status), method == .HEAD { continue }
      guard [301, 302, 303, 307, 308].contains(status) else { return nil }
      return Redirection(status: status, location: answer.headers.first(name: "location"))
    }
    return nil
  }

  private func head(
    _ method: HTTPMethod, host: String, port: Int?, path: String, range: String?
  ) async -> HTTPClientResponse? {
    let port = (port ?? configuration.port).map { ":\($0)" } ?? ""
    var request = HTTPClientRequest(url: "https://\(host)\(port)\(path)")
    request.method = method
    request.headers.add(name: "user-agent", value: "nfcprog")
    if let range { request.headers.add(name: "range", value: range) }
    return try? await client.execute(request, timeout: TimeAmount(configuration.timeLimit))
  }

  private func download(_ url: String, from host: String) async -> Result<Download, FetchFailure> {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "user-agent", value: "nfcprog")
    request.headers.add(name: "accept", value: "application/json, */*")
    do {
      let response = try await client.execute(
        request, timeout: TimeAmount(configuration.timeLimit))
      if let failure = Self.failure(response) { return .failure(failure) }
      let body = try await response.body.collect(upTo: configuration.byteLimit)
      return .success(
        Download(bytes: Array(body.readableBytesView), mediaType: Self.mediaType(response.headers)))
    } catch {
      return .failure(FetchFailure(error, host: host, limit: configuration.timeLimit))
    }
  }

  /// What the head of an answer says against its body.
  private static func failure(_ response: HTTPClientResponse) -> FetchFailure? {
    let status = Int(response.status.code)
    if 300..<400 ~= status, response.headers["apple-failure-reason"].isEmpty {
      return .redirect(status: status, location: response.headers.first(name: "location"))
    }
    if status != 200, let reason = response.headers.first(name: "apple-failure-reason") {
      let details = response.headers.first(name: "apple-failure-details")
      return .refusedByCDN(status: status, CDNRefusal(reason: reason, details: details))
    }
    guard status == 200 else { return .status(status) }
    let encoding = response.headers.first(name: "content-encoding")?.lowercased()
    return encoding.flatMap { $0 == "identity" ? nil : .encoded($0) }
  }

  private static func mediaType(_ headers: HTTPHeaders) -> String? {
    guard let value = headers.first(name: "content-type") else { return nil }
    let type = value.prefix { $0 != ";" && $0 != " " }.lowercased()
    return type.isEmpty ? nil : type
  }
}
