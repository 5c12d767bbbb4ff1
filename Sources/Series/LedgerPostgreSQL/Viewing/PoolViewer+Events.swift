import Bytes
import Ledger

extension PoolViewer {
  /// Returns what happened in a batch after the event with this number, in order, without a gap;
  /// `limit` at most.
  package func events(
    of batch: PoolBatch, after number: Int64, limit: Int
  ) throws(PoolError) -> [NamedEvent] {
    try with { (connection) throws(PoolError) -> [NamedEvent] in
      let settled = try settled(connection)
      return try connection.query(
        Self.events + """
           WHERE event.batch = $1 AND event.id > $2 AND event.id <= $3 ORDER BY event.id LIMIT $4
          """,
        [.number(batch.number), .number(number), .number(settled), PQValue(limit)]
      ).compactMap(Self.event)
    }
  }

  /// The newest events of a batch up to the one with this number, in order; `limit` at most.
  package func events(
    of batch: PoolBatch, upTo number: Int64, limit: Int
  ) throws(PoolError) -> [NamedEvent] {
    try events(
      "event.batch = $1 AND event.id <= $2 ORDER BY event.id DESC LIMIT $3",
      [.number(batch.number), .number(number), PQValue(limit)]
    ).reversed()
  }

  /// The number of the newest event of a batch up to which nothing is missing; 0: there is none.
  package func lastEvent(of batch: PoolBatch) throws(PoolError) -> Int64 {
    try with(isQuick: true) { (connection) throws(PoolError) -> Int64 in
      try connection.query(
        "SELECT max(id) FROM nfcprog.event WHERE batch = $1 AND id <= $2",
        [.number(batch.number), .number(try settled(connection))]
      ).first?.number(0) ?? 0
    }
  }

  /// The number of the newest event of all batches, though some before it may be missing; 0: there
  /// is none.
  package func newestNumber() throws(PoolError) -> Int64 {
    try with(isQuick: true) { (connection) throws(PoolError) -> Int64 in
      try connection.query("SELECT max(id) FROM nfcprog.event").first?.number(0) ?? 0
    }
  }

  /// Returns what happened to a tag, in all batches.
  package func history(ofTag uid: [UInt8], limit: Int) throws(PoolError) -> [NamedEvent] {
    try events("event.uid = $1 ORDER BY event.id LIMIT $2", [.bytes(uid), PQValue(limit)])
  }

  /// Returns what happened to a job.
  package func history(
    ofJob number: Int, in batch: PoolBatch, limit: Int
  ) throws(PoolError) -> [NamedEvent] {
    try events(
      "event.batch = $1 AND event.job = $2 ORDER BY event.id LIMIT $3",
      [.number(batch.number), PQValue(number), PQValue(limit)])
  }

  private func events(
    _ condition: String, _ values: [PQValue]
  ) throws(PoolError) -> [NamedEvent] {
    try with { (connection) throws(PoolError) -> [NamedEvent] in
      try connection.query("\(Self.events) WHERE \(condition)", values).compactMap(Self.event)
    }
  }

  /// Events with their batch's and their job's name.
  static let events = """
    SELECT batch.name, job.name, \(PoolViewer.milliseconds("event.told")), \(Event.columns())
    FROM nfcprog.event JOIN nfcprog.batch ON batch.id = event.batch
    LEFT JOIN nfcprog.job ON job.batch = event.batch AND job.number = event.job
    """

  private static func event(_ row: PQRow) -> NamedEvent? {
    guard let event = Event(row, behind: 3) else { return nil }
    return NamedEvent(
      event, batch: row[0] ?? "", bench: event.bench ?? "", jobName: row[1],
      run: event.run.map { Hex.string($0) }, told: row.number(2))
  }
}
