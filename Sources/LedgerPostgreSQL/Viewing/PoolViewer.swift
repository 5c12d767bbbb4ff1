import Dispatch
import Synchronization

/// All batches of a pool, for those who look at them and take lists for them: no bench, and no part
/// of a batch's work.
///
/// A few connections are shared by all who ask; each call is one statement or a few, which look at
/// a bounded number of rows. A connection that was lost is made again.
package final class PoolViewer: Sendable {
  package let address: PoolAddress
  private let idle = Mutex<[PQConnection]>([])
  private let places = DispatchSemaphore(value: PoolViewer.connections)
  let horizon = Mutex(PoolHorizon())
  let tallies = Mutex<[Int64: WrittenCount]>([:])
  private static let connections = 4

  /// Throws where the database does not answer or has not this version's tables.
  package init(_ address: PoolAddress) throws(PoolError) {
    self.address = address
    _ = try with { (connection) throws(PoolError) in try connection.query("SELECT 1") }
  }

  /// Works with a connection. One that had stood for a while may have been lost without a word:
  /// what only looks is asked once more on a new one.
  func with<Value>(
    _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    places.wait()
    defer { places.signal() }
    if let known = idle.withLock({ $0.popLast() }), known.isOpen {
      do throws(PoolError) {
        return try keep(known, body)
      } catch {
        guard case .away = error else { throw error }
        // So have the others, most likely.
        idle.withLock { $0.removeAll() }
      }
    }
    return try keep(PoolStore.connect(address), body)
  }

  private func keep<Value>(
    _ connection: PQConnection, _ body: (PQConnection) throws(PoolError) -> Value
  ) throws(PoolError) -> Value {
    do throws(PoolError) {
      let value = try body(connection)
      idle.withLock { $0.append(connection) }
      return value
    } catch {
      // It may be in the middle of a transaction.
      if case .away = error { throw error }
      try? connection.run("ROLLBACK")
      if connection.isOpen { idle.withLock { $0.append(connection) } }
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
