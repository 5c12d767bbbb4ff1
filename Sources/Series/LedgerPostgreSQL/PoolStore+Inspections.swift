import Ledger

/// Inspections: one that is reported twice is kept once, with the first result that it has.
extension PoolStore {
  package func tell(_ inspection: PoolInspection) throws(PoolError) {
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        """
        INSERT INTO nfcprog.inspection (uuid, batch, job, uid, reason, result, session, station,
          reader, cause, text, inspected_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (uuid) DO UPDATE SET uid = excluded.uid, result = excluded.result,
          session = excluded.session, station = excluded.station, reader = excluded.reader,
          cause = excluded.cause, text = excluded.text, inspected_at = excluded.inspected_at
        WHERE inspection.result IS NULL
        """,
        [
          .bytes(inspection.id), .number(batch), PQValue(inspection.job), .bytes(inspection.tag),
          .text(inspection.reason), PQValue(inspection.result), PQValue(inspection.session),
          PQValue(inspection.station), PQValue(inspection.reader), PQValue(inspection.cause),
          PQValue(inspection.text), inspection.inspected.map(PQValue.number) ?? .null,
        ])
    }
  }

  /// The inspection is not wanted any more.
  package func drop(inspection id: [UInt8]) throws(PoolError) {
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        "UPDATE nfcprog.inspection SET result = 'void' WHERE uuid = $1", [.bytes(id)])
    }
  }
}

extension PoolReading {
  package func inspections() throws(PoolError) -> [PoolInspection] {
    try connection.query(
      """
      SELECT uuid, job, uid, reason, result, session, station, reader, cause, text, inspected_at
      FROM nfcprog.inspection WHERE batch = $1 AND result IS DISTINCT FROM 'void' ORDER BY id
      """, [.number(batch.number)]
    ).map { row in
      var inspection = PoolInspection(
        id: row.bytes(0) ?? [], job: Int(row.number(1) ?? 0), tag: row.bytes(2) ?? [],
        reason: row[3] ?? "")
      (inspection.result, inspection.session) = (row[4], row.bytes(5))
      (inspection.station, inspection.reader) = (row[6], row[7])
      (inspection.cause, inspection.text) = (row[8], row[9])
      inspection.inspected = row.number(10)
      return inspection
    }
  }
}
