import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A network between a bench and the database, which can be cut: a TCP proxy on loopback.
@safe final class Network: Sendable {
  let port: Int
  private let listener: CInt
  private let target: Int
  private let state = Mutex(State())

  private struct State {
    var isCut = false
    var sockets: [CInt] = []
    var swallowed: [UInt8]?
    var connectionCount = 0
  }

  /// One connection through it.
  private final class Line: Sendable {
    let isDead = Mutex(false)
    /// How many of its two directions have ended.
    let ended = Mutex(0)
  }

  init(to target: Int) throws {
    self.target = target
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.address(0)
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &size)
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard bound == 0, listen(listener, 64) == 0 else { throw Unusable() }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    Thread.detachNewThread { [self] in accept() }
  }

  deinit { close(listener) }

  struct Unusable: Error {}

  /// From now on nothing gets through, and what was open is closed, in the middle of whatever was
  /// said.
  func cut() {
    state.withLock { state in
      state.isCut = true
      for socket in state.sockets { shutdown(socket, CInt(SHUT_RDWR)) }
      state.sockets = []
    }
  }

  /// How many connections it has let through.
  var connectionCount: Int { state.withLock(\.connectionCount) }

  func heal() { state.withLock { $0.isCut = false } }

  /// What the next one says that says this word goes nowhere, nor does anything after it, either
  /// way: neither end hears that the other has gone.
  func swallow(_ word: String) { state.withLock { $0.swallowed = Array(word.utf8) } }

  /// Whether it is the one.
  private func swallows(_ said: ArraySlice<UInt8>) -> Bool {
    state.withLock { state in
      guard let word = state.swallowed, said.firstRange(of: word) != nil else { return false }
      state.swallowed = nil
      return true
    }
  }

  private func accept() {
    while true {
      let near = systemAccept(listener, nil, nil)
      guard near >= 0 else { return }
      let far = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      for socket in [near, far] { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
      var address = Self.address(target)
      let connected = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      let isGood = state.withLock { state in
        guard !state.isCut, connected == 0 else { return false }
        state.sockets += [near, far]
        state.connectionCount += 1
        return true
      }
      guard isGood else {
        close(near)
        close(far)
        continue
      }
      let line = Line()
      Thread.detachNewThread { [self] in
        Self.pump(near, far, line) { swallows($0) }
        end(line, [near, far])
      }
      Thread.detachNewThread { [self] in
        Self.pump(far, near, line) { _ in false }
        end(line, [near, far])
      }
    }
  }

  /// Closes the descriptors once nothing goes either way. Held by the lock: a number that is used
  /// again would be cut by mistake.
  private func end(_ line: Line, _ sockets: [CInt]) {
    let isLast = line.ended.withLock { ended in
      ended += 1
      return ended == 2
    }
    guard isLast else { return }
    state.withLock { state in
      state.sockets.removeAll(where: sockets.contains)
      for socket in sockets { close(socket) }
    }
  }

  private static func pump(
    _ from: CInt, _ to: CInt, _ line: Line, _ swallows: (ArraySlice<UInt8>) -> Bool
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(from, &buffer, buffer.count)
      let isDead = line.isDead.withLock { isDead in
        isDead = isDead || count > 0 && swallows(buffer[..<count])
        return isDead
      }
      guard count > 0 else {
        if isDead { return }
        break
      }
      if isDead { continue }
      var sent = 0
      while sent < count {
        let done = unsafe buffer[sent..<count].withUnsafeBytes { bytes in
          unsafe send(to, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        }
        guard done > 0 else { break }
        sent += done
      }
      guard sent == count else { break }
    }
    shutdown(from, CInt(SHUT_RDWR))
    shutdown(to, CInt(SHUT_RDWR))
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

// Inside of the class, `accept` is its own.
private func systemAccept(
  _ socket: CInt, _ address: UnsafeMutablePointer<sockaddr>?,
  _ size: UnsafeMutablePointer<socklen_t>?
) -> CInt { unsafe accept(socket, address, size) }
