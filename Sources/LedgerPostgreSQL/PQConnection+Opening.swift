import Clibpq

/// How a connection is made, and why there is none.
extension PQConnection {
  /// A connection that somebody else closes.
  static func connected(
    to address: PoolAddress
  ) throws(PoolError) -> (pq_library, OpaquePointer) {
    var pq = try PQ.shared.get().functions
    if let reason = mistake(in: address, pq) {
      throw .badAddress(.notUnderstood(address.hiding(reason)))
    }
    // What stands in the address counts for more than what stands before it.
    var options = [
      ("connect_timeout", "5"), ("application_name", "nfcprog"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "6000"),
      ("dbname", address.connection), ("client_encoding", "UTF8"),
    ]
    if let password = address.password { options.append(("password", password)) }
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

  /// What libpq says of an address that it cannot read; nil: nothing.
  private static func mistake(in address: PoolAddress, _ pq: pq_library) -> String? {
    var reason: UnsafeMutablePointer<CChar>?
    if let options = unsafe pq.parse(address.connection, &reason) {
      unsafe pq.free_options(options)
      return nil
    }
    defer { unsafe pq.free_memory(reason) }
    return unsafe clause(text(reason).split(whereSeparator: \.isNewline))
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
