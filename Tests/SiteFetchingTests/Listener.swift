import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A TCP socket on the loopback interface; each connection has a thread.
final class Listener: Sendable {
  let port: Int
  private let socket: CInt
  private let isOpen = Flag()
  private let accepting = DispatchGroup()

  struct Failure: Error {
    let errorNumber = errno
  }

  /// Whether the server still runs: what waits in a connection looks at it.
  final class Flag: Sendable {
    private let value = Atomic(true)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func clear() { value.store(false, ordering: .relaxed) }
  }

  /// `serve` has a connection's socket, which is closed behind it.
  init(serve: @escaping @Sendable (_ socket: CInt, _ isOpen: Flag) -> Void) throws {
    // A client may be gone while it is answered.
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Darwin)
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(socket, address, size) == 0 && listen(socket, 128) == 0
          && getsockname(socket, address, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isListening else {
      close(socket)
      throw Failure()
    }
    let isOpen = isOpen
    DispatchQueue(label: "listener").async(group: accepting) {
      while isOpen.isSet {
        guard Self.isReadable(socket) else { continue }
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { continue }
        DispatchQueue(label: "connection").async {
          serve(connection, isOpen)
          close(connection)
        }
      }
    }
  }

  /// Connections are refused when this returns.
  func stop() {
    isOpen.clear()
    accepting.wait()
    close(socket)
  }

  /// Waits for a moment; true when there is something to read, or an end.
  static func isReadable(_ socket: CInt) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 20) > 0
  }
}
