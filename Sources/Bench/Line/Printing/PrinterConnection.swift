import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection to a label printer: by TCP, or its device held open. No call takes longer than
/// its limit.
///
/// A connection lasts for a few labels only: many printers serve one at a time, and other benches
/// may share the printer.
struct PrinterConnection: ~Copyable {
  private let descriptor: CInt
  /// The device that it is connected to; nil: a port of a host.
  let device: PrinterDevice?

  /// Connects within `patience`, which does not bound the look-up of a name; the addresses of a
  /// name share the time.
  init(
    to address: PrinterAddress, patience: Duration
  ) throws(PrinterConnectionError) {
    switch address.place {
    case .network(let host, let port):
      descriptor = try Self.connected(to: host, port, patience)
      device = nil
    case .device(let path):
      let device = try PrinterDevice(at: path)
      (descriptor, self.device) = (try device.open(), device)
    }
  }

  private static func connected(
    to host: String, _ port: UInt16, _ patience: Duration
  ) throws(PrinterConnectionError) -> CInt {
    let deadline = ContinuousClock.now + patience
    var hints = unsafe addrinfo()
    #if canImport(Darwin)
      unsafe hints.ai_socktype = SOCK_STREAM
    #else
      unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &found)
    defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
    guard status == 0 else { throw .unreachable("its name \(host) is not known") }
    var failure = PrinterConnectionError.unreachable("no address is known")
    var next = unsafe found
    while let info = unsafe next {
      let now = ContinuousClock.now
      let count = unsafe count(info)
      let share = now.duration(to: deadline) / count
      switch unsafe connect(info, now + share) {
      case .success(let descriptor): return descriptor
      case .failure(let error): failure = error
      }
      unsafe next = unsafe info.pointee.ai_next
    }
    throw failure
  }

  /// How many addresses there are from `info` on.
  private static func count(_ info: UnsafeMutablePointer<addrinfo>) -> Int {
    var count = 0
    var next: UnsafeMutablePointer<addrinfo>? = unsafe info
    while let info = unsafe next {
      count += 1
      unsafe next = unsafe info.pointee.ai_next
    }
    return count
  }

  deinit {
    // What is left unread would have the system end the connection with a reset.
    _ = takeUnread()
    if device == nil { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }
    _ = close(descriptor)
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
    guard descriptor >= 0 else { return .failure(PrinterConnectionError(errno)) }
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
    return .failure(PrinterConnectionError(problem))
  }

  /// Sends all of `bytes`; `patience`: how long it may take nothing.
  func send(_ bytes: [UInt8], patience: Duration) throws(PrinterConnectionError) {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe buffer.baseAddress! + sent
        if let device { return unsafe device.write(rest, buffer.count - sent, to: descriptor) }
        return unsafe Self.sendSome(descriptor, rest, buffer.count - sent, flags)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        guard Self.wait(descriptor, for: POLLOUT, until: .now + patience) else {
          // Bytes that the printer does not take would delay the closing of the line.
          if device != nil { _ = tcflush(descriptor, TCOFLUSH) }
          throw .broken("it took no more data in time")
        }
      } else if errno != EINTR {
        throw device?.failure(errno) ?? PrinterConnectionError(errno)
      }
    }
  }

  /// Waits until a FIFO's reader has read all bytes, and fails after `patience`, or when nobody
  /// reads it any more. Printers at other connections have the bytes already.
  func waitUntilTaken(patience: Duration) throws(PrinterConnectionError) {
    guard let device, !device.answers else { return }
    let deadline = ContinuousClock.now + patience
    while unreadCount > 0 {
      guard ContinuousClock.now < deadline else { throw .broken("it took no more data in time") }
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      if unsafe poll(&entry, 1, 2) > 0, entry.revents & Int16(POLLERR | POLLHUP) != 0 {
        throw device.failure(EPIPE)
      }
    }
  }

  /// The number of bytes in the FIFO that nobody has read.
  private var unreadCount: CInt {
    var count: CInt = 0
    #if canImport(Darwin)
      let request: UInt = 0x4004_667F  // FIONREAD
    #else
      let request = UInt(FIONREAD)
    #endif
    return unsafe ioctl(descriptor, request, &count) == 0 ? count : 0
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

  /// Asks the printer for its status and waits for the answer, so long.
  func status(patience: Duration) throws(PrinterConnectionError) -> PrinterStatus {
    try send(Array("~HS\r\n".utf8), patience: patience)
    let deadline = ContinuousClock.now + patience
    var answer: [UInt8] = []
    while !PrinterStatus.isWhole(answer) {
      guard answer.count < Self.longestAnswer else { throw .otherAnswer }
      guard Self.wait(descriptor, for: POLLIN, until: deadline) else {
        throw answer.isEmpty ? .silent : .otherAnswer
      }
      switch receive() {
      case .bytes(let bytes): answer += bytes
      case .nothing: break
      case .end(let error): throw answer.isEmpty ? error : .otherAnswer
      }
    }
    do throws(PrinterStatusError) {
      return try PrinterStatus(parsing: answer)
    } catch {
      throw .otherAnswer
    }
  }

  /// Takes what was sent and not asked for; whether there was any.
  func takeUnread() -> Bool {
    // A device may have no end.
    for count in 0..<100 { guard case .bytes = receive() else { return count > 0 } }
    return true
  }

  private enum Received {
    case bytes(ArraySlice<UInt8>)
    case nothing
    case end(PrinterConnectionError)
  }

  private func receive() -> Received {
    var buffer = [UInt8](repeating: 0, count: 1024)
    guard device?.answers != false else { return .nothing }
    let count =
      device == nil
      ? unsafe recv(descriptor, &buffer, buffer.count, 0)
      : unsafe read(descriptor, &buffer, buffer.count)
    if count > 0 { return .bytes(buffer[..<count]) }
    if count == 0 { return .end(.ended) }
    let isNothing = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR
    return isNothing ? .nothing : .end(device?.failure(errno) ?? PrinterConnectionError(errno))
  }

  /// An answer has about 82 bytes.
  private static let longestAnswer = 4096

  /// Returns whether the socket is ready before `deadline`.
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
}
