import Dispatch
import Synchronization

/// All batches of a pool, for those who look at them and take lists for them: no bench, and no part
/// of a batch's work.
///
/// A few connections are shared by all who ask; each call is one statement or a few, which look at
/// a bounded number of rows. A connection that was lost is made again.
package final class PoolViewer: Sendable {
  package let address: PoolAddress
  /// For what is answered at once, where the database answers at all.
  private let quick: PoolAddress
  /// Connections that nobody uses, by whether they are quick.
  private let idle = Mutex<[Bool: [PQConnection]]>([:])
  private let places = DispatchSemaphore(value: PoolViewer.connections)
  let horizon = Mutex(PoolHorizon())
  let tallies = Mutex<[Int64: WrittenCount]>([:])
  private static let connections = 4
  /// When a connection was looked for in vain, and why.
  private let absence = Mutex<(since: ContinuousClock.Instant, reason: PoolError)?>(nil)

  /// Throws where the database does not answer or has not this version's tables.
  package init(_ address: PoolAddress) throws(PoolError) {
    var quick = address
    quick.patience = .seconds(3)
    (self.address, self.quick) = (address, quick)
    _ = try with { (connection) throws(PoolError) in try connection.query("SELECT 1") }
  }

  /// Works with a connection. One that had stood for a while may have been lost without a word:
  /// what only looks is asked once more on a new one, unless that has been waited for already.
  /// `isQuick`: the answer takes no time, so that a database that stands still is noticed soon.
  func with<Value>(
    isQuick: Bool = false, _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    places.wait()
    defer { places.signal() }
    let address = isQuick ? quick : address
    if let known = idle.withLock({ $0[isQuick]?.popLast() }), known.isOpen {
      let start = ContinuousClock.now
      do throws(PoolError) {
        return try keep(known, isQuick, body)
      } catch {
        guard case .away = error else { throw error }
        // So have the others, most likely.
        idle.withLock { $0.removeAll() }
        if start.duration(to: .now) >= address.patience / 2 { throw error }
      }
    }
    return try keep(connect(to: address), isQuick, body)
  }

  /// A database that swallows everything takes seconds to be given up: who has waited for that in a
  /// row gets the answer of the one before.
  private func connect(to address: PoolAddress) throws(PoolError) -> PQConnection {
    if let absence = absence.withLock(\.self), absence.since + .seconds(1) > .now {
      throw absence.reason
    }
    do throws(PoolError) {
      return try PoolStore.connect(address)
    } catch {
      if case .away = error { absence.withLock { $0 = (.now, error) } }
      throw error
    }
  }

  private func keep<Value>(
    _ connection: PQConnection, _ isQuick: Bool,
    _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    do throws(PoolError) {
      let value = try body(connection)
      idle.withLock { $0[isQuick, default: []].append(connection) }
      return value
    } catch {
      // It may be in the middle of a transaction.
      if case .away = error { throw error }
      try? connection.run("ROLLBACK")
      if connection.isOpen { idle.withLock { $0[isQuick, default: []].append(connection) } }
      throw error
    }
  }

  /// What `body` asks is answered as of one moment.
  func atOnce<Value>(
    _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    try with { (connection) throws(PoolError) in
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let value = try body(connection)
      try connection.run("COMMIT")
      return value
    }
  }
}
