import Clibpq

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a connection is made, and why there is none.
extension PQConnection {
  /// A connection that somebody else closes.
  static func connected(
    to address: PoolAddress
  ) throws(PoolError) -> (pq_library, OpaquePointer) {
    var pq = try PQ.shared.get().functions
    let known: [String: String]
    do throws(AddressFault) {
      known = try self.options(of: address, pq)
    } catch {
      throw .badAddress(.notUnderstood(address.hiding(error.reason)))
    }
    let protection = PoolProtection(known)
    if case .open(let host) = protection { throw .badAddress(.unproven(host: host)) }
    if let warning = protection.warning { PoolWarnings.say(warning) }
    // What stands in the address counts for more than what stands before it.
    var options = [
      ("connect_timeout", "5"), ("application_name", "nfcprog"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "6000"),
      ("dbname", address.connection), ("client_encoding", "UTF8"),
    ]
    if let password = address.password { options.append(("password", password)) }
    if known["require_auth"]?.isEmpty == true,
      // libpq 15 does not know it.

      let ways = protection.authentication(hasCertificate: hasCertificate(known))
    {
      options.append(("require_auth", ways))
    }
    let keywords = CStrings(options.map(\.0))
    let values = CStrings(options.map(\.1))
    let made = unsafe pq.connect(keywords.pointer, values.pointer, 1)
    guard let made = unsafe made else { throw .away("no memory is left") }
    guard unsafe pq.status(made) == CInt(PQ_CONNECTION_OK) else {
      let reason = unsafe text(pq.error(made))
      unsafe pq.finish(made)
      throw failure(reason, address)
    }
    unsafe pq_be_silent(&pq, made)
    return unsafe (pq, made)
  }

  /// What libpq says of an address that it cannot read.
  private struct AddressFault: Error { let reason: String }

  /// Returns what libpq makes of an address: every option that it knows, by the address or the
  /// environment, without its own defaults; an option that is not given is empty.
  private static func options(
    of address: PoolAddress, _ pq: pq_library
  ) throws(AddressFault) -> [String: String] {
    var reason: UnsafeMutablePointer<CChar>?
    guard let first = unsafe pq.parse(address.connection, &reason) else {
      defer { unsafe pq.free_memory(reason) }
      throw AddressFault(
        reason: unsafe clause(text(reason).split(whereSeparator: \.isNewline)))
    }
    defer { unsafe pq.free_options(first) }
    var options: [String: String] = [:]
    var next = unsafe first
    while let name = unsafe next.pointee.keyword {
      let given = unsafe next.pointee.value.map { unsafe String(cString: $0) } ?? ""
      let variable = unsafe next.pointee.variable.flatMap { unsafe getenv($0) }
      let value = given.isEmpty ? unsafe variable.map { unsafe String(cString: $0) } ?? "" : given
      options[unsafe String(cString: name)] = value
      unsafe next += 1
    }
    return options
  }

  /// Returns whether a client's certificate is named, or lies where libpq looks for it.
  private static func hasCertificate(_ options: [String: String]) -> Bool {
    if options["sslcert"]?.isEmpty == false { return true }
    guard let home = unsafe getenv("HOME") else { return false }
    return unsafe access(String(cString: home) + "/.postgresql/postgresql.crt", F_OK) == 0
  }

  /// Why there is no connection: libpq has only words for that, and no SQLSTATE.
  static func failure(_ text: String, _ address: PoolAddress) -> PoolError {
    // After a tab it only asks whether the server runs there. The second try is often as the first.
    var lines: [Substring] = []
    for line in text.split(whereSeparator: \.isNewline)
    where line.first != "\t" && !lines.contains(line) {
      lines.append(line)
    }
    let line = clause(lines)
    if text.hasPrefix("invalid ") || text.hasPrefix("could not match ") {
      return .badAddress(.notUnderstood(address.hiding(line)))
    }
    if let fault = ConnectionFault(saying: text) { return .turnedAway(fault) }
    let refusals = ["authentication failed", "permission denied for database"]
    if refusals.contains(where: text.contains) { return .notAllowed(line) }
    if let name = text.firstMatch(of: /FATAL:  database "(.*)" does not exist/)?.1 {
      return .noDatabase(String(name))
    }
    return .away(line)
  }

  /// Lines as a part of a sentence, without full stops of their own.
  private static func clause(_ lines: [Substring]) -> String {
    lines.map { $0.hasSuffix(".") ? $0.dropLast() : $0 }.joined(separator: "; ")
  }
}
