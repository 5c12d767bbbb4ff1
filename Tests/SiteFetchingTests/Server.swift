import SiteFetching

/// A server on the loopback interface that answers as badly as it is told to.
struct Server {
  /// What a client gets.
  enum Answer: Sendable {
    /// These bytes, then the end.
    case bytes([UInt8])
    /// These bytes, then one more now and then, without end.
    case drip([UInt8])
    /// Nothing at all.
    case silence
    /// Nothing until `isTime`, then these bytes.
    case later([UInt8], isTime: @Sendable () -> Bool)

    /// A whole answer.
    static func reply(
      _ status: Int, _ body: String = "", type: String? = "application/json", _ more: String...
    ) -> Answer {
      var lines = ["HTTP/1.1 \(status) X", "content-length: \(body.utf8.count)"]
      if let type { lines.append("content-type: \(type)") }
      lines += more
      return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
  }

  let port: Int
  private let listener: Listener

  /// Listens with the certificate, without TLS when it is nil. `answer`: by host and path.
  init(
    _ certificate: Certificates.Name? = .good,
    answer: @escaping @Sendable (_ host: String, _ path: String) -> Answer
  ) throws {
    let identity = try certificate.map(TLSIdentity.init)
    listener = try Listener { socket, isOpen in
      try? Connection(socket, identity, isOpen: isOpen).serve(answer)
    }
    port = listener.port
  }

  /// Nobody listens any more when this returns.
  func stop() { listener.stop() }

  /// How to fetch from here.
  func configuration() throws -> FetchConfiguration {
    var configuration = FetchConfiguration.standard
    configuration.port = port
    // Other tests may keep all threads busy for a while.
    configuration.timeLimit = .seconds(60)
    configuration.addresses = [
      "example.com": "127.0.0.1", "app-site-association.cdn-apple.com": "127.0.0.1",
    ]
    configuration.trustedRoots = try Certificates.root()
    return configuration
  }
}
