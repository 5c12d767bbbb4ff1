import Ledger

/// The finished tags of a batch, counted by type, after the event `event` and before the next one.
struct WrittenCount: Hashable, Sendable {
  var event: Int64
  var types: [String: Int]
}

/// Where the jobs of a batch stand.
package struct PoolTally: Hashable, Sendable {
  package var jobs = 0
  /// No tag holds them yet, and a bench has claimed them.
  package var claimed = 0
  /// A tag may hold them, not finished.
  package var reserved = 0
  /// The finished ones, by the type of the tag, as `sim:` calls it; empty: it was not told.
  package var types: [String: Int] = [:]
  package var failed = 0
  package var scrap = 0
  /// Milliseconds since 1970; nil: the batch is open.
  package var closed: Int64?

  package var written: Int { types.values.reduce(0, +) }
  package var pending: Int { max(0, jobs - reserved - written - failed) }
}

extension PoolTally {
  /// In a statement of batches: what is counted anew for each look, as it is little.
  static let columns = """
    (SELECT count(*) FROM nfcprog.job WHERE job.batch = batch.id AND state = 'claimed'),
      (SELECT count(*) FROM nfcprog.job WHERE job.batch = batch.id
        AND state IN \(ListedJob.State.reserved.words)),
      (SELECT count(*) FROM nfcprog.job WHERE job.batch = batch.id AND state = 'failed'),
      (SELECT count(DISTINCT uid) FROM nfcprog.event WHERE event.batch = batch.id AND sets_aside)
    """

  /// `start`: how many columns stand before those of `columns`.
  mutating func take(_ row: PQRow?, behind start: Int) {
    func count(_ column: Int) -> Int { (row?.number(start + column) ?? 0).asStoredCount }
    (claimed, reserved, failed, scrap) = (count(0), count(1), count(2), count(3))
  }
}

extension PoolViewer {
  /// How many jobs of a batch stand where.
  ///
  /// Finished jobs are counted once, and by their events from then on: a batch of a million jobs is
  /// not gone through for each look. What benches have in hand are few.
  package func tally(of batch: PoolBatch) throws(PoolError) -> PoolTally {
    let known = tallies.withLock { $0[batch.number] }
    let settled = try with { (connection) throws(PoolError) -> Int64 in
      try self.settled(connection)
    }
    let (tally, count) = try atOnce {
      (connection) throws(PoolError) -> (PoolTally, WrittenCount) in
      let row = try connection.query(Self.counts, [.number(batch.number)]).first
      var count = known
      if let known, known.event <= settled {
        count = try advance(known, to: settled, batch, connection)
      } else {
        count = nil
      }
      let start: WrittenCount
      if let count {
        start = count
      } else {
        start = try self.count(until: settled, batch, connection)
      }
      let now = try change(after: settled, upTo: .max, batch, connection) ?? [:]
      var tally = PoolTally()
      tally.jobs = (row?.number(0) ?? 0).asStoredCount
      tally.closed = row?.number(1)
      tally.take(row, behind: 2)
      tally.types = start.types.adding(now)
      return (tally, start)
    }
    tallies.withLock { $0[batch.number] = count }
    return tally
  }

  static let counts = """
    SELECT jobs, closed_at,
      \(PoolTally.columns) FROM nfcprog.batch WHERE id = $1
    """

  /// Nil where so much has happened since that counting is quicker.
  private func advance(
    _ known: WrittenCount, to settled: Int64, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> WrittenCount? {
    try change(after: known.event, upTo: settled, batch, connection).map {
      WrittenCount(event: settled, types: known.types.adding($0))
    }
  }

  /// Counts all finished jobs; without what has happened after `settled`.
  private func count(
    until settled: Int64, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> WrittenCount {
    let now = try finished([batch.number], connection)[batch.number] ?? [:]
    let later = try change(after: settled, upTo: .max, batch, connection) ?? [:]
    return WrittenCount(event: settled, types: now.adding(later.mapValues { -$0 }))
  }

  /// Counts the finished tags of these batches by type.
  func finished(
    _ batches: [Int64], _ connection: PQConnection
  ) throws(PoolError) -> [Int64: [String: Int]] {
    guard !batches.isEmpty else { return [:] }
    var found: [Int64: [String: Int]] = [:]
    let rows = try connection.query(
      """
      SELECT batch, coalesce(tag, ''), count(*) FROM nfcprog.job
      WHERE batch = ANY ($1::bigint[]) AND state = 'written' GROUP BY 1, 2
      """, [.text("{" + batches.map(String.init).joined(separator: ",") + "}")])
    for row in rows {
      found[row.number(0) ?? 0, default: [:]][row[1] ?? ""] = (row.number(2) ?? 0).asStoredCount
    }
    return found
  }

  /// By how much the numbers of finished tags have changed by events. Nil: by too many to look at.
  func change(
    after start: Int64, upTo end: Int64, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> [String: Int]? {
    guard start < end else { return [:] }
    func type(_ end: String) -> String {
      """
      (SELECT CASE WHEN kind = 'written' THEN coalesce(tag, '') END FROM nfcprog.event
        WHERE event.batch = $1 AND event.job = changed.job AND event.id <= \(end)
          AND kind <> 'passed' ORDER BY event.id DESC LIMIT 1)
      """
    }
    let rows = try connection.query(
      """
      WITH news AS (
        SELECT job, kind FROM nfcprog.event WHERE batch = $1 AND id > $2 AND id <= $3
        ORDER BY id LIMIT $4),
      changed AS (SELECT DISTINCT job FROM news WHERE kind <> 'passed' AND job IS NOT NULL)
      SELECT NULL AS type, count(*) FROM news
      UNION ALL SELECT type, sum(number) FROM (
        SELECT \(type("$3")) AS type, 1 AS number FROM changed
        UNION ALL SELECT \(type("$2")), -1 FROM changed) AS said
      WHERE type IS NOT NULL GROUP BY type
      """,
      [.number(batch.number), .number(start), .number(end), PQValue(Self.many)])
    var (events, types): (Int64, [String: Int]) = (0, [:])
    for row in rows {
      let number = row.number(1) ?? 0
      if let type = row[0] { types[type] = Int(number) } else { events = number }
    }
    return events < Int64(Self.many) ? types : nil
  }

  private static let many = 5000
}
