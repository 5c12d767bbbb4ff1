import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One end of the connection between an agent and a command, both of the same user.
package final class AgentChannel: Sendable {
  private let descriptor: CInt

  /// Takes `descriptor`, a connected socket. Nil, and the socket is closed, where the program at
  /// the other end is another user's, or nobody can say whose it is.
  package init?(_ descriptor: CInt) {
    guard Self.user(at: descriptor) == geteuid() else {
      _ = Self.end(descriptor)
      return nil
    }
    self.descriptor = descriptor
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    #if canImport(Darwin)
      var yes: CInt = 1
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(4))
    #endif
  }

  deinit { _ = Self.end(descriptor) }

  /// In seconds: a message that has begun is there by then, and the other end takes what is sent.
  private static let patience = 5

  /// The user of the program that made the other end; nil: not known.
  private static func user(at descriptor: CInt) -> uid_t? {
    #if canImport(Darwin)
      var (user, group) = (uid_t(), gid_t())
      return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
    #else
      // struct ucred of sys/socket.h: process, user, group.
      var credentials: [UInt32] = [0, 0, 0]
      var length = socklen_t(12)
      guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
        length == 12
      else { return nil }
      return credentials[1]
    #endif
  }

  /// Sends `message`; false where nobody is at the other end any more, or takes nothing.
  @discardableResult
  package func send(_ message: AgentMessage) -> Bool {
    let body = message.serialize()
    guard body.count <= AgentMessage.longest else { return false }
    var rest = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Self.put(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// This says whether the other end has sent something, or is gone.
  package enum Arrival: Sendable, Equatable {
    case message(AgentMessage)
    /// Nothing has come in time.
    case nothing
    /// Nobody is there any more, or what came is no message.
    case end
  }

  /// The next message; `patience` is how long one waits for it to begin.
  package func receive(within patience: Duration) -> Arrival {
    let deadline = ContinuousClock.now + patience
    while true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, deadline - ContinuousClock.now)
      let found = unsafe poll(&request, 1, CInt(left / .milliseconds(1)) + 1)
      if found > 0 { break }
      if found < 0, errno != EINTR { return .end }
      if ContinuousClock.now >= deadline { return .nothing }
    }
    let end = ContinuousClock.now + .seconds(Self.patience)
    guard let head = take(4, until: end) else { return .end }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= AgentMessage.longest, let body = take(length, until: end),
      let message = AgentMessage(parsing: body)
    else { return .end }
    return .message(message)
  }

  /// So many bytes, which the other end sends at one go; nil where it does not.
  private func take(_ count: Int, until end: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, end - ContinuousClock.now)
      let found = unsafe poll(&request, 1, CInt(left / .milliseconds(1)))
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { return nil }
      var part = [UInt8](repeating: 0, count: count - bytes.count)
      let length = unsafe read(descriptor, &part, part.count)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { return nil }
      bytes += part.prefix(length)
    }
    return bytes
  }

  /// Ends the connection, also under a call that waits on another thread.
  package func cut() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

  private static func put(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.send(file, bytes, count, 0)
    #else
      unsafe Glibc.send(file, bytes, count, CInt(MSG_NOSIGNAL))
    #endif
  }

  // Inside the class, `close` would be its own.
  private static func end(_ file: CInt) -> CInt { close(file) }
}
