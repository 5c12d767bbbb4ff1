import Ledger
import Synchronization

/// A batch of jobs in a PostgreSQL database, which several benches share.
///
/// Each call is one statement or two, committed at once: no transaction is open while a tag lies
/// in a field. Every update names the epoch and the state that the decision was made on; where
/// either is another by then, it changes nothing and is decided anew. When a call throws `away`
/// nobody knows whether it was carried out: it is made again once the database is back, and a
/// command that was carried out before changes nothing.
package final class PoolStore: Sendable {
  package let address: PoolAddress
  /// By what the pool knows this bench, for the life of its journal.
  package let bench: String
  /// How long a claim is kept for a bench that says nothing more.
  package let lease: Duration
  let batch: Int64
  /// The batch's, whatever number it has: see `PoolBatch`.
  private let identity: [UInt8]
  private let state: Mutex<State>
  /// For what stations ask of tags: they do not wait for what is being told. Nil where there is
  /// none yet, and while the database is away.
  private let looker = Mutex<PQConnection?>(nil)
  private let opened = Atomic(1)

  private struct State {
    /// Nil while the database is away.
    var connection: PQConnection?
    /// By type of tag: the last job that this bench got.
    var places: [String: Int] = [:]
    /// The last job that this bench has in its list.
    var last = Int.max
  }

  /// Opens the batch that the address names. Throws `noBatch` where there is none.
  package convenience init(
    _ address: PoolAddress, bench: String, lease: Duration = .seconds(120)
  ) throws(PoolError) {
    let connection = try Self.connect(address)
    let rows = try connection.query(
      "SELECT id, identity FROM nfcprog.batch WHERE name = $1", [.text(address.batch)])
    guard let id = rows.first?.number(0), let identity = rows.first?.bytes(1) else {
      throw .noBatch(address.batch)
    }
    self.init(address, bench, lease, (id, identity), connection)
  }

  private init(
    _ address: PoolAddress, _ bench: String, _ lease: Duration,
    _ batch: (number: Int64, identity: [UInt8]), _ connection: PQConnection
  ) {
    (self.address, self.bench, self.lease) = (address, bench, lease)
    (self.batch, identity) = batch
    state = Mutex(State(connection: connection))
  }

  /// A connection to a database whose tables are of this version.
  static func connect(_ address: PoolAddress) throws(PoolError) -> PQConnection {
    let connection = try open(address)
    let version = try connection.query("SELECT max(version) FROM nfcprog.version").first?.number(0)
    guard version == Int64(PoolSchema.version) else { throw .otherVersion(Int(version ?? 0)) }
    // Whatever is asked is found by an index, and by the one that leads to the row: statistics of
    // before a batch was loaded say that it has none, so that any index will do, and a million rows
    // are read for each claim. Nothing here is worth being compiled first.
    try connection.run(
      """
      SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
      SET enable_hashjoin = off; SET enable_mergejoin = off;
      SET plan_cache_mode = force_generic_plan
      """)
    return connection
  }

  private static func open(_ address: PoolAddress) throws(PoolError) -> PQConnection {
    let connection = try PQConnection(address)
    try connection.prepareSession()
    return connection
  }

  /// Makes the tables, as the owner of the database, and gives these users their rights. Benches
  /// may work meanwhile.
  package static func prepare(
    _ address: PoolAddress, benches: [String] = [], viewers: [String] = [], hubs: [String] = []
  ) throws(PoolError) {
    // SQL_ASCII converts nothing: UTF-8 comes back as it was. An older pool may have it.
    let connection = try open(address)
    let encoding = try connection.query("SHOW server_encoding").first?[0] ?? ""
    guard ["UTF8", "SQL_ASCII"].contains(encoding) else { throw .otherEncoding(encoding) }
    try connection.checkSchema()
    for user in benches + viewers + hubs { try connection.checkUser(user) }
    let grants =
      benches.map(PoolSchema.grants(toBench:)) + viewers.map(PoolSchema.grants(toViewer:))
      + hubs.map(PoolSchema.grants(toHub:))
    var attempts = 0
    while true {
      do throws(PoolError) {
        return try prepare(open(address), grants.joined(separator: "\n"))
      } catch {
        attempts += 1
        guard error == .busy, attempts < 5 else { throw error }
      }
    }
  }

  /// In one transaction, which ends with the connection where something fails.
  private static func prepare(
    _ connection: PQConnection, _ grants: String
  ) throws(PoolError) {
    try connection.bePatient(true)
    // `IF NOT EXISTS` alone fails where two make the same at the same moment.
    try connection.run("BEGIN; SELECT pg_advisory_xact_lock(\(0x4E46_434A)); \(PoolSchema.frame)")
    let earlier = try connection.query("SELECT coalesce(max(version), 0) FROM nfcprog.version")
    let version = Int(earlier.first?.number(0) ?? 0)
    guard [0, PoolSchema.version].contains(version) else { throw .otherVersion(version) }
    if version == 0 { try connection.run(PoolSchema.tables) }
    try connection.run(grants + "\nCOMMIT;")
  }

  /// Where the search for jobs goes on.
  func place(for type: String) -> Int { state.withLock { $0.places[type] ?? 0 } }
  func note(_ job: Int, for type: String) { state.withLock { $0.places[type] = job } }

  /// Jobs behind this one are not claimed: the bench does not know their rows.
  package var lastJob: Int {
    get { state.withLock { $0.last } }
    set { state.withLock { $0.last = newValue } }
  }

  /// How many connections there were. Behind each new one may be a database that was restored from
  /// an older backup.
  package var connections: Int { opened.load(ordering: .relaxed) }

  /// Works with the connection; makes a new one where the last was lost. What the database undid
  /// because of somebody else (a deadlock, or two transactions that cannot be put in an order) is
  /// done again, twice at most. `count`: nothing is done, and `renewed` thrown, where there were
  /// more connections than so many.
  func with<Value>(
    heardOn count: Int? = nil, _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    try state.withLock { (state) throws(PoolError) -> Value in
      var attempts = 0
      while true {
        let connection = try usable(&state.connection)
        if let count, count != connections { throw .renewed }
        do throws(PoolError) {
          return try body(connection)
        } catch {
          attempts += 1
          if error == .busy, attempts < 3 { continue }
          if case .away = error { state.connection = nil }
          throw error
        }
      }
    }
  }

  /// Works with the connection in one transaction: all of it or nothing.
  func atOnce<Value>(
    heardOn count: Int? = nil, _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    try with(heardOn: count) { (connection) throws(PoolError) in
      try connection.run("BEGIN")
      do throws(PoolError) {
        let value = try body(connection)
        try connection.run("COMMIT")
        return value
      } catch {
        if connection.isOpen { try? connection.run("ROLLBACK") }
        throw error
      }
    }
  }

  /// Works with a connection of its own that only looks (`looker`). One that had stood for a while
  /// may have been lost without a word: it is asked once more on a new one.
  func looking<Value>(
    _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    try looker.withLock { (looker) throws(PoolError) -> Value in
      if let known = looker {
        do throws(PoolError) {
          return try body(known)
        } catch {
          guard case .away = error else { throw error }
          looker = nil
        }
      }
      let connection = try usable(&looker)
      do throws(PoolError) {
        return try body(connection)
      } catch {
        if case .away = error { looker = nil }
        throw error
      }
    }
  }

  private func usable(_ kept: inout PQConnection?) throws(PoolError) -> PQConnection {
    if let known = kept, known.isOpen { return known }
    kept = nil
    let connection = try Self.connect(address)
    opened.add(1, ordering: .relaxed)
    // A database that was restored from an older backup may have another batch of this number.
    let rows = try connection.query(
      "SELECT 1 FROM nfcprog.batch WHERE id = $1 AND identity = $2",
      [.number(batch), .bytes(identity)])
    guard !rows.isEmpty else { throw .lostBatch(address.batch) }
    kept = connection
    return connection
  }
}
