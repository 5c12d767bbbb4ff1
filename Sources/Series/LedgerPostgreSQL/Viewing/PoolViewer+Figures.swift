import Ledger

extension PoolViewer {
  /// How many tags of a batch were good, failed or were left alone, up to the event with this
  /// number.
  package func figures(
    of batch: PoolBatch, upTo number: Int64
  ) throws(PoolError) -> Figures {
    let rows = try with { (connection) throws(PoolError) -> [PQRow] in
      try connection.query(
        Self.counted, [.number(batch.number), .number(number)])
    }
    var figures = Figures()
    for row in rows {
      guard let kind = EventKind(rawValue: row[0] ?? "") else { continue }
      // Of those that contradict a bench, only what sets a tag aside was asked for.
      let count = kind.count(row[1].flatMap(TagCause.init), setsAside: row.bytes(5) != nil)
      figures.add(
        count, row[1], tagType: row[2], example: row[4], times: Int(row.number(3) ?? 0),
        contradicting: row.bytes(5))
    }
    return figures
  }

  /// The database groups its events, by an index that has all that is asked for; how each group
  /// counts, the rule says.
  private static let counted = """
    SELECT found.kind, found.cause, found.tag, found.count, event.text, found.contradicted
    FROM (
      SELECT kind, cause, tag, count(*) AS count, min(id) AS first, NULL::bytea AS contradicted
      FROM nfcprog.event WHERE batch = $1 AND id <= $2
        AND kind IN ('written', 'returned', 'held', 'passed')
        AND (kind, coalesce(cause, '')) <> ('passed', 'conflict')
      GROUP BY kind, cause, tag
      UNION ALL
      SELECT kind, cause, tag, count(*), min(id), uid
      FROM nfcprog.event WHERE batch = $1 AND id <= $2 AND kind = 'passed' AND cause = 'conflict'
        AND sets_aside
      GROUP BY kind, cause, tag, uid) AS found
    JOIN nfcprog.event ON event.id = found.first ORDER BY found.first
    """
}
