import Foundation
import Ledger

/// What a bench asks and tells beside single commands.
extension PoolStore {
  /// Keeps claims for this bench for good: it has them on its own disk and may bind them alone.
  /// Returns the jobs that are its own now; a lease that has run out is none.
  package func entrust(_ claims: [PoolClaim]) throws(PoolError) -> Set<Int> {
    try change(
      claims, "lease_until = NULL", "(lease_until IS NULL OR lease_until >= clock_timestamp())")
  }

  /// Lets claims go that no tag was bound to; returns those that it has let go.
  package func letGo(_ claims: [PoolClaim]) throws(PoolError) -> Set<Int> {
    try change(
      claims, "state = 'pending', bench = NULL, lease_until = NULL, epoch = job.epoch + 1", "true")
  }

  /// So many claims are changed with one statement: the server ends one that takes seconds.
  package static let claimedTogether = 1000

  /// Changes those of the claims that are still this bench's; returns their jobs.
  private func change(
    _ claims: [PoolClaim], _ assignments: String, _ condition: String
  ) throws(PoolError) -> Set<Int> {
    var done: Set<Int> = []
    for start in stride(from: 0, to: claims.count, by: Self.claimedTogether) {
      var open = Array(claims[start...].prefix(Self.claimedTogether))
      try Self.untilUnlocked { () throws(PoolError) in
        let (changed, own) = try changeUnlocked(open, assignments, condition)
        done.formUnion(changed)
        open.removeAll { !own.contains($0.job) || done.contains($0.job) }
        return open.isEmpty
      }
    }
    return done
  }

  /// Repeats `body` for half a second until it is true. Another bench that looks for jobs locks
  /// rows until its statement ends, also rows that it then finds taken; nobody can keep a bench
  /// waiting with locks for longer.
  static func untilUnlocked(_ body: () throws(PoolError) -> Bool) throws(PoolError) {
    let end = ContinuousClock.now + .milliseconds(500)
    while try !body(), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.005) }
  }

  /// Changes those that nobody has locked; gives also those that were this bench's before.
  private func changeUnlocked(
    _ claims: [PoolClaim], _ assignments: String, _ condition: String
  ) throws(PoolError) -> (changed: [Int], own: Set<Int>) {
    func list(_ numbers: [Int64]) -> PQValue {
      .text("{" + numbers.map(String.init).joined(separator: ",") + "}")
    }
    // With `OFFSET` the database looks up each job that is given, and not for each that the bench
    // has which of these it is: it has no statistics while a batch is new.
    let own = """
      SELECT job.batch, job.number
        FROM unnest($3::bigint[], $4::bigint[]) AS given (number, epoch)
        CROSS JOIN LATERAL (SELECT batch, number, epoch, state, bench, lease_until
          FROM nfcprog.job WHERE batch = $1 AND number = given.number OFFSET 0) AS job
        WHERE job.epoch = given.epoch AND job.state = 'claimed' AND job.bench = $2
          AND \(condition)
      """
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        """
        WITH unlocked AS (\(own) FOR UPDATE OF job SKIP LOCKED),
        changed AS (
          UPDATE nfcprog.job SET \(assignments)
          FROM unlocked WHERE (job.batch, job.number) = (unlocked.batch, unlocked.number)
          RETURNING job.number)
        SELECT number, true FROM changed UNION ALL SELECT number, false FROM (\(own)) AS own
        """,
        [
          .number(batch), .text(bench), list(claims.map { Int64($0.job) }),
          list(claims.map(\.epoch)),
        ])
    }
    func jobs(_ isChanged: Bool) -> [Int] {
      rows.compactMap { $0.flag(1) == isChanged ? $0.number(0).map(Int.init) : nil }
    }
    return (jobs(true), Set(jobs(false)))
  }

  /// The jobs that are claimed for this bench, with their epochs.
  package func ownClaims() throws(PoolError) -> [PoolClaim] {
    try with { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT number, epoch FROM nfcprog.job WHERE batch = $1 AND state = 'claimed' AND bench = $2
        ORDER BY number
        """, [.number(batch), .text(bench)]
      ).map { PoolClaim(job: Int($0.number(0) ?? 0), epoch: $0.number(1) ?? 0) }
    }
  }

  /// How far the batch is, for a bench: so many jobs wait, and so many are claimed by whichever
  /// bench; `most` stands for more, nil: all are counted. Of a closed batch nothing is left.
  package func progress(
    most: Int?
  ) throws(PoolError) -> (waiting: Int, claimed: Int, isClosed: Bool) {
    func count(_ state: String) -> String {
      """
      (SELECT count(*) FROM (
        SELECT 1 FROM nfcprog.job WHERE batch = $1 AND state = '\(state)' LIMIT $2) AS \(state))
      """
    }
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT \(count("pending")), \(count("claimed")),
          (SELECT closed_at IS NOT NULL FROM nfcprog.batch WHERE id = $1)
        """, [.number(batch), most.map { PQValue($0) } ?? .null])
    }
    guard let row = rows.first, row.flag(2) != true else { return (0, 0, !rows.isEmpty) }
    return (Int(row.number(0) ?? 0), Int(row.number(1) ?? 0), false)
  }

  /// How many tags were set aside.
  package func scrapCount() throws(PoolError) -> Int {
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        "SELECT count(DISTINCT uid) FROM nfcprog.event WHERE batch = $1 AND sets_aside",
        [.number(batch)])
    }
    return Int(rows.first?.number(0) ?? 0)
  }

  /// The number and the name of the last event of this bench's journal that the pool has; nil: it
  /// has none. What was told once is there for good, so that an earlier one than before says that
  /// the database is older than it was: a backup was restored.
  package func last() throws(PoolError) -> (number: Int64, name: EventID)? {
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT own, uuid FROM nfcprog.event WHERE batch = $1 AND bench = $2 AND own IS NOT NULL
        ORDER BY own DESC LIMIT 1
        """, [.number(batch), .text(bench)])
    }
    guard let row = rows.first, let number = row.number(0) else { return nil }
    return (number, EventID(row.bytes(1) ?? []) ?? EventID())
  }

  /// Returns whether the pool has heard of the event of this name.
  package func knows(_ id: EventID) throws(PoolError) -> Bool {
    try with { (connection) throws(PoolError) in
      try !connection.query(
        "SELECT 1 FROM nfcprog.event WHERE uuid = $1 AND batch = $2",
        [.bytes(id.bytes), .number(batch)]
      ).isEmpty
    }
  }

  /// Tells an event that changes no job. A tag that it sets aside is not to be used, unless it has
  /// a job. `count`: as for `with`.
  package func tell(
    _ id: EventID, _ event: Event, heardOn count: Int? = nil
  ) throws(PoolError) {
    try with(heardOn: count) { (connection) throws(PoolError) in try tell(connection, id, event) }
  }

  func tell(
    _ connection: PQConnection, _ id: EventID, _ event: Event
  ) throws(PoolError) {
    _ = try connection.query(
      """
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, station, reader, cause, text,
        started_at, duration, tag, steps, session, sets_aside, own)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::boolean
        AND NOT EXISTS (SELECT 1 FROM nfcprog.job WHERE batch = $1 AND uid = $6), $17)
      ON CONFLICT (uuid) DO NOTHING
      """,
      [
        .number(batch), .bytes(id.bytes), .text(bench), .text(event.kind),
        event.job.map(PQValue.init) ?? .null, PQValue(event.tag), PQValue(event.station),
        PQValue(event.reader), PQValue(event.cause), PQValue(event.text), .number(event.started),
        .number(event.duration), PQValue(event.tagType), PQValue(event.steps),
        PQValue(event.run), PQValue(event.what.setsAside), Self.own(event),
      ])
  }

  /// The number that an event has in its bench's journal; null: it comes from none.
  static func own(_ event: Event) -> PQValue {
    event.number > 0 ? .number(event.number) : .null
  }

  /// A run of this bench has begun; `ended`, in milliseconds since 1970: it has ended.
  package func tell(_ session: BenchRun, ended: Int64? = nil) throws(PoolError) {
    try with { (connection) throws(PoolError) in
      _ = try connection.query(
        """
        INSERT INTO nfcprog.session (id, batch, bench, operator, command, version, host, begun_at,
          ended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO UPDATE SET ended_at = coalesce(session.ended_at, excluded.ended_at)
        """,
        [
          .bytes(session.id), .number(batch), .text(bench), .text(session.operatorName),
          .text(session.command), .text(session.version), .text(session.host),
          .number(session.begun), ended.map(PQValue.number) ?? .null,
        ])
    }
  }

  /// The runs of this bench that the pool knows, by their names.
  package func sessions() throws(PoolError) -> Set<[UInt8]> {
    let rows = try with { (connection) throws(PoolError) in
      try connection.query(
        "SELECT id FROM nfcprog.session WHERE batch = $1 AND bench = $2",
        [.number(batch), .text(bench)])
    }
    return Set(rows.compactMap { $0.bytes(0) })
  }

  /// Returns what the pool knows of a tag; nil: nothing.
  package func tag(_ uid: [UInt8]) throws(PoolError) -> PoolTag? {
    try looking { (connection) throws(PoolError) in
      let jobs = try connection.query(
        """
        SELECT job.number, job.message, EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = job.batch
            AND bench.name = job.bench AND alive_until > clock_timestamp()),
          (SELECT operator FROM nfcprog.session WHERE session.id = last.session),
          \(JobStanding.columns()), \(Event.columns("last"))
        FROM nfcprog.job LEFT JOIN LATERAL (
          SELECT * FROM nfcprog.event WHERE event.batch = job.batch AND event.job = job.number
            AND kind <> 'passed' ORDER BY id DESC LIMIT 1) AS last ON true
        WHERE job.batch = $1 AND job.uid = $2
        """, [.number(batch), .bytes(uid)])
      if let row = jobs.first { return Self.tag(row) }
      let scrap = try connection.query(
        """
        SELECT (extract(epoch FROM told) * 1000)::bigint, cause, text, job FROM nfcprog.event
        WHERE batch = $1 AND uid = $2 AND sets_aside ORDER BY id DESC LIMIT 1
        """, [.number(batch), .bytes(uid)])
      return scrap.first.map { row in
        PoolTag(
          standing: .scrap(
            since: row.number(0) ?? 0, cause: row[1], text: row[2],
            job: row.number(3).map { Int($0) }))
      }
    }
  }

  private static func tag(_ row: PQRow) -> PoolTag {
    var tag = PoolTag(
      standing: .job(Int(row.number(0) ?? 0), JobStanding(row, behind: 4)), draft: row.bytes(1))
    (tag.isAlive, tag.operatorName) = (row.flag(2) ?? false, row[3] ?? "")
    tag.event = Event(row, behind: 4 + JobStanding.width)
    return tag
  }
}
