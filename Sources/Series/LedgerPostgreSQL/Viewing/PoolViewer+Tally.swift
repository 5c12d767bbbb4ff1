import Ledger

/// How many jobs of a batch were finished when the event `event` had happened, and no later one.
struct WrittenCount: Hashable, Sendable {
  var event: Int64
  var written: Int
}

/// Where the jobs of a batch stand.
package struct PoolTally: Hashable, Sendable {
  package var jobs = 0
  /// No tag holds them yet, and a bench has claimed them.
  package var claimed = 0
  /// A tag may hold them, not finished.
  package var reserved = 0
  package var written = 0
  package var failed = 0
  package var scrap = 0
  /// Milliseconds since 1970; nil: the batch is open.
  package var closed: Int64?

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
      let now = try change(after: settled, upTo: .max, batch, connection) ?? 0
      var tally = PoolTally()
      tally.jobs = (row?.number(0) ?? 0).asStoredCount
      tally.closed = row?.number(1)
      tally.take(row, behind: 2)
      tally.written = start.written + now
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
      WrittenCount(event: settled, written: known.written + $0)
    }
  }

  /// Counts all finished jobs; without what has happened after `settled`.
  private func count(
    until settled: Int64, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> WrittenCount {
    let row = try connection.query(
      "SELECT count(*) FROM nfcprog.job WHERE batch = $1 AND state = 'written'",
      [.number(batch.number)])
    let later = try change(after: settled, upTo: .max, batch, connection) ?? 0
    return WrittenCount(event: settled, written: Int(row.first?.number(0) ?? 0) - later)
  }

  /// By how much the number of finished jobs has changed by events. Nil: by too many to look at.
  func change(
    after start: Int64, upTo end: Int64, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> Int? {
    guard start < end else { return 0 }
    func isWritten(_ end: String) -> String {
      """
      coalesce((SELECT kind = 'written' FROM nfcprog.event WHERE event.batch = $1
        AND event.job = changed.job AND event.id <= \(end) AND kind <> 'passed'
        ORDER BY event.id DESC LIMIT 1), false)::int
      """
    }
    let row = try connection.query(
      """
      WITH news AS (
        SELECT job, kind FROM nfcprog.event WHERE batch = $1 AND id > $2 AND id <= $3
        ORDER BY id LIMIT $4),
      changed AS (SELECT DISTINCT job FROM news WHERE kind <> 'passed' AND job IS NOT NULL)
      SELECT coalesce(sum(\(isWritten("$3")) - \(isWritten("$2"))), 0),
        (SELECT count(*) FROM news)
      FROM changed
      """,
      [.number(batch.number), .number(start), .number(end), PQValue(Self.many)]
    ).first
    guard let row, row.number(1) ?? 0 < Int64(Self.many) else { return nil }
    return Int(row.number(0) ?? 0)
  }

  private static let many = 5000
}
