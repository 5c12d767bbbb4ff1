import Bytes
import Ledger

/// A run, and what tells whether it goes on.
struct SeenRun: Hashable {
  var run: SeriesRun
  /// Is true if stations show something of it.
  var isShown = false
  /// Is true if its bench is there, as far as the database can tell.
  var isThere = false
  private(set) var goesOn = false

  init(_ run: SeriesRun, isShown: Bool, isThere: Bool) {
    (self.run, self.isShown, self.isThere) = (run, isShown, isThere)
  }
}

extension PoolViewer {
  /// The runs of a batch's benches, the newest first; those that go on before all others. A bench
  /// that has said nothing for as long as its lease is silent; not so in the first 45 seconds of a
  /// database, in which benches come back.
  package func runs(of batch: PoolBatch, limit: Int) throws(PoolError) -> [SeriesRun] {
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
    return SeenRun.decided(
      rows.map { row in
        SeenRun(
          SeriesRun(
            bench: row[1] ?? "", operatorName: row[2] ?? "", began: row.number(3) ?? 0,
            ended: row.number(4), silentSince: row.number(5), id: Hex.string(row.bytes(0) ?? [])),
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

extension SeenRun {
  /// Which runs go on: of each bench one at most. The clock of a bench may have been set back, so
  /// of two without an end the one whose stations show something goes on, else the later one.
  static func decided(_ seen: [SeenRun]) -> [SeriesRun] {
    var last: [String: SeenRun] = [:]
    for each in seen where each.run.ended == nil {
      if let known = last[each.run.bench], !(known.rank < each.rank) { continue }
      last[each.run.bench] = each
    }
    return seen.map { each in
      var each = each
      guard each.run.ended == nil, let later = last[each.run.bench]?.run else {
        each.run.silentSince = nil
        return each
      }
      let run = each.run
      let followed = seen.first {
        $0.run.ended != nil && $0.run.bench == run.bench && $0.run.began > run.began
      }
      if run.id != later.id {
        (each.run.ended, each.run.wasCutOff) = (max(run.began, later.began), true)
      } else if each.isThere {
        each.goesOn = true
      } else if let followed {
        (each.run.ended, each.run.wasCutOff) = (followed.run.began, true)
      }
      if each.run.ended != nil || each.isThere { each.run.silentSince = nil }
      return each
    }.sorted { ($0.goesOn ? 1 : 0, $0.run.began) > ($1.goesOn ? 1 : 0, $1.run.began) }
      .map(\.run)
  }

  private var rank: (Int, Int64) { (isShown ? 1 : 0, run.began) }
}
