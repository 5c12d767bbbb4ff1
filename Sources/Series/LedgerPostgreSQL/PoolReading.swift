import Ledger

/// A batch as it is at one moment, read piece by piece: for reports, copies and audits.
package final class PoolReading {
  let connection: PQConnection
  package let batch: PoolBatch
  private static let piece = 5000

  package init(_ address: PoolAddress) throws(PoolError) {
    connection = try PoolStore.connect(address)
    try connection.bePatient(true)
    guard let batch = try PoolStore.batch(at: address) else { throw .noBatch(address.batch) }
    self.batch = batch
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  }

  /// A job and where it stands.
  package struct Job {
    package let row: PoolJob
    package let standing: JobStanding
    /// What the tag of a job that is not finished is to hold.
    package let draft: [UInt8]?
    /// What brought it where it stands; nil: nothing happened to it.
    package let event: Int64?
  }

  /// The runs of the benches.
  package func sessions() throws(PoolError) -> [(bench: String, run: BenchRun)] {
    try connection.query(
      """
      SELECT id, operator, command, version, host, begun_at, bench,
        CASE WHEN ended_at IS NOT NULL THEN ended_at
          WHEN EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = session.batch
            AND bench.name = session.bench AND alive_until > clock_timestamp()) THEN NULL
          ELSE begun_at END
      FROM nfcprog.session WHERE batch = $1 ORDER BY session.begun_at, id
      """, [.number(batch.number)]
    ).map { row in
      let run = BenchRun(
        id: row.bytes(0) ?? [], operatorName: row[1] ?? "", command: row[2] ?? "",
        version: row[3] ?? "", host: row[4] ?? "", begun: row.number(5) ?? 0, ended: row.number(7))
      return (row[6] ?? "", run)
    }
  }

  package func forEachJob<Failure: Error>(
    _ wrap: (PoolError) -> Failure, _ take: (Job) throws(Failure) -> Void
  ) throws(Failure) {
    let question = """
      SELECT \(PoolJob.rowColumns), \(JobStanding.columns()), message, (SELECT max(id) FROM nfcprog.event
          WHERE event.batch = job.batch AND event.job = job.number AND \(Self.isChange))
      FROM nfcprog.job WHERE batch = $1 AND number > $2 ORDER BY number LIMIT $3
      """
    try forEachRow(question, wrap) { (row) throws(Failure) in try take(Self.job(row)) }
  }

  /// Is true if an event may have changed its job: whoever writes to a pool may write anything
  /// there.
  private static let isChange = """
    (uid IS NOT NULL AND kind IN ('reserved', 'resumed', 'written', 'held', 'returned', 'released')
      OR kind IN ('refused', 'retried'))
    """

  private static func job(_ row: PQRow) -> Job {
    let start = PoolJob.rowWidth
    let end = start + JobStanding.width
    return Job(
      row: PoolJob(row), standing: JobStanding(row, behind: start), draft: row.bytes(end),
      event: row.number(end + 1))
  }

  package func forEachEvent<Failure: Error>(
    _ wrap: (PoolError) -> Failure, _ take: (Event) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachRow(PoolStore.laterEvents, wrap) { (row) throws(Failure) in
      if let event = Event(row) { try take(event) }
    }
  }

  /// Asks for rows of the batch behind a number, which stands in the first column, piece by piece.
  private func forEachRow<Failure: Error>(
    _ question: String, _ wrap: (PoolError) -> Failure, _ take: (PQRow) throws(Failure) -> Void
  ) throws(Failure) {
    var last: Int64 = 0
    while true {
      let rows: [PQRow]
      do throws(PoolError) {
        rows = try connection.query(
          question, [.number(batch.number), .number(last), PQValue(Self.piece)])
      } catch {
        throw wrap(error)
      }
      for row in rows { try take(row) }
      guard let end = rows.last?.number(0), rows.count == Self.piece else { return }
      last = end
    }
  }
}
