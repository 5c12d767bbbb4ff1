import Ledger

/// A job as it is loaded into a pool.
package struct PoolJob: Hashable, Sendable {
  package let number: Int
  package let name: String
  /// Nil: any.
  package let wantedTag: String?
  /// SHA-256 of what its row says.
  package let digest: [UInt8]

  package init(number: Int, name: String, wantedTag: String?, digest: [UInt8]) {
    (self.number, self.name, self.wantedTag, self.digest) = (number, name, wantedTag, digest)
  }

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
    lines.append(0x0A)
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

/// A list of jobs as a pool knows it.
package struct PoolList: Hashable, Sendable {
  package let kind: String
  package let source: String
  package let settings: String
  /// SHA-256 over the settings and the digests of all rows.
  package let digest: [UInt8]
  package let jobs: Int

  package init(kind: String, source: String, settings: String, digest: [UInt8], jobs: Int) {
    (self.kind, self.source, self.settings) = (kind, source, settings)
    (self.digest, self.jobs) = (digest, jobs)
  }
}

extension PoolStore {
  /// Loads a batch, as a whole or not at all, where the database does not have it yet; makes sure
  /// that it is the same list where it has. Several benches may do so at once. `feed` gives every
  /// job, in order.
  package static func load<Failure: Error>(
    _ list: PoolList, at address: PoolAddress, _ wrap: @escaping (PoolError) -> Failure,
    _ feed: ((PoolJob) throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    let connection: PQConnection
    let id: Int64?
    do throws(PoolError) {
      connection = try connect(address)
      try connection.run("BEGIN")
      id = try insert(list, address.batch, connection)
      guard id != nil else { return }
      try connection.run(
        "COPY nfcprog.job (batch, number, name, wanted_tag, row_digest) FROM STDIN")
    } catch {
      throw wrap(error)
    }
    var lines: [UInt8] = []
    do throws(Failure) {
      try feed { (job) throws(Failure) in
        job.append(batch: id ?? 0, to: &lines)
        guard lines.count > 65_536 else { return }
        do throws(PoolError) { try connection.put(lines) } catch { throw wrap(error) }
        lines.removeAll(keepingCapacity: true)
      }
    } catch {
      try? connection.endCopy(isGood: false)
      throw error
    }
    do throws(PoolError) {
      try connection.put(lines)
      try connection.endCopy(isGood: true)
      try connection.run("COMMIT; ANALYZE nfcprog.job")
    } catch {
      throw wrap(error)
    }
  }

  /// The number of a batch that is new; nil where it is there already. Throws where it has other
  /// jobs. A bench that loads it at the same moment is waited for.
  private static func insert(
    _ list: PoolList, _ name: String, _ connection: PQConnection
  ) throws(PoolError) -> Int64? {
    let made = try connection.query(
      """
      INSERT INTO nfcprog.batch (name, identity, kind, source, settings, list_digest, jobs)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING RETURNING id
      """,
      [
        .text(name), .bytes(EventID().bytes), .text(list.kind), .text(list.source),
        .text(list.settings), .bytes(list.digest), PQValue(list.jobs),
      ])
    if let id = made.first?.number(0) { return id }
    let known = try connection.query(
      "SELECT list_digest, jobs FROM nfcprog.batch WHERE name = $1", [.text(name)])
    try connection.run("COMMIT")
    guard known.first?.bytes(0) == list.digest, known.first?.number(1) == Int64(list.jobs) else {
      throw .otherJobs(name)
    }
    return nil
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
