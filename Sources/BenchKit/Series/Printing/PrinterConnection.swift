import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One TCP connection to a label printer. No call takes longer than its limit.
///
/// A connection lasts for one label only: many printers serve one at a time, and other benches may
/// share the printer.
struct PrinterConnection: ~Copyable {
  private let socket: CInt

  /// Connects within `limit`, which does not bound the look-up of a name. Throws the reason, as
  /// `connection refused`.
  init(to address: PrinterAddress, limit: Duration) throws(PrinterConnectionError) {
    var hints = unsafe addrinfo()
    #if canImport(Darwin)
      unsafe hints.ai_socktype = SOCK_STREAM
    #else
      unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &found)
    defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
    guard status == 0 else { throw .unreachable("its name \(address.host) is not known") }
    let deadline = ContinuousClock.now + limit
    var reason = "no address is known"
    var next = unsafe found
    while let info = unsafe next {
      switch unsafe Self.connect(info, deadline) {
      case .success(let descriptor):
        socket = descriptor
        return
      case .failure(let error): reason = error.reason
      }
      unsafe next = unsafe info.pointee.ai_next
    }
    throw .unreachable(reason)
  }

  deinit {
    _ = shutdown(socket, CInt(SHUT_RDWR))
    _ = close(socket)
  }

  private static func connect(
    _ info: UnsafeMutablePointer<addrinfo>, _ deadline: ContinuousClock.Instant
  ) -> Result<CInt, PrinterConnectionError> {
    let info = unsafe info.pointee
    #if canImport(Darwin)
      let descriptor = unsafe Darwin.socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    #else
      let descriptor = unsafe Glibc.socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    #endif
    guard descriptor >= 0 else { return .failure(.unreachable(reason(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var one: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    #if canImport(Darwin)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, size)
    #endif
    _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, size)
    #if canImport(Darwin)
      let status = unsafe Darwin.connect(descriptor, info.ai_addr, info.ai_addrlen)
    #else
      let status = unsafe Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen)
    #endif
    var problem = status == 0 ? 0 : errno
    if problem == EINPROGRESS {
      problem =
        wait(descriptor, for: POLLOUT, until: deadline) ? pendingError(descriptor) : ETIMEDOUT
    }
    guard problem != 0 else { return .success(descriptor) }
    _ = close(descriptor)
    return .failure(.unreachable(reason(problem)))
  }

  /// Sends all of `bytes` until `deadline`. Throws how many were taken before it broke.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant)
    throws(PrinterConnectionError)
  {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Self.sendSome(socket, buffer.baseAddress! + sent, buffer.count - sent, flags)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        guard Self.wait(socket, for: POLLOUT, until: deadline) else {
          throw .broken(reason: "it took no more data in time", sent: sent)
        }
      } else if errno != EINTR {
        throw .broken(reason: Self.reason(errno), sent: sent)
      }
    }
  }

  private static func sendSome(
    _ socket: CInt, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: CInt
  ) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.send(socket, bytes, count, flags)
    #else
      unsafe Glibc.send(socket, bytes, count, flags)
    #endif
  }

  /// Asks the printer for its status and waits for the answer.
  func status(until deadline: ContinuousClock.Instant) throws(PrinterConnectionError)
    -> PrinterStatus
  {
    try send(Array("~HS\r\n".utf8), until: deadline)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while !PrinterStatus.isWhole(answer) {
      guard answer.count < Self.longestAnswer else { throw .otherAnswer }
      guard Self.wait(socket, for: POLLIN, until: deadline) else {
        throw answer.isEmpty ? .silent : .otherAnswer
      }
      let count = unsafe recv(socket, &buffer, buffer.count, 0)
      if count > 0 {
        answer += buffer[..<count]
      } else if count == 0 {
        throw answer.isEmpty ? .broken(reason: "it ended the connection", sent: 0) : .otherAnswer
      } else if errno != EAGAIN, errno != EWOULDBLOCK, errno != EINTR {
        throw .broken(reason: Self.reason(errno), sent: 0)
      }
    }
    do throws(PrinterStatusError) {
      return try PrinterStatus(parsing: answer)
    } catch {
      throw .otherAnswer
    }
  }

  /// An answer has about 82 bytes.
  private static let longestAnswer = 4096

  /// Whether the socket is ready before `deadline`.
  private static func wait(
    _ socket: CInt, for events: CInt, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { return false }
      var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
      let ready = unsafe poll(&descriptor, 1, CInt(min(left.rounded(.up), 60_000)))
      if ready > 0 { return true }
      guard ready == 0 || errno == EINTR else { return false }
    }
  }

  private static func pendingError(_ socket: CInt) -> CInt {
    var problem: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    _ = unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size)
    return problem
  }

  /// What the system says, in words.
  private static func reason(_ problem: CInt) -> String {
    switch problem {
    case ECONNREFUSED: "the connection was refused"
    case ETIMEDOUT: "it does not answer"
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: "there is no way to it in the network"
    case ECONNRESET, EPIPE: "it ended the connection"
    default: "error \(problem) of the system"
    }
  }
}

/// How a talk with a label printer failed.
enum PrinterConnectionError: Error, Hashable {
  /// No connection, and why.
  case unreachable(String)
  /// The connection ended, and why, after `sent` bytes of what was to be sent.
  case broken(reason: String, sent: Int)
  /// No answer in time.
  case silent
  /// An answer that is no status.
  case otherAnswer

  fileprivate var reason: String {
    switch self {
    case .unreachable(let reason), .broken(let reason, _): reason
    case .silent: "it does not answer"
    case .otherAnswer: "it does not answer as a ZPL printer"
    }
  }

  /// The same for the stations.
  var obstacle: PrinterObstacle {
    switch self {
    case .unreachable(let reason), .broken(let reason, _): .unreachable(reason: reason)
    case .silent: .silent
    case .otherAnswer: .otherAnswer
    }
  }
}
