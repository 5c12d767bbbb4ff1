import Foundation
import LedgerPostgreSQL
import LedgerSQLite

/// What operators do with pools, outside of a run.
package enum PoolOperator {
  /// Makes the tables of a pool, and lets users work with it or look at it. May be done again.
  package static func prepare(
    _ pool: String, benches: [String], viewers: [String], hubs: [String] = []
  ) throws(JournalError) {
    let address = try PoolSeries.address(pool, needsBatch: false)
    try told("only the owner of the database may make tables in it and give rights") {
      () throws(PoolError) in
      try PoolStore.prepare(address, benches: benches, viewers: viewers, hubs: hubs)
    }
  }

  /// The batches of a pool.
  package static func batches(_ pool: String) throws(JournalError) -> [PoolBatch] {
    let address = try PoolSeries.address(pool, needsBatch: false)
    return try told { () throws(PoolError) in try PoolStore.batches(at: address) }
  }

  /// The benches of a batch.
  package static func benches(_ pool: String) throws(JournalError) -> [PoolBenchState] {
    let address = try PoolSeries.address(pool)
    return try told { () throws(PoolError) in
      try PoolStore(address, bench: "operator").benches()
    }
  }

  /// Gives the jobs of a bench that does not come back to others; how many. Nil: it is at work.
  package static func release(_ pool: String, bench: String) throws(JournalError) -> Int? {
    let address = try PoolSeries.address(pool)
    return try told("only the owner of the tables and a bench's user may give jobs to others") {
      () throws(PoolError) in
      try PoolStore(address, bench: "operator").release(bench: bench, at: Date().milliseconds)
    }
  }

  /// Closes a batch: benches claim no more of its jobs. Once more is no mistake.
  package static func close(_ pool: String) throws(JournalError) {
    let address = try PoolSeries.address(pool)
    try told("only the owner of the tables and a hub's user may close a batch") {
      () throws(PoolError) in
      let viewer = try PoolViewer(address)
      try viewer.close(viewer.batch(address.batch))
    }
  }

  /// `right`: who may do it, for a user who may not.
  private static func told<Value>(
    _ right: String? = nil, _ body: () throws(PoolError) -> Value
  ) throws(JournalError) -> Value {
    do throws(PoolError) { return try body() } catch {
      guard case .notAllowed = error, let right else { throw JournalError(error) }
      throw JournalError(PoolError.notAllowed(right))
    }
  }
}
