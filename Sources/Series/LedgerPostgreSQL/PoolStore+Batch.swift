import Ledger

extension PoolJob {
  /// The columns that `append` fills, in its order.
  static let columns =
    "batch, number, name, wanted_tag, row_digest, line, place, records, columns, locks, has_password"

  /// A line of COPY's text format (PostgreSQL's documentation, COPY, File Formats).
  func append(batch: Int64, to lines: inout [UInt8]) {
    lines += "\(batch)\t\(number)\t".utf8
    Self.append(name, to: &lines)
    lines.append(0x09)
    if let wantedTag { Self.append(wantedTag, to: &lines) } else { lines += "\\N".utf8 }
    lines += "\t\\\\x".utf8
    let digits = Array("0123456789abcdef".utf8)
    for byte in digest {
      lines.append(digits[Int(byte >> 4)])
      lines.append(digits[Int(byte & 0x0F)])
    }
    lines += "\t\(place.line)\t\(place.byte)\t".utf8
    Self.append(texts.records, to: &lines)
    lines.append(0x09)
    Self.append(texts.columns, to: &lines)
    lines += (locks ? "\tt" : "\tf").utf8
    lines += (hasPassword ? "\tt\n" : "\tf\n").utf8
  }

  private static func append(_ text: String, to lines: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case 0x5C: lines += [0x5C, 0x5C]
      case 0x09: lines += "\\t".utf8
      case 0x0A: lines += "\\n".utf8
      case 0x0D: lines += "\\r".utf8
      default: lines.append(byte)
      }
    }
  }
}

/// Takes a job that is loaded into a pool, and what gives the SHA-256 of its message; nil: that is
/// not known before a tag is there, or may be on a tag of another batch.
package typealias JobTaker<Failure: Error> = (PoolJob, () -> [UInt8]?) throws(Failure) -> Void

/// A list of jobs as a pool knows it.
package struct PoolList: Hashable, Sendable {
  package let kind: String
  package let source: String
  package let settings: String
  /// SHA-256 over the settings and the digests of all rows.
  package let digest: [UInt8]
  package let jobs: Int
  /// When it was taken up: milliseconds since 1970.
  package var adopted: Int64 = 0

  package init(kind: String, source: String, settings: String, digest: [UInt8], jobs: Int) {
    (self.kind, self.source, self.settings) = (kind, source, settings)
    (self.digest, self.jobs) = (digest, jobs)
  }
}

/// A batch as the pool has it.
package struct PoolBatch: Hashable, Sendable {
  package let number: Int64
  /// 16 random bytes, by which benches know it whatever the database is called.
  package let identity: [UInt8]
  package let name: String
  package let kind: String
  package let source: String
  package let settings: String
  package let digest: [UInt8]
  package let jobs: Int
  /// Milliseconds since 1970.
  package let adopted: Int64
  /// Milliseconds since 1970; nil: the batch is open.
  package let closed: Int64?
}

extension PoolStore {
  /// The batch that the address names; nil: there is none.
  package static func batch(at address: PoolAddress) throws(PoolError) -> PoolBatch? {
    try batches(connect(address), "WHERE name = $1", [.text(address.batch)]).first
  }

  /// All batches, the oldest first.
  package static func batches(at address: PoolAddress) throws(PoolError) -> [PoolBatch] {
    try batches(connect(address), "ORDER BY id", [])
  }

  /// The batches whose first job has a row with this digest.
  package static func batches(
    beginningWith digest: [UInt8], at address: PoolAddress
  ) throws(PoolError) -> [PoolBatch] {
    let condition = """
      WHERE EXISTS (SELECT 1 FROM nfcprog.job
        WHERE job.batch = batch.id AND number = 1 AND row_digest = $1) ORDER BY id
      """
    return try batches(connect(address), condition, [.bytes(digest)])
  }

  static func batches(
    _ connection: PQConnection, _ condition: String, _ values: [PQValue]
  ) throws(PoolError) -> [PoolBatch] {
    try connection.query(
      """
      SELECT id, identity, name, kind, source, settings, list_digest, jobs, adopted_at, closed_at
      FROM nfcprog.batch \(condition)
      """, values
    ).map { row in
      PoolBatch(
        number: row.number(0) ?? 0, identity: row.bytes(1) ?? [], name: row[2] ?? "",
        kind: row[3] ?? "", source: row[4] ?? "", settings: row[5] ?? "",
        digest: row.bytes(6) ?? [], jobs: (row.number(7) ?? 0).asStoredCount,
        adopted: (row.number(8) ?? 0).asStoredTime, closed: row.number(9))
    }
  }

  /// Loads a batch, as a whole or not at all; nothing is loaded where the database has a batch of
  /// that name. `feed` gives every job, in order, without a pause. The identity is the batch's for
  /// good, where it is loaded now. `waiting` is called each two seconds in which another one loads
  /// the batch.
  package static func load<Failure: Error>(
    _ list: PoolList, identity: [UInt8], at address: PoolAddress,
    waiting: () -> Void = {}, _ wrap: @escaping (PoolError) -> Failure,
    _ feed: (JobTaker<Failure>) throws(Failure) -> Void
  ) throws(Failure) {
    try load(at: address, waiting: waiting, wrap, feed) { (connection) throws(PoolError) in
      try insertNew(list, identity, address.batch, connection)
    }
  }

  /// Takes up rows that were added at the end of a batch's list: `list` is the whole of it as it is
  /// now, `known` what the batch had, `feed` gives the jobs behind those.
  package static func extend<Failure: Error>(
    _ list: PoolList, beyond known: PoolBatch, at address: PoolAddress,
    waiting: () -> Void = {}, _ wrap: @escaping (PoolError) -> Failure,
    _ feed: (JobTaker<Failure>) throws(Failure) -> Void
  ) throws(Failure) {
    try load(at: address, waiting: waiting, wrap, feed) { (connection) throws(PoolError) in
      if let id = try grow(known, to: list, connection) { return id }
      // Another bench was quicker: with the same list, or not.
      try check(list, address.batch, connection)
      return nil
    }
  }

  /// The number of a batch that has as many jobs as the list from now on; nil, and the end of the
  /// transaction, where it is not as `known` any more. Throws where it is closed.
  static func grow(
    _ known: PoolBatch, to list: PoolList, _ connection: PQConnection
  ) throws(PoolError) -> Int64? {
    let rows = try connection.query(
      """
      UPDATE nfcprog.batch SET jobs = $1, list_digest = $2 WHERE id = $3 AND jobs = $4
        AND list_digest = $5 AND closed_at IS NULL RETURNING id
      """,
      [
        PQValue(list.jobs), .bytes(list.digest), .number(known.number), PQValue(known.jobs),
        .bytes(known.digest),
      ])
    if let id = rows.first?.number(0) { return id }
    try connection.run("COMMIT")
    let now = try batches(connection, "WHERE id = $1", [.number(known.number)]).first
    guard let now else { throw .noBatch(known.name) }
    if now.closed != nil { throw .closed(known.name) }
    return nil
  }

  /// So much is handed over at once, well within the time that a statement may take: a bench that
  /// stands still while it loads is undone by the server, and holds the others up no longer.
  private static let piece = 262_144

  /// One transaction: `begin` gives the number of the batch that gets jobs; nil: none does.
  /// `finish` adds what belongs to them. Throws `onTag`, and loads nothing, where the message of a
  /// job is on a tag of another batch, or may be.
  static func load<Failure: Error>(
    at address: PoolAddress, waiting: () -> Void = {}, _ wrap: @escaping (PoolError) -> Failure,
    _ feed: (JobTaker<Failure>) throws(Failure) -> Void,
    _ begin: (PQConnection) throws(PoolError) -> Int64?,
    finish: (PQConnection, Int64) throws(PoolError) -> Void = { _, _ throws(PoolError) in }
  ) throws(Failure) {
    let connection: PQConnection
    let id: Int64?
    var messages: NewMessages
    do throws(PoolError) {
      connection = try connect(address)
      id = try beginAlone(connection, waiting, begin)
      guard let id else { return }
      messages = try NewMessages(besides: id, connection)
    } catch {
      throw wrap(error)
    }
    // Where something fails the transaction ends with the connection.
    let target = "nfcprog.job (\(PoolJob.columns))"
    var lines: [UInt8] = []
    try feed { (job, message) throws(Failure) in
      job.append(batch: id ?? 0, to: &lines)
      do throws(PoolError) {
        try messages.look(at: job, message)
        guard lines.count > piece else { return }
        try connection.copy(lines, into: target)
      } catch {
        throw wrap(error)
      }
      lines.removeAll(keepingCapacity: true)
    }
    do throws(PoolError) {
      try messages.finish()
      try connection.copy(lines, into: target)
      try finish(connection, id ?? 0)
      try connection.run("COMMIT")
    } catch {
      throw wrap(error)
    }
  }

  /// Begins a transaction that has the batch for itself: another one that loads it is waited for.
  private static func beginAlone(
    _ connection: PQConnection, _ waiting: () -> Void,
    _ begin: (PQConnection) throws(PoolError) -> Int64?
  ) throws(PoolError) -> Int64? {
    // Two seconds, unless the server is waited for less long.
    let limit = Int(min(.seconds(2), connection.patience / 2) / .milliseconds(1))
    while true {
      try connection.run("BEGIN; SET LOCAL lock_timeout = \(limit)")
      do throws(PoolError) { return try begin(connection) } catch {
        guard error == .busy else { throw error }
        try connection.run("ROLLBACK")
        waiting()
      }
    }
  }

  /// The number of a batch that is new; nil where it is there already. Throws where it has other
  /// jobs.
  static func insert(
    _ list: PoolList, _ identity: [UInt8], _ name: String, _ connection: PQConnection
  ) throws(PoolError) -> Int64? {
    if let id = try insertNew(list, identity, name, connection) { return id }
    try check(list, name, connection)
    return nil
  }

  /// The number of a batch that is new; nil, and the end of the transaction, where it is there
  /// already. A bench that loads it at the same moment is waited for.
  private static func insertNew(
    _ list: PoolList, _ identity: [UInt8], _ name: String, _ connection: PQConnection
  ) throws(PoolError) -> Int64? {
    let made = try connection.query(
      """
      INSERT INTO nfcprog.batch (name, identity, kind, source, settings, list_digest, jobs,
        adopted_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING RETURNING id
      """,
      [
        .text(name), .bytes(identity), .text(list.kind), .text(list.source),
        .text(list.settings), .bytes(list.digest), PQValue(list.jobs), .number(list.adopted),
      ])
    if let id = made.first?.number(0) { return id }
    try connection.run("COMMIT")
    return nil
  }

  /// Throws where the batch has other jobs than the list.
  private static func check(
    _ list: PoolList, _ name: String, _ connection: PQConnection
  ) throws(PoolError) {
    let known = try batches(connection, "WHERE name = $1", [.text(name)]).first
    guard known?.digest == list.digest, known?.jobs == list.jobs else { throw .otherJobs(name) }
  }

  /// How many jobs stand where, by the words of `JobState`.
  package func tally() throws(PoolError) -> [String: Int] {
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        "SELECT state, count(*) FROM nfcprog.job WHERE batch = $1 GROUP BY state",
        [.number(batch)])
    }
    return Dictionary(
      rows.map { ($0[0] ?? "", Int($0.number(1) ?? 0)) }, uniquingKeysWith: { first, _ in first })
  }
}
