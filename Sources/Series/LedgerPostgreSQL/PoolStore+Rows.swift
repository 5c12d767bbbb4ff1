import Ledger

/// The rows of a batch as benches take them up: those that come while they work.
extension PoolStore {
  /// How many jobs the batch has now, and whether it is closed.
  package func size() throws(PoolError) -> (jobs: Int, isClosed: Bool) {
    let row = try with { (connection) throws(PoolError) in
      try connection.query(
        "SELECT jobs, closed_at IS NOT NULL FROM nfcprog.batch WHERE id = $1", [.number(batch)]
      ).first
    }
    guard let row else { throw .noBatch(address.batch) }
    return (Int(row.number(0) ?? 0), row.flag(1) ?? false)
  }

  /// The batch as the database has it now.
  package func known() throws(PoolError) -> PoolBatch {
    let found = try with { (connection) throws(PoolError) in
      try Self.batches(connection, "WHERE id = $1", [.number(batch)]).first
    }
    guard let found else { throw .noBatch(address.batch) }
    return found
  }

  /// Hands on the jobs behind the one with this number and up to `end`, in order, in portions.
  package func forEachPortion<Failure: Error>(
    behind number: Int, upTo end: Int, _ wrap: (PoolError) -> Failure,
    _ take: ([PoolJob]) throws(Failure) -> Void
  ) throws(Failure) {
    var last = number
    while last < end {
      let jobs: [PoolJob]
      do throws(PoolError) {
        jobs = try self.jobs(behind: last, limit: min(Self.portion, end - last))
        guard let number = jobs.last?.number else { throw .failed("job \(last + 1) is missing") }
        last = number
      } catch {
        throw wrap(error)
      }
      try take(jobs)
    }
  }

  /// Whoever takes them up holds nobody else up for longer than so many take.
  private static let portion = 2000

  private func jobs(behind number: Int, limit: Int) throws(PoolError) -> [PoolJob] {
    try with { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT \(PoolJob.rowColumns) FROM nfcprog.job WHERE batch = $1 AND number > $2
        ORDER BY number LIMIT $3
        """, [.number(batch), PQValue(number), PQValue(limit)]
      ).map(PoolJob.init)
    }
  }
}

extension PoolJob {
  /// What a job is read from, in the order in which `init` takes them.
  static let rowColumns =
    "number, name, wanted_tag, row_digest, line, place, records, columns, locks, has_password"
  static let rowWidth = 10

  init(_ row: PQRow) {
    self.init(
      number: Int(row.number(0) ?? 0), name: row[1] ?? "", wantedTag: row[2],
      digest: row.bytes(3) ?? [])
    place = (Int(row.number(4) ?? 0), UInt64(clamping: row.number(5) ?? 0))
    texts = (row[6] ?? "[]", row[7] ?? "[]")
    (locks, hasPassword) = (row.flag(8) ?? false, row.flag(9) ?? false)
  }
}
