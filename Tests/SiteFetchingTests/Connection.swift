import Clibssl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A certificate with its key, as a server has it.
@safe final class TLSIdentity: @unchecked Sendable {
  // Unchecked: libssl counts the references to a context under a lock, and nothing changes it after
  // `init`.
  let context: OpaquePointer

  struct Failure: Error {}

  init(_ name: Certificates.Name) throws {
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw Failure() }
    unsafe self.context = context
    let chain = try Certificates.chain(name)
    let key = try Certificates.key(name)
    let chainFile = unsafe BIO_new_mem_buf(chain, CInt(chain.count))
    let keyFile = unsafe BIO_new_mem_buf(key, CInt(key.count))
    defer {
      unsafe BIO_free(chainFile)
      unsafe BIO_free(keyFile)
    }
    let certificate = unsafe PEM_read_bio_X509(chainFile, nil, nil, nil)
    let privateKey = unsafe PEM_read_bio_PrivateKey(keyFile, nil, nil, nil)
    defer {
      unsafe X509_free(certificate)
      unsafe EVP_PKEY_free(privateKey)
    }
    guard unsafe SSL_CTX_use_certificate(context, certificate) == 1,
      unsafe SSL_CTX_use_PrivateKey(context, privateKey) == 1
    else { throw Failure() }
  }

  deinit { unsafe SSL_CTX_free(context) }
}

/// One client: reads a request, or without TLS anything at all, then answers.
@safe final class Connection {
  private let socket: CInt
  private let isOpen: Listener.Flag
  private let tls: OpaquePointer?

  /// The client is gone, or the server stops.
  struct End: Error {}

  /// Shakes hands where there is an `identity`.
  init(_ socket: CInt, _ identity: TLSIdentity?, isOpen: Listener.Flag) throws {
    (self.socket, self.isOpen) = (socket, isOpen)
    guard let identity else {
      unsafe tls = nil
      return
    }
    unsafe tls = SSL_new(identity.context)
    unsafe SSL_set_fd(tls, socket)
    while !Listener.isReadable(socket) { if !isOpen.isSet { throw End() } }
    guard unsafe SSL_accept(tls) == 1 else { throw End() }
  }

  deinit { unsafe SSL_free(tls) }

  func serve(_ answer: (_ host: String, _ path: String) -> Server.Answer) throws {
    guard unsafe tls != nil else {
      _ = try read()
      return try give(answer("", ""))
    }
    var request = ""
    while !request.hasSuffix("\r\n\r\n") { request += String(decoding: try read(), as: UTF8.self) }
    let lines = request.split(separator: "\r\n")
    let path = lines[0].split(separator: " ")[1]
    let host = lines.first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
    try give(answer(String(host.prefix { $0 != ":" }), String(path)))
  }

  private func give(_ answer: Server.Answer) throws {
    switch answer {
    case .silence: while true { _ = try read() }
    case .later(let bytes, let isTime):
      while !isTime() {
        guard isOpen.isSet else { throw End() }
        usleep(20_000)
      }
      try give(.bytes(bytes))
    case .bytes(let bytes):
      try write(bytes)
      if unsafe tls != nil { unsafe SSL_shutdown(tls) }
    case .drip(let bytes):
      try write(bytes)
      while isOpen.isSet {
        usleep(20_000)
        try write([0x20])
      }
    }
  }

  /// What comes next, at least a byte.
  private func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let isWaiting = unsafe tls == nil || SSL_pending(tls) == 0
    while isWaiting, !Listener.isReadable(socket) { if !isOpen.isSet { throw End() } }
    let count =
      unsafe tls == nil
      ? recv(socket, &bytes, bytes.count, 0) : Int(SSL_read(tls, &bytes, CInt(bytes.count)))
    guard count > 0 else { throw End() }
    return Array(bytes[..<count])
  }

  private func write(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    let count =
      unsafe tls == nil
      ? send(socket, bytes, bytes.count, 0) : Int(SSL_write(tls, bytes, CInt(bytes.count)))
    guard count == bytes.count else { throw End() }
  }
}
