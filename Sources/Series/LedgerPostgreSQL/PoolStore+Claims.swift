import Ledger

extension PoolStore {
  /// Claims up to `count` jobs for tags of a type, in the order of the list. Other benches' claims
  /// at the same moment are passed by and not waited for. `tagType`: nil takes jobs for any type
  /// only.
  ///
  /// The search goes on behind the last job that this bench got: what lies before it was given out,
  /// and the index keeps the places of a million such jobs until it is cleaned. Jobs that came back
  /// are found when the end was reached.
  package func claim(_ count: Int, for tagType: String?) throws(PoolError) -> [PoolClaim] {
    let type = tagType ?? ""
    let start = place(for: type)
    var claims = try claim(count, type, behind: start)
    if claims.count < count, start > 0 {
      claims += try claim(count - claims.count, type, behind: 0)
    }
    note(claims.last?.job ?? 0, for: type)
    return claims.sorted { $0.job < $1.job }
  }

  private func claim(_ count: Int, _ type: String, behind number: Int) throws(PoolError)
    -> [PoolClaim]
  {
    let question = Self.picking(limit: "$3", batch: "$1", type: "$4", behind: "$5", last: "$6")
    return try take(
      "WITH picked AS (\(question))",
      [
        .number(batch), .text(bench), PQValue(count), .text(type), PQValue(number),
        PQValue(lastJob),
      ], bench: 2, lease: 7)
  }

  /// Claims one job by its number, as a scanned code asks for; nil: it does not wait.
  package func claim(job: Int) throws(PoolError) -> PoolClaim? {
    let waiting = """
      SELECT batch, number FROM nfcprog.job
      WHERE batch = $1 AND state = 'pending' AND number = $2 AND \(Self.isOpen("$1"))
      """
    var claim: PoolClaim?
    try Self.untilUnlocked { () throws(PoolError) in
      claim = try take(
        "WITH picked AS (\(waiting) FOR UPDATE SKIP LOCKED)",
        [.number(batch), PQValue(job), .text(bench)], bench: 3, lease: 4
      ).first
      guard claim == nil else { return true }
      return try with { (connection) throws(PoolError) in
        try connection.query(waiting, [.number(batch), PQValue(job)]).isEmpty
      }
    }
    return claim
  }

  /// The question for the jobs that wait longest: those for any tag and those for this type are
  /// each a walk along the index, however many jobs there are.
  static func picking(
    limit: String, batch: String, type: String, behind: String,
    last: String = "9223372036854775807"
  ) -> String {
    func part(_ type: String) -> String {
      """
      SELECT batch, number FROM nfcprog.job WHERE batch = \(batch) AND state = 'pending'
        AND coalesce(wanted_tag, '') = \(type) AND number > \(behind)
        AND number <= \(last) AND \(isOpen(batch))
      ORDER BY number LIMIT \(limit) FOR UPDATE SKIP LOCKED
      """
    }
    return """
      WITH any_type AS (\(part("''"))), its_type AS (\(part(type)))
      SELECT batch, number FROM any_type UNION SELECT batch, number FROM its_type
      ORDER BY number LIMIT \(limit)
      """
  }

  /// Of a batch that is closed no job is claimed.
  private static func isOpen(_ batch: String) -> String {
    "(SELECT closed_at IS NULL FROM nfcprog.batch WHERE id = \(batch))"
  }

  /// Both parts of the key are taken from `picked`: the plan begins with those few jobs then.
  /// `bench`, `lease`: the numbers of their parameters.
  private func take(
    _ picked: String, _ values: [PQValue], bench: Int, lease: Int
  ) throws(PoolError) -> [PoolClaim] {
    let sql = """
      \(picked)
      UPDATE nfcprog.job SET state = 'claimed', bench = $\(bench), epoch = epoch + 1,
        lease_until = clock_timestamp() + $\(lease)::bigint * interval '1 ms'
      FROM picked WHERE (job.batch, job.number) = (picked.batch, picked.number)
      RETURNING job.number, job.epoch
      """
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(sql, values + [.number(milliseconds)])
    }
    return rows.compactMap { row in
      guard let job = row.number(0), let epoch = row.number(1) else { return nil }
      return PoolClaim(job: Int(job), epoch: epoch)
    }.sorted { $0.job < $1.job }
  }

  /// Frees what leases have run out of, by the database's clock. What is bound to a tag, and what
  /// was entrusted to a bench, has no lease. Returns how many jobs wait again.
  package func expire() throws(PoolError) -> Int {
    try with { (connection) throws(PoolError) in
      try connection.query(
        """
        WITH over AS (
          SELECT batch, number FROM nfcprog.job WHERE batch = $1 AND state = 'claimed'
            AND lease_until < clock_timestamp()
          ORDER BY number LIMIT 1000 FOR UPDATE SKIP LOCKED)
        UPDATE nfcprog.job SET state = 'pending', bench = NULL, epoch = epoch + 1,
          lease_until = NULL
        FROM over WHERE (job.batch, job.number) = (over.batch, over.number)
        RETURNING job.number
        """, [.number(batch)]
      ).count
    }
  }

  /// The bench is at work: others leave alone what it has in hand, for as long as a lease.
  package func sayAlive(host: String) throws(PoolError) {
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        """
        INSERT INTO nfcprog.bench (batch, name, host, alive_until)
        VALUES ($1, $2, $3, clock_timestamp() + $4::bigint * interval '1 ms')
        ON CONFLICT (batch, name) DO UPDATE SET host = excluded.host,
          alive_until = excluded.alive_until
        """, [.number(batch), .text(bench), .text(host), .number(milliseconds)])
    }
  }

  /// The bench has ended its work: what it may still have in hand is not waited for.
  package func sayGone() throws(PoolError) {
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        """
        UPDATE nfcprog.bench SET alive_until = clock_timestamp() WHERE batch = $1 AND name = $2
        """, [.number(batch), .text(bench)])
    }
  }

  var milliseconds: Int64 { Int64(lease / .milliseconds(1)) }
}
