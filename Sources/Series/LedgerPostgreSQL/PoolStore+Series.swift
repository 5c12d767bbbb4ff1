import Ledger

/// What a pool is asked as a store of events.
extension PoolStore: SeriesStore {
  package func perform(
    _ commands: [LedgerCommand], on job: Int, as id: EventID, telling told: Event
  ) throws(PoolError) -> LedgerDecision {
    try with { (connection) throws(PoolError) in
      try perform(connection, commands, job, id, told, nil, isPart: false).decision
    }
  }

  package func standing(ofJob number: Int) throws(PoolError) -> JobStanding? {
    try with { (connection) throws(PoolError) in try look(connection, number)?.standing }
  }

  package func jobs(where condition: JobCondition) throws(PoolError) -> [Int] {
    let (sql, value): (String, [UInt8]?) =
      switch condition {
      case .onTag(let uid): ("uid = $2", uid)
      case .holding(let digest): ("message_digest = $2", digest)
      case .failed: ("state = 'failed'", nil)
      }
    return try looking { (connection) throws(PoolError) in
      try connection.query(
        "SELECT number FROM nfcprog.job WHERE batch = $1 AND \(sql) ORDER BY number",
        [.number(batch)] + (value.map { [.bytes($0)] } ?? [])
      ).compactMap { $0.number(0).map(Int.init) }
    }
  }

  package func events(after number: Int64, limit: Int) throws(PoolError) -> [Event] {
    try with { (connection) throws(PoolError) in
      try connection.query(
        Self.laterEvents, [.number(batch), .number(number), PQValue(limit)]
      ).compactMap { Event($0) }
    }
  }

  /// The events of a batch behind a number.
  static let laterEvents = """
    SELECT \(Event.columns()) FROM nfcprog.event WHERE batch = $1 AND id > $2 ORDER BY id LIMIT $3
    """

  /// Returns whether the tag is not to be used.
  package func isScrap(_ tag: [UInt8]) throws(PoolError) -> Bool {
    try looking { (connection) throws(PoolError) in
      try !connection.query(
        "SELECT 1 FROM nfcprog.event WHERE batch = $1 AND uid = $2 AND sets_aside LIMIT 1",
        [.number(batch), .bytes(tag)]
      ).isEmpty
    }
  }
}
