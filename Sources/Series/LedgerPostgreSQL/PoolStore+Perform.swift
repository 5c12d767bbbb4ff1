import Ledger

/// What a bench tells: what it did to a job, or (without a command) what only happened.
package struct PoolReport: Sendable {
  package let id: EventID
  package let command: LedgerCommand?
  package let event: Event
  /// The message that the tag is to hold, kept until it is finished.
  package let draft: [UInt8]?

  package init(
    _ id: EventID, _ command: LedgerCommand?, _ event: Event, draft: [UInt8]? = nil
  ) {
    (self.id, self.command, self.event, self.draft) = (id, command, event, draft)
  }
}

extension PoolStore: LedgerStore {
  package func standing(ofJob number: Int) throws(PoolError) -> JobStanding? {
    try with { (connection) throws(PoolError) in try look(connection, number)?.standing }
  }

  package func job(ofTag uid: [UInt8]) throws(PoolError) -> Int? {
    try with { (connection) throws(PoolError) in try job(connection, "uid", uid) }
  }

  package func job(ofMessage digest: [UInt8]) throws(PoolError) -> Int? {
    try looking { (connection) throws(PoolError) in
      try job(connection, "message_digest", digest)
    }
  }

  package func events(after number: Int64, limit: Int) throws(PoolError) -> [Event] {
    try with { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT \(Event.columns()) FROM nfcprog.event WHERE batch = $1 AND id > $2
        ORDER BY id LIMIT $3
        """, [.number(batch), .number(number), PQValue(limit)]
      ).compactMap { Event($0) }
    }
  }

  /// Whether the tag is not to be used.
  package func isScrap(_ uid: [UInt8]) throws(PoolError) -> Bool {
    try with { (connection) throws(PoolError) in try isScrap(connection, uid) }
  }

  /// Carries a command out as far as the rules let it, and tells what happened: `event`, with the
  /// bench's own number for it. On the disk when this returns.
  package func perform(
    _ command: LedgerCommand, on job: Int, as id: EventID, telling event: Event,
    draft: [UInt8]? = nil
  ) throws(PoolError) -> LedgerDecision {
    try with { (connection) throws(PoolError) in
      try perform(connection, command, job, id, event, draft)
    }
  }

  /// Carries out what several reports say, in order, with one commit, which is on the disk when
  /// this returns. Ends before the first one that is refused; gives what became of those before it.
  /// Throws `failed` where nothing was carried out: single reports may be.
  package func perform(_ reports: [PoolReport]) throws(PoolError) -> [LedgerDecision] {
    try atOnce { (connection) throws(PoolError) in
      var decisions: [LedgerDecision] = []
      for report in reports {
        guard let job = report.event.job, let command = report.command else {
          try tell(connection, report.id, report.event)
          decisions.append(.done)
          continue
        }
        let decision = try perform(
          connection, command, job, report.id, report.event, report.draft)
        if case .refused = decision { break }
        decisions.append(decision)
      }
      return decisions
    }
  }

  func perform(
    _ connection: PQConnection, _ command: LedgerCommand, _ job: Int, _ id: EventID,
    _ event: Event, _ draft: [UInt8]?
  ) throws(PoolError) -> LedgerDecision {
    // Somebody else may be quicker; a few times in a row is much.
    for _ in 0..<20 {
      guard let seen = try look(connection, job, command.binding) else { return .refused(.notSo) }
      let decision = seen.standing.decide(command, on: job, seen.facts)
      guard case .changed(let next, let scrap) = decision else { return decision }
      do throws(PoolError) {
        if try put(connection, next, after: seen.standing, scrap, job, id, event, draft) {
          return decision
        }
      } catch let error where error.isTaken {
        // The tag or the message has a job since: that is what the rules say next. Within several
        // reports the next look fails, and they are made one by one.
        continue
      }
    }
    throw .failed("job \(job) changes all the time")
  }

  /// A job as it stands, and what else the rules look at.
  struct Seen {
    let standing: JobStanding
    let facts: LedgerFacts
  }

  /// `binding`: the tag and the message that the job is to get.
  func look(
    _ connection: PQConnection, _ job: Int, _ binding: (tag: [UInt8], message: [UInt8])? = nil
  ) throws(PoolError) -> Seen? {
    let rows = try connection.query(
      """
      SELECT state, epoch, bench, (extract(epoch FROM lease_until) * 1000)::bigint, uid,
        message_digest, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = job.batch
          AND bench.name = job.bench AND alive_until > clock_timestamp()),
        (SELECT number FROM nfcprog.job WHERE batch = $1 AND uid = $3),
        (SELECT number FROM nfcprog.job WHERE batch = $1 AND message_digest = $4),
        EXISTS (SELECT 1 FROM nfcprog.scrap WHERE batch = $1 AND uid = $3), recalled
      FROM nfcprog.job WHERE batch = $1 AND number = $2
      """, [.number(batch), PQValue(job), PQValue(binding?.tag), PQValue(binding?.message)])
    guard let row = rows.first else { return nil }
    let binding = Binding(
      bench: row[2] ?? "", tag: row.bytes(4) ?? [], message: row.bytes(5) ?? [])
    let state: JobState =
      switch row[0] {
      case "claimed":
        .claimed(
          Claim(bench: row[2] ?? "", lease: row.number(3).map(Lease.until) ?? .entrusted))
      case "bound": .bound(binding)
      case "held": .held(binding)
      case "written": .written(binding)
      case "failed": .failed
      default: .pending
      }
    var facts = LedgerFacts()
    (facts.now, facts.isAtWork) = (row.number(6) ?? 0, row.flag(7) ?? false)
    facts.jobOfTag = row.number(8).map(Int.init)
    facts.jobOfMessage = row.number(9).map(Int.init)
    facts.isTagScrap = row.flag(10) ?? false
    let standing = JobStanding(state, epoch: row.number(1) ?? 0, recalled: row.number(11))
    // Whoever may work as a bench may write any number there, and the rules count on from it.
    guard max(standing.epoch, standing.recalled ?? 0) < 1 << 62 else {
      throw .failed("job \(job) has an epoch that no bench has given it")
    }
    return Seen(standing: standing, facts: facts)
  }

  /// Writes where the job stands now, what happened, and which tag is set aside, in one statement;
  /// false where the job did not stand any more where the decision was made. What the event does
  /// not name of the message, the job has already: the event's row gets the whole of it.
  func put(
    _ connection: PQConnection, _ next: JobStanding, after last: JobStanding, _ scrap: [UInt8]?,
    _ job: Int, _ id: EventID, _ event: Event, _ draft: [UInt8]?
  ) throws(PoolError) -> Bool {
    var lease: Int64?
    if case .claimed(let claim) = next.state, case .until(let end) = claim.lease { lease = end }
    let binding = next.state.binding
    let (message, locks) = (event.what.message, event.what.locks)
    let length = message.flatMap { $0.length > 0 ? PQValue($0.length) : nil }
    let rows = try connection.query(
      """
      WITH changed AS (
        UPDATE nfcprog.job SET state = $3, epoch = $4, bench = $5,
          lease_until = to_timestamp($6::bigint / 1000.0), uid = $7, message_digest = $8,
          tag = CASE WHEN $7::bytea IS NOT NULL THEN coalesce($22, tag) END,
          message_length = CASE WHEN $7::bytea IS NOT NULL THEN coalesce($25, message_length) END,
          uri = CASE WHEN $7::bytea IS NOT NULL THEN coalesce($26, uri) END,
          day = CASE WHEN $7::bytea IS NOT NULL THEN coalesce($27, day) END,
          message = CASE WHEN $3 IN ('bound', 'held') THEN coalesce($28, message) END,
          is_locked = CASE WHEN $3 = 'written' THEN $29::boolean END,
          is_protected = CASE WHEN $3 = 'written' THEN $30::boolean END, recalled = $32
        WHERE batch = $1 AND number = $2 AND epoch = $9 AND state = $10
          AND ($3 <> 'bound' AND ($3 <> 'claimed' OR $6::bigint IS NOT NULL) OR lease_until IS NULL
            OR lease_until >= clock_timestamp())
        RETURNING *),
      told AS (
        INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, station, reader, cause, text,
          started_at, duration, tag, steps, session, keys, epoch, recalled, digest, length, link,
          made_for, locked, protected, sets_aside)
        SELECT $1, $11, $12, $13, $2, $14, $15, $16, $17, $18, $19, $20, $22, $23,
          $24, $31, epoch, recalled,
          CASE WHEN $13 IN ('reserved', 'written') THEN message_digest END,
          CASE WHEN $13 = 'reserved' THEN coalesce(message_length, 0) END,
          CASE WHEN $13 = 'reserved' THEN uri END, CASE WHEN $13 = 'reserved' THEN day END,
          is_locked, is_protected, $21::bytea IS NOT NULL
        FROM changed
        ON CONFLICT (uuid) DO NOTHING),
      aside AS (
        INSERT INTO nfcprog.scrap (batch, uid) SELECT $1, $21::bytea FROM changed
        WHERE $21::bytea IS NOT NULL ON CONFLICT DO NOTHING)
      SELECT number FROM changed
      """,
      [
        .number(batch), PQValue(job), .text(next.state.word), .number(next.epoch),
        PQValue(next.state.bench), lease.map(PQValue.number) ?? .null, PQValue(binding?.tag),
        PQValue(binding?.message), .number(last.epoch), .text(last.state.word), .bytes(id.bytes),
        .text(bench), .text(event.kind), PQValue(event.tag), PQValue(event.station),
        PQValue(event.reader), PQValue(event.cause), PQValue(event.text), .number(event.started),
        .number(event.duration), PQValue(scrap), PQValue(event.tagType), PQValue(event.steps),
        PQValue(event.run), length ?? .null, PQValue(message?.uri), PQValue(message?.day),
        PQValue(draft), PQValue(locks?.isLocked ?? false), PQValue(locks?.isProtected ?? false),
        PQValue(event.keys), next.recalled.map(PQValue.number) ?? .null,
      ])
    return !rows.isEmpty
  }

  private func job(_ connection: PQConnection, _ column: String, _ value: [UInt8])
    throws(PoolError) -> Int?
  {
    try connection.query(
      "SELECT number FROM nfcprog.job WHERE batch = $1 AND \(column) = $2",
      [.number(batch), .bytes(value)]
    ).first?.number(0).map(Int.init)
  }

  private func isScrap(_ connection: PQConnection, _ uid: [UInt8]) throws(PoolError) -> Bool {
    try !connection.query(
      "SELECT 1 FROM nfcprog.scrap WHERE batch = $1 AND uid = $2", [.number(batch), .bytes(uid)]
    ).isEmpty
  }
}

extension JobState {
  /// As the database calls it.
  var word: String {
    switch self {
    case .pending: "pending"
    case .claimed: "claimed"
    case .bound: "bound"
    case .held: "held"
    case .written: "written"
    case .failed: "failed"
    }
  }
}
