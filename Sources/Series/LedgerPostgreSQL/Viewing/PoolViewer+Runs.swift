/// A run of a bench.
package struct PoolRun: Hashable, Sendable {
  package let id: [UInt8]
  package let bench: String
  package let operatorName: String
  /// Milliseconds since 1970, by the bench's clock.
  package let begun: Int64
  /// Nil: it goes on, as far as is known.
  package internal(set) var ended: Int64?
  /// Whether it has ended without saying so: its bench has begun another.
  package internal(set) var wasCutOff = false
  /// Since when its bench is no longer known to be there, by the database's clock.
  package internal(set) var silentSince: Int64?
  /// Whether stations show something of it.
  var isShown = false
  /// Whether its bench is there, as far as the database can tell.
  var isThere = false
  private(set) var goesOn = false
}

extension PoolViewer {
  /// The runs of a batch's benches, the newest first; those that go on before all others. A bench
  /// that has said nothing for as long as its lease is silent; not so in the first 45 seconds of a
  /// database, in which benches come back.
  package func runs(of batch: PoolBatch, limit: Int) throws(PoolError) -> [PoolRun] {
    let rows = try with(isQuick: true) { (connection) throws(PoolError) -> [PQRow] in
      try connection.query(
        """
        SELECT session.id, session.bench, operator, begun_at, ended_at,
          \(Self.milliseconds("alive_until")),
          coalesce(alive_until > clock_timestamp(), false)
            OR clock_timestamp() < pg_postmaster_start_time() + interval '45 s',
          EXISTS (SELECT 1 FROM nfcprog.station WHERE station.batch = session.batch
            AND station.bench = session.bench AND station.session = session.id)
        FROM nfcprog.session LEFT JOIN nfcprog.bench ON bench.batch = session.batch
          AND bench.name = session.bench
        WHERE session.batch = $1 ORDER BY ended_at IS NULL DESC, begun_at DESC LIMIT $2
        """, [.number(batch.number), PQValue(limit)])
    }
    return PoolRun.decided(
      rows.map { row in
        PoolRun(
          id: row.bytes(0) ?? [], bench: row[1] ?? "", operatorName: row[2] ?? "",
          begun: row.number(3) ?? 0, ended: row.number(4), silentSince: row.number(5),
          isShown: row.flag(7) ?? false, isThere: row.flag(6) ?? false)
      })
  }

  /// The time now by the database's clock. Milliseconds since 1970.
  package func now() throws(PoolError) -> Int64 {
    try with(isQuick: true) { (connection) throws(PoolError) -> Int64 in
      try connection.query("SELECT \(Self.milliseconds("clock_timestamp()"))").first?.number(0) ?? 0
    }
  }

  /// A time in milliseconds since 1970: whoever writes to a pool may write anything there.
  static func milliseconds(_ time: String) -> String {
    "(extract(epoch FROM least(greatest(\(time), 'epoch'), '9999-12-31Z')) * 1000)::bigint"
  }
}

extension PoolRun {
  /// Which runs go on: of each bench one at most. The clock of a bench may have been set back, so
  /// of two without an end the one whose stations show something goes on, else the later one.
  static func decided(_ runs: [PoolRun]) -> [PoolRun] {
    var last: [String: PoolRun] = [:]
    for run in runs where run.ended == nil {
      if let known = last[run.bench], !(known.rank < run.rank) { continue }
      last[run.bench] = run
    }
    return runs.map { run in
      var run = run
      guard run.ended == nil, let later = last[run.bench] else {
        run.silentSince = nil
        return run
      }
      let followed = runs.first {
        $0.ended != nil && $0.bench == run.bench && $0.begun > run.begun
      }
      if run.id != later.id {
        (run.ended, run.wasCutOff) = (max(run.begun, later.begun), true)
      } else if run.isThere {
        run.goesOn = true
      } else if let followed {
        (run.ended, run.wasCutOff) = (followed.begun, true)
      }
      if run.ended != nil || run.isThere { run.silentSince = nil }
      return run
    }.sorted { ($0.goesOn ? 1 : 0, $0.begun) > ($1.goesOn ? 1 : 0, $1.begun) }
  }

  private var rank: (Int, Int64) { (isShown ? 1 : 0, begun) }
}
