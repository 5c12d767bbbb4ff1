import NIOCore
import NIOPosix
import NIOSSL
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
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup

  /// Listens with the certificate, without TLS when it is nil. `answer`: by host and path.
  init(
    _ certificate: Certificates.Name? = .good,
    answer: @escaping @Sendable (_ host: String, _ path: String) -> Answer
  ) throws {
    var context: NIOSSLContext?
    if let certificate {
      let chain = try NIOSSLCertificate.fromPEMBytes(Certificates.chain(certificate))
      let key = try NIOSSLPrivateKey(bytes: Certificates.key(certificate), format: .pem)
      context = try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    }
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    channel = try ServerBootstrap(group: group)
      .childChannelInitializer { [context] channel in
        channel.eventLoop.makeCompletedFuture {
          if let context {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          }
          try channel.pipeline.syncOperations.addHandler(
            Responder(speaksTLS: context != nil, answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    port = channel.localAddress?.port ?? 0
  }

  func stop() {
    try? channel.close().wait()
    try? group.syncShutdownGracefully()
  }

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

/// Waits for the head of a request, or without TLS for anything at all, then answers.
private final class Responder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let speaksTLS: Bool
  private let answer: @Sendable (String, String) -> Server.Answer
  private var request = ""

  init(speaksTLS: Bool, _ answer: @escaping @Sendable (String, String) -> Server.Answer) {
    self.speaksTLS = speaksTLS
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard speaksTLS else { return give(answer("", ""), context) }
    request += String(buffer: unwrapInboundIn(data))
    guard request.hasSuffix("\r\n\r\n") else { return }
    let lines = request.split(separator: "\r\n")
    request = ""
    let path = lines[0].split(separator: " ")[1]
    let host = lines.first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
    give(answer(String(host.prefix { $0 != ":" }), String(path)), context)
  }

  private func give(_ answer: Server.Answer, _ context: ChannelHandlerContext) {
    switch answer {
    case .silence: break
    case .bytes(let bytes):
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    case .drip(let bytes):
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      let channel = context.channel
      let drips = context.eventLoop.scheduleRepeatedTask(
        initialDelay: .milliseconds(20), delay: .milliseconds(20)
      ) { _ in channel.writeAndFlush(ByteBuffer(string: " "), promise: nil) }
      channel.closeFuture.whenComplete { _ in drips.cancel() }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
