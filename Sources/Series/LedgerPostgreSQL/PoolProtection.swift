import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who may be at the other end of a pool's address, and so get the password.
enum PoolProtection: Hashable, Sendable {
  /// This machine.
  case local
  /// The server that the address names, by its certificate.
  case proven
  /// Whoever answers at this host: somebody wants it so, with this `sslmode`.
  case wanted(host: String, mode: String)
  /// Whoever answers at this host, and nobody has said that it may be so.
  case open(host: String)

  /// By what libpq makes of an address and the environment, under libpq's names.
  init(_ options: [String: String]) {
    func value(_ name: String) -> String? { options[name].flatMap { $0.isEmpty ? nil : $0 } }
    let places = (value("hostaddr") ?? value("host") ?? "")
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // The file of a service may name any host.
    let isService = value("service") != nil && value("host") == nil && value("hostaddr") == nil
    guard isService || !places.allSatisfy(Self.isLocal) else {
      self = .local
      return
    }
    let host =
      value("host") ?? value("hostaddr") ?? value("service").map { "of the service \($0)" } ?? ""
    switch value("sslmode") {
    case "verify-full": self = .proven
    case let mode?: self = .wanted(host: host, mode: mode)
    case nil: self = .open(host: host)
    }
  }

  /// Returns whether `host` is a socket's folder, or this machine by itself.
  private static func isLocal(_ host: String) -> Bool {
    if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
    if host.lowercased() == "localhost" { return true }
    var (old, new) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, host, &old) == 1 { return old.s_addr & 0xFF == 127 }
    guard unsafe inet_pton(AF_INET6, host, &new) == 1 else { return false }
    let bytes = unsafe withUnsafeBytes(of: new) { unsafe Array($0) }
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127]
    return bytes == [UInt8](repeating: 0, count: 15) + [1] || bytes.prefix(13) == mapped[...]
  }

  /// How the server may ask for the password, for libpq 16 and later; nil: as it likes.
  /// `hasCertificate`: the client may prove itself by one.
  func authentication(hasCertificate: Bool) -> String? {
    self == .local ? nil : hasCertificate ? "scram-sha-256,none" : "scram-sha-256"
  }

  /// What is to be said to people; nil: nothing.
  var warning: String? {
    guard case .wanted(let host, let mode) = self else { return nil }
    return
      "The database at \(host) is not proven to be the right one with sslmode=\(mode): whoever answers there may get the password. sslmode=verify-full proves it."
  }
}

/// What is to be said of pools' addresses, each once; a front end says where.
package enum PoolWarnings {
  private struct State {
    var said: Set<String> = []
    var tell: (@Sendable (String) -> Void)?
  }

  private static let state = Mutex(State())

  /// Has `tell` called with each warning, by any thread.
  package static func take(_ tell: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.tell = tell }
  }

  static func say(_ warning: String) {
    let tell = state.withLock { state in
      state.said.insert(warning).inserted ? state.tell : nil
    }
    tell?(warning)
  }
}
