#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The socket at which an agent waits for commands, `PID.socket` in a folder that only its user may
/// enter.
///
/// A reader's lock is one on its device file, in a folder where no user may make files. So the
/// sockets of all agents of a user are together, and each says for itself which readers it has.
package struct AgentSocket: Sendable {
  private let folder: String
  private let name: String

  /// The folder of the sockets, in what the environment has for programs' memory; nil without a
  /// home.
  package static func folder(_ environment: Environment) -> String? {
    environment.stateHome.map { "\($0)/nfcprog/agent/commands" }
  }

  /// The socket of this process.
  package init(ofThisProcessIn folder: String) {
    (self.folder, name) = (folder, "\(getpid()).socket")
  }

  package init(_ folder: String, _ name: String) { (self.folder, self.name) = (folder, name) }

  /// The sockets that are there, also those of agents that were killed.
  package static func all(in folder: String) -> [AgentSocket] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var sockets: [AgentSocket] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(".socket") { sockets.append(AgentSocket(folder, name)) }
    }
    return sockets.sorted { $0.name < $1.name }
  }

  /// The process whose socket it is.
  package var process: String { String(name.prefix { $0 != "." }) }

  /// Listens; nil where that cannot be.
  package func listen() -> CInt? {
    remove()
    return unsafe open { file, address, length in
      unsafe bind(file, address, length) == 0 && Self.wait(at: file) == 0
    }
  }

  /// The agent's end of it; nil where no agent of this user is there.
  package func connect() -> AgentChannel? {
    unsafe open { file, address, length in unsafe Self.reach(file, address, length) == 0 }
      .flatMap(AgentChannel.init)
  }

  package func remove() { unsafe unlink("\(folder)/\(name)") }

  /// Removes what agents have left that were killed.
  package static func removeLeft(in folder: String) {
    for socket in all(in: folder) where !socket.isAnswered { socket.remove() }
  }

  /// Is true if a program listens there.
  package var isAnswered: Bool {
    guard let file = unsafe open({ unsafe Self.reach($0, $1, $2) == 0 }) else { return false }
    close(file)
    return true
  }

  /// A socket that `body` could use.
  private func open(
    _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> CInt? {
    #if canImport(Darwin)
      let file = socket(AF_UNIX, SOCK_STREAM, 0)
      let path = "\(folder)/\(name)"
    #else
      let file = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      // An address has room for 107 bytes, and a home may be longer.
      let place = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(place) }
      let path = "/proc/self/fd/\(place)/\(name)"
    #endif
    guard file >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isLong = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (index, byte) in path.utf8.enumerated() where index < place.count - 1 {
        unsafe place[index] = byte
      }
      return path.utf8.count >= place.count
    }
    let isUsed =
      !isLong
      && (unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe body(file, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      })
    guard isUsed else {
      close(file)
      return nil
    }
    return file
  }

  // Inside the structure, these names are its own.
  private static func wait(at file: CInt) -> CInt {
    #if canImport(Darwin)
      Darwin.listen(file, 64)
    #else
      Glibc.listen(file, 64)
    #endif
  }

  private static func reach(
    _ file: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> CInt {
    #if canImport(Darwin)
      unsafe Darwin.connect(file, address, length)
    #else
      unsafe Glibc.connect(file, address, length)
    #endif
  }
}
