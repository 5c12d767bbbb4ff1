import Ledger

/// A batch beside others.
package struct PoolOverview: Hashable, Sendable {
  package let batch: PoolBatch
  package let tally: PoolTally
  /// How many benches are at work on it, as far as the database can tell.
  package let benches: Int
  /// The number of its newest event; 0: there is none.
  package let lastEvent: Int64
}

extension PoolViewer {
  /// The newest batches and where their jobs stand, the oldest first, `limit` at most; nil: all. A
  /// few questions, however many batches there are, and one for each that is worked on.
  package func overview(limit: Int? = nil) throws(PoolError) -> [PoolOverview] {
    let settled = try with { (connection) throws(PoolError) in try self.settled(connection) }
    let known = tallies.withLock { $0 }
    return try atOnce { (connection) throws(PoolError) in
      let batches = try PoolStore.batches(
        connection, "ORDER BY id DESC LIMIT $1", [limit.map { PQValue($0) } ?? .null]
      ).reversed()
      guard let first = batches.first else { return [] }
      let rows = try connection.query(Self.overviews, [.number(first.number)])
      let byNumber = Dictionary(rows.map { ($0.number(0) ?? 0, $0) }) { first, _ in first }
      var types: [Int64: [String: Int]] = [:]
      var uncounted: [Int64] = []
      for batch in batches {
        let last = byNumber[batch.number]?.number(1) ?? 0
        guard let count = known[batch.number], count.event <= settled,
          let change = try last > count.event
            ? change(after: count.event, upTo: .max, batch, connection) : [:]
        else {
          uncounted.append(batch.number)
          continue
        }
        types[batch.number] = count.types.adding(change)
      }
      try types.merge(finished(uncounted, connection)) { $1 }
      return batches.map { batch in
        let (row, count) = (byNumber[batch.number], types[batch.number] ?? [:])
        let last = row?.number(1) ?? 0
        if last <= settled {
          tallies.withLock {
            $0[batch.number] = WrittenCount(event: settled, types: count)
          }
        }
        var tally = PoolTally()
        (tally.jobs, tally.closed, tally.types) = (batch.jobs, batch.closed, count)
        tally.take(row, behind: 2)
        return PoolOverview(
          batch: batch, tally: tally, benches: (row?.number(6) ?? 0).asStoredCount,
          lastEvent: last)
      }
    }
  }

  private static let overviews = """
    SELECT id, coalesce((SELECT max(event.id) FROM nfcprog.event WHERE event.batch = batch.id), 0),
      \(PoolTally.columns),
      (SELECT count(*) FROM nfcprog.bench WHERE bench.batch = batch.id
        AND alive_until > clock_timestamp())
    FROM nfcprog.batch WHERE id >= $1
    """
}
