import Clibpq

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection to a database.
@safe final class PQConnection: @unchecked Sendable {
  // Sendable by hand: whoever has it lets one thread at a time use it.
  let pq: pq_library
  let connection: OpaquePointer
  /// Statements that the server has made ready.
  private var prepared: [String: String] = [:]
  /// How long an answer is waited for: a network that swallows everything says nothing by itself.
  let patience: Duration
  /// Is true if a statement may take as long as it takes, as one that reads a whole batch does.
  var isPatient = false
  private var isGivenUp = false

  /// Blocks until the database has answered, for five seconds at most unless the address says
  /// otherwise.
  init(_ address: PoolAddress) throws(PoolError) {
    unsafe (pq, connection) = try Self.connected(to: address)
    patience = address.patience
  }

  deinit { unsafe pq.finish(connection) }

  /// Is true if it still stands, as far as libpq knows.
  var isOpen: Bool { !isGivenUp && (unsafe pq.status(connection) == CInt(PQ_CONNECTION_OK)) }

  /// Is true if what is said is encrypted.
  var isEncrypted: Bool { unsafe pq.uses_ssl(connection) == 1 }

  /// Carries statements without values out.
  func run(_ script: String) throws(PoolError) {
    _ = try answer(unsafe pq.send_query(connection, script))
  }

  /// Carries one statement out, made ready once for the life of the connection.
  func query(_ sql: String, _ values: [PQValue] = []) throws(PoolError) -> [PQRow] {
    let name: String
    if let known = prepared[sql] {
      name = known
    } else {
      name = "s\(prepared.count)"
      _ = try answer(unsafe pq.send_prepare(connection, name, sql, 0, nil))
      prepared[sql] = name
    }
    let texts = CStrings(values.map(\.text))
    return try answer(
      unsafe pq.send_prepared(
        connection, name, CInt(values.count), texts.pointer, nil, nil, 0))
  }

  /// The rows of what was sent, once the server has answered all of it. Throws `away` when it says
  /// nothing for `limit` (by default, for as long as the connection is patient): what comes later
  /// is never read, as the connection is given up then.
  func answer(_ sent: CInt, within limit: Duration? = nil) throws(PoolError) -> [PQRow] {
    guard sent == 1 else { throw gone }
    var rows: [PQRow] = []
    var failure: PoolError?
    let deadline = (limit ?? (isPatient ? nil : patience)).map { ContinuousClock.now + $0 }
    while true {
      try wait(until: deadline)
      guard let result = unsafe pq.next_result(connection) else { break }
      let isCopy = unsafe Int(pq.result_status(result)) == PQ_COPY_IN
      do throws(PoolError) {
        rows = try unsafe take(result)
      } catch {
        failure = failure ?? error
        if case .away = error { break }
      }
      if isCopy { break }
    }
    switch failure {
    // There may be more to come, which nobody reads. The next connection may be one that can write:
    // to another server, or with other settings.
    case .away, .readOnly: isGivenUp = true
    default: break
    }
    if let failure { throw failure }
    return rows
  }

  /// Waits until the next result can be taken without waiting.
  private func wait(until deadline: ContinuousClock.Instant?) throws(PoolError) {
    while unsafe pq.is_busy(connection) == 1 {
      var descriptor = pollfd(fd: unsafe pq.socket(connection), events: Int16(POLLIN), revents: 0)
      let left = deadline.map {
        max(0, CInt(ContinuousClock.now.duration(to: $0) / .milliseconds(1)))
      }
      let ready = unsafe poll(&descriptor, 1, left ?? -1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        isGivenUp = true
        throw .away("it says nothing")
      }
      guard unsafe pq.consume_input(connection) == 1 else {
        throw gone
      }
    }
  }

  /// The rows of an answer, which is given back to libpq; throws what the server complains of.
  private func take(_ result: OpaquePointer?) throws(PoolError) -> [PQRow] {
    guard let result = unsafe result else {
      throw gone
    }
    defer { unsafe pq.clear(result) }
    switch unsafe Int(pq.result_status(result)) {
    case PQ_COMMAND_OK, PQ_COPY_IN: return []
    case PQ_TUPLES_OK: break
    case PQ_EMPTY_QUERY: return []
    default:
      let state = unsafe Self.text(pq.result_field(result, CInt(PQ_SQLSTATE)))
      let message = unsafe Self.text(pq.result_field(result, CInt(PQ_MESSAGE)))
      let constraint = unsafe Self.text(pq.result_field(result, CInt(PQ_CONSTRAINT)))
      let other = unsafe Self.text(pq.error(connection))
      throw PoolError(state: state, message.isEmpty ? other : message, constraint)
    }
    let columns = unsafe pq.columns(result)
    return (0..<(unsafe pq.rows(result))).map { row in
      PQRow(
        values: (0..<columns).map { column in
          guard unsafe pq.is_null(result, row, column) == 0 else { return nil }
          return unsafe Self.text(pq.value(result, row, column))
        })
    }
  }

  /// The connection is lost: the first line of what libpq says, as the others guess why.
  var gone: PoolError {
    PoolError(state: "", unsafe Self.text(pq.error(connection)))
  }

  /// Empty where C has none.
  static func text(_ text: UnsafePointer<CChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}
