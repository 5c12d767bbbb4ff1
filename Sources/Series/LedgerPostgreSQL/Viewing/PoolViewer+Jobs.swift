import Ledger

extension PoolViewer {
  /// All batches, the oldest first.
  package func batches() throws(PoolError) -> [PoolBatch] {
    try with { (connection) throws(PoolError) -> [PoolBatch] in
      try PoolStore.batches(connection, "ORDER BY id", [])
    }
  }

  /// The batch of this name. Throws `noBatch` where there is none.
  package func batch(_ name: String) throws(PoolError) -> PoolBatch {
    let found = try with(isQuick: true) { (connection) throws(PoolError) -> [PoolBatch] in
      try PoolStore.batches(connection, "WHERE name = $1", [.text(name)])
    }
    guard let batch = found.first else { throw .noBatch(name) }
    return batch
  }

  /// Jobs of a batch behind the number `after`, in order, `limit` at most.
  package func jobs(
    of batch: PoolBatch, _ filter: JobFilter, after number: Int, limit: Int
  ) throws(PoolError) -> [ListedJob] {
    try with { (connection) throws(PoolError) -> [ListedJob] in
      var values: [PQValue] = [.number(batch.number), PQValue(number), PQValue(limit)]
      var conditions = Self.conditions(filter.state)
      if let wanted = filter.number {
        values.append(PQValue(wanted))
        conditions.append("number = $\(values.count)")
      }
      if let last = filter.last {
        values.append(PQValue(last))
        conditions.append("number <= $\(values.count)")
      }
      if let patterns = filter.text?.patterns {
        values += [.text(patterns.text), .text(patterns.columns)]
        let (text, columns) = ("$\(values.count - 1)", "$\(values.count)")
        conditions.append("(name ~ \(text) OR uri ~ \(text) OR columns ~ \(columns))")
      }
      if let tag = filter.tag {
        values.append(.bytes(tag))
        conditions.append("uid = $\(values.count)")
      }
      var isFew = false
      if let name = filter.name {
        conditions.append(Self.range(name, &values))
        isFew = try self.isFew(name, batch, connection)
      }
      let picked =
        "SELECT * FROM nfcprog.job WHERE batch = $1 AND "
        + (["number > $2"] + conditions).joined(separator: " AND ")
      // Few are found by their names and then ordered; of many, a page is full soon in the list's
      // order.
      let from =
        isFew
        ? "WITH picked AS MATERIALIZED (\(picked)) SELECT * FROM picked ORDER BY number LIMIT $3"
        : "\(picked) ORDER BY number LIMIT $3"
      return try connection.query(
        """
        SELECT job.number, job.name, job.state, job.columns, job.uid, job.tag, job.uri,
          \(Event.columns("last"))
        FROM (\(from)) AS job LEFT JOIN LATERAL (
          SELECT * FROM nfcprog.event WHERE event.batch = $1 AND event.job = job.number
            AND kind <> 'passed' ORDER BY id DESC LIMIT 1) AS last ON true
        ORDER BY job.number
        """, values
      ).map(Self.job)
    }
  }

  /// The names of the batches that have a job on this tag.
  package func batches(withTag uid: [UInt8]) throws(PoolError) -> [String] {
    try with { (connection) throws(PoolError) -> [String] in
      try connection.query(
        """
        SELECT batch.name FROM nfcprog.job JOIN nfcprog.batch ON batch.id = job.batch
        WHERE job.uid = $1 ORDER BY batch.id LIMIT 100
        """, [.bytes(uid)]
      ).compactMap { $0[0] }
    }
  }

  /// As the indexes have them.
  private static func conditions(_ state: ListedJob.State?) -> [String] {
    switch state {
    case nil: []
    case .pending: ["\(PoolSchema.isWaiting)"]
    case let state?: ["state IN \(state.words)"]
    }
  }

  /// Returns whether a name, or what it begins with, finds a few jobs only.
  private func isFew(
    _ name: String, _ batch: PoolBatch, _ connection: PQConnection
  ) throws(PoolError) -> Bool {
    var values: [PQValue] = [.number(batch.number)]
    let range = Self.range(name, &values)
    let found = try connection.query(
      """
      SELECT count(*) FROM (SELECT 1 FROM nfcprog.job WHERE batch = $1 AND \(range) LIMIT 5001)
        AS found
      """, values)
    return found.first?.number(0) ?? 0 <= 5000
  }

  /// Names that begin with a text; the index has the beginnings of names. Adds to what a statement
  /// is given.
  private static func range(_ name: String, _ values: inout [PQValue]) -> String {
    let column = "left(name, \(PoolSchema.nameLength))"
    let beginning = beginning(name)
    values.append(.text(beginning))
    var conditions = ["\(column) ~>=~ $\(values.count)"]
    if let end = after(beginning) {
      values.append(.text(end))
      conditions.append("\(column) ~<~ $\(values.count)")
    }
    if beginning.utf8.count < name.utf8.count {
      values.append(.text(name))
      conditions.append("starts_with(name, $\(values.count))")
    }
    return conditions.joined(separator: " AND ")
  }

  /// As much of a name as the index has, in whatever encoding the database counts characters.
  private static func beginning(_ name: String) -> String {
    var (scalars, length) = (String.UnicodeScalarView(), 0)
    for scalar in name.unicodeScalars {
      length += scalar.utf8.count
      if length > PoolSchema.nameLength { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// The first text, compared by bytes, behind all that begin with this one; nil: there is none.
  private static func after(_ text: String) -> String? {
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      // Behind D7FF comes E000: between them there are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      return String(String.UnicodeScalarView(scalars))
    }
    return nil
  }

  private static func job(_ row: PQRow) -> ListedJob {
    var job = ListedJob(
      number: Int(row.number(0) ?? 0), name: row[1] ?? "",
      state: row[2].flatMap(JobState.Kind.init)?.shown ?? .pending)
    job.columns = row[3] ?? "[]"
    (job.tag, job.tagType, job.uri) = (row.bytes(4), row[5], row[6])
    job.event = Event(row, behind: 7)
    return job
  }
}
