import Bytes
import Ledger

extension PoolStore {
  /// Says what stations of this bench show now, each once, in the run with the id `session`.
  package func show(_ stations: [ShownStation], session: [UInt8]) throws(PoolError) {
    guard !stations.isEmpty else { return }
    var values: [PQValue] = [.number(batch), .text(bench), .bytes(session)]
    let rows = stations.map { station in
      let first = values.count + 1
      values += [
        .text(station.name), .text(station.word), PQValue(station.bin), PQValue(station.text),
        station.job.map(PQValue.init) ?? .null, PQValue(station.uid), .number(station.since),
        PQValue(station.position),
      ]
      let own = (first...values.count).map { "$\($0)" }.joined(separator: ", ")
      return "($1, $2, $3, \(own))"
    }
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        """
        INSERT INTO nfcprog.station (batch, bench, session, name, word, bin, text, job, uid, since,
          position)
        VALUES \(rows.joined(separator: ", "))
        ON CONFLICT (batch, bench, name) DO UPDATE SET session = excluded.session,
          word = excluded.word, bin = excluded.bin, text = excluded.text, job = excluded.job,
          uid = excluded.uid, since = excluded.since, position = excluded.position
        """, values)
    }
  }
}

extension PoolViewer {
  /// Returns what the stations of a batch show, those that changed last first; `limit` at most.
  package func stations(of batch: PoolBatch, limit: Int) throws(PoolError) -> [NamedStation] {
    try with(isQuick: true) { (connection) throws(PoolError) -> [PQRow] in
      try connection.query(
        """
        SELECT station.bench, session, station.name, word, bin, text, station.job, station.uid,
          since, job.name, position
        FROM nfcprog.station LEFT JOIN nfcprog.job ON job.batch = station.batch
          AND job.number = station.job
        WHERE station.batch = $1 ORDER BY since DESC, station.bench, station.name LIMIT $2
        """, [.number(batch.number), PQValue(limit)])
    }.map { row in
      NamedStation(
        bench: row[0] ?? "", run: Hex.string(row.bytes(1) ?? []),
        shown: ShownStation(
          name: row[2] ?? "", word: row[3] ?? "", bin: row[4], text: row[5],
          job: row.number(6).map(Int.init), uid: row.bytes(7), since: row.number(8) ?? 0,
          position: row.number(10).map(Int.init) ?? 0),
        jobName: row[9])
    }
  }
}
