import Ledger

/// A bench, as the pool knows it.
package struct PoolBenchState: Hashable, Sendable {
  package let name: String
  package let host: String
  /// Is true if it has said within its lease that it works.
  package let isAlive: Bool
  /// Jobs that it has claimed and not bound, bound and not finished, and finished.
  package let claimed: Int
  package let bound: Int
  package let written: Int
}

/// What operators ask and do.
extension PoolStore {
  /// The benches of the batch, by name. All jobs are counted: a million take a second or two.
  package func benches() throws(PoolError) -> [PoolBenchState] {
    try with { (connection) throws(PoolError) in
      try connection.bePatient(true)
      defer { try? connection.bePatient(false) }
      return try connection.query(
        """
        SELECT bench.name, host, alive_until > clock_timestamp(), claimed, bound, written
        FROM nfcprog.bench LEFT JOIN (
          SELECT bench, count(*) FILTER (WHERE state = 'claimed') AS claimed,
            count(*) FILTER (WHERE state IN ('bound', 'held')) AS bound,
            count(*) FILTER (WHERE state = 'written') AS written
          FROM nfcprog.job WHERE batch = $1 AND bench IS NOT NULL GROUP BY bench
        ) AS jobs ON jobs.bench = bench.name
        WHERE bench.batch = $1
        """, [.number(batch)]
      ).map { row in
        PoolBenchState(
          name: row[0] ?? "", host: row[1] ?? "", isAlive: row.flag(2) ?? false,
          claimed: Int(row.number(3) ?? 0), bound: Int(row.number(4) ?? 0),
          written: Int(row.number(5) ?? 0))
      }.sorted { $0.name < $1.name }
    }
  }

  /// Gives the jobs of a bench that does not come back to others, on the operator's word that the
  /// tags which it may have begun are not used: those that the pool knows of are set aside. Returns
  /// how many jobs wait again; nil: the bench is at work. All of it or nothing: a bench that begins
  /// meanwhile waits for its end. Throws `noBench` where there is none of that name.
  package func release(bench other: String, at moment: Int64) throws(PoolError) -> Int? {
    try atOnce { (connection) throws(PoolError) in
      let known = try connection.query(
        """
        SELECT alive_until > clock_timestamp() FROM nfcprog.bench WHERE batch = $1 AND name = $2
        FOR UPDATE
        """, [.number(batch), .text(other)])
      guard let isAlive = known.first?.flag(0) else { throw .noBench(other) }
      guard !isAlive else { return nil }
      return try releaseBegun(connection, other, moment) + releaseClaimed(connection, other)
    }
  }

  /// How many jobs that the bench had bound to tags wait again.
  private func releaseBegun(
    _ connection: PQConnection, _ other: String, _ moment: Int64
  ) throws(PoolError) -> Int {
    let begun = try connection.query(
      """
      SELECT number, uid FROM nfcprog.job WHERE batch = $1 AND bench = $2
        AND state IN ('bound', 'held')
      """, [.number(batch), .text(other)])
    var count = 0
    for row in begun.sorted(by: { ($0.number(0) ?? 0) < ($1.number(0) ?? 0) }) {
      let job = Int(row.number(0) ?? 0)
      let event = Event(
        .released(job: job, tag: row.bytes(1) ?? []), cause: "released",
        text: "Its job was given to another tag on the operator's word.", started: moment)
      let answer = try perform(
        connection, [.release(whoeverWorks: false)], job, EventID(), event, nil)
      if case .changed = answer.decision { count += 1 }
    }
    return count
  }

  /// How many jobs that the bench had claimed wait again.
  private func releaseClaimed(
    _ connection: PQConnection, _ other: String
  ) throws(PoolError) -> Int {
    try connection.query(
      """
      UPDATE nfcprog.job SET state = 'pending', bench = NULL, lease_until = NULL,
        epoch = epoch + 1
      WHERE batch = $1 AND bench = $2 AND state = 'claimed' RETURNING number
      """, [.number(batch), .text(other)]
    ).count
  }

  /// Lets jobs wait again that no message could be made of; returns how many. So many of them at
  /// once, each time with one statement, that neither the benches wait nor the database gives up;
  /// what another bench lets wait at this moment is passed by.
  package func retryFailed(session: [UInt8]?, at moment: Int64) throws(PoolError) -> Int {
    let piece = 500
    var (count, last) = (0, Int64(0))
    while true {
      let rows = try with { (connection) throws(PoolError) in
        try connection.query(
          Self.retrial,
          [
            .number(batch), .number(last), PQValue(piece), .text(bench), PQValue(session),
            .number(moment.asStoredTime),
          ])
      }
      count += rows.count
      guard rows.count == piece, let end = rows.compactMap({ $0.number(0) }).max() else {
        return count
      }
      last = end
    }
  }

  /// `JobStanding.decide` says the same of one job.
  private static let retrial = """
    WITH failed AS (
      SELECT batch, number FROM nfcprog.job WHERE batch = $1 AND state = 'failed' AND number > $2
        AND epoch < 4611686018427387904
      ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED),
    changed AS (
      UPDATE nfcprog.job SET state = 'pending', epoch = epoch + 1, recalled = NULL
      FROM failed WHERE (job.batch, job.number) = (failed.batch, failed.number)
      RETURNING job.number, job.epoch),
    told AS (
      INSERT INTO nfcprog.event (batch, job, epoch, uuid, bench, kind, started_at, duration,
        session)
      SELECT $1, number, epoch, uuid_send(gen_random_uuid()), $4, 'retried', $6, 0, $5
      FROM changed ORDER BY number)
    SELECT number FROM changed
    """
}
