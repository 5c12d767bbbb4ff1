import Bytes
import Clibpq

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libpq, loaded when it is first asked for and kept for the life of the process.
@safe struct PQ: @unchecked Sendable {
  // Unchecked: the functions are found once and never change; libpq's own state is in its
  // connections.
  let functions: pq_library

  /// The failure says why there is none.
  static let shared = Result<PQ, PoolError> { () throws(PoolError) in try PQ() }

  private init() throws(PoolError) {
    var functions = pq_library()
    if let reason = unsafe pq_library_open(&functions) {
      throw .noLibrary(unsafe String(cString: reason))
    }
    self.functions = functions
  }
}

/// What a statement is given, in PostgreSQL's text form.
enum PQValue: Hashable, Sendable {
  case null
  case text(String)
  case number(Int64)
  case bytes([UInt8])
  case flag(Bool)

  init(_ text: String?) { self = text.map(PQValue.text) ?? .null }
  init(_ number: Int) { self = .number(Int64(number)) }
  init(_ flag: Bool?) { self = flag.map(PQValue.flag) ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map(PQValue.bytes) ?? .null }

  /// Nil is NULL.
  var text: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .number(let number): String(number)
    case .bytes(let bytes): "\\x" + Hex.string(bytes)
    case .flag(let flag): flag ? "t" : "f"
    }
  }
}

/// A row of an answer; nil is NULL.
struct PQRow: Hashable, Sendable {
  let values: [String?]

  subscript(column: Int) -> String? { values[column] }
  func number(_ column: Int) -> Int64? { values[column].flatMap { Int64($0) } }
  func flag(_ column: Int) -> Bool? { values[column].map { $0 == "t" } }

  func bytes(_ column: Int) -> [UInt8]? {
    values[column].flatMap { text in try? Hex.bytes(String(text.dropFirst(2))) }
  }
}

/// One connection to a database.
@safe final class PQConnection: @unchecked Sendable {
  // Sendable by hand: whoever has it lets one thread at a time use it.
  private var pq: pq_library
  private let connection: OpaquePointer
  /// Statements that the server has made ready.
  private var prepared: [String: String] = [:]
  /// Whether a statement may take as long as it takes, as one that loads a batch does. Any other
  /// has ten seconds: a network that swallows everything says nothing by itself.
  var isPatient = false
  private static let patience = Duration.seconds(10)

  /// Blocks until the database has answered, for five seconds at most unless the address says
  /// otherwise.
  init(_ address: PoolAddress) throws(PoolError) {
    let library = try PQ.shared.get()
    pq = library.functions
    if let reason = Self.mistake(in: address, pq) {
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
    let made = unsafe library.functions.connect(keywords.pointer, values.pointer, 1)
    guard let made = unsafe made else { throw .away("no memory is left") }
    guard unsafe library.functions.status(made) == CInt(PQ_CONNECTION_OK) else {
      let text = unsafe Self.text(library.functions.error(made))
      unsafe library.functions.finish(made)
      throw Self.failure(text, address)
    }
    unsafe connection = made
    unsafe pq_be_silent(&pq, made)
  }

  /// What libpq says of an address that it cannot read; nil: nothing.
  private static func mistake(in address: PoolAddress, _ pq: pq_library) -> String? {
    var reason: UnsafeMutablePointer<CChar>?
    if let options = unsafe pq.parse(address.connection, &reason) {
      unsafe pq.free_options(options)
      return nil
    }
    defer { unsafe pq.free_memory(reason) }
    return unsafe text(reason).split(whereSeparator: \.isNewline).joined(separator: "; ")
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

  deinit { unsafe pq.finish(connection) }

  /// Whether it still stands, as far as libpq knows.
  var isOpen: Bool { !isGivenUp && (unsafe pq.status(connection) == CInt(PQ_CONNECTION_OK)) }

  /// Whether what is said is encrypted.
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
  /// nothing for too long: what comes later is never read, as the connection is given up then.
  private func answer(_ sent: CInt) throws(PoolError) -> [PQRow] {
    guard sent == 1 else { throw gone }
    var rows: [PQRow] = []
    var failure: PoolError?
    let deadline = ContinuousClock.now + Self.patience
    while true {
      try wait(until: isPatient ? nil : deadline)
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
    // The next connection may be one that can write: to another server, or with other settings.
    if failure == .readOnly { isGivenUp = true }
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

  private var isGivenUp = false

  /// Hands lines of PostgreSQL's text format over, after a COPY … FROM STDIN.
  func put(_ lines: [UInt8]) throws(PoolError) {
    let sent = unsafe lines.withUnsafeBytes { buffer in
      unsafe pq.put_copy_data(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count))
    }
    guard sent == 1 else { throw gone }
  }

  /// Ends a COPY; `isGood`: what was handed over is to be kept.
  func endCopy(isGood: Bool) throws(PoolError) {
    _ = unsafe pq.put_copy_end(connection, isGood ? nil : "the list ended with a mistake")
    var failure: PoolError?
    while let result = unsafe pq.next_result(connection) {
      do throws(PoolError) { _ = try unsafe take(result) } catch { failure = failure ?? error }
    }
    if let failure, isGood { throw failure }
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
      let other = unsafe Self.text(pq.error(connection))
      throw PoolError(state: state, message.isEmpty ? other : message)
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
  private var gone: PoolError {
    PoolError(state: "", unsafe Self.text(pq.error(connection)))
  }

  /// Empty where C has none.
  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}

/// Texts as C has them, with a NULL behind the last; nil is NULL.
@safe private final class CStrings {
  let pointer: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ texts: [String?]) {
    count = texts.count
    unsafe pointer = .allocate(capacity: count + 1)
    for index in 0..<count {
      let copy = unsafe texts[index].flatMap { unsafe strdup($0) }
      unsafe (pointer + index).initialize(to: unsafe copy.map { unsafe UnsafePointer($0) })
    }
    unsafe (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(UnsafeMutablePointer(mutating: pointer[index])) }
    unsafe pointer.deallocate()
  }
}
