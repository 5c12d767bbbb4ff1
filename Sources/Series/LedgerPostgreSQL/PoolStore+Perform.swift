import Ledger

/// What a bench tells: what it did to a job, or (without commands) what only happened.
package struct PoolReport: Sendable {
  package let id: EventID
  package let commands: [LedgerCommand]
  package let event: Event
  /// The message that the tag is to hold, kept until it is finished.
  package let draft: [UInt8]?

  package init(
    _ id: EventID, _ commands: [LedgerCommand], _ event: Event, draft: [UInt8]? = nil
  ) {
    (self.id, self.commands, self.event, self.draft) = (id, commands, event, draft)
  }
}

/// What became of a report.
package struct PoolAnswer: Sendable {
  package let decision: LedgerDecision
  /// Where the job stood before.
  package var before = JobStanding()
}

extension PoolStore {
  /// Carries a command out as far as the rules let it, and tells what happened: `event`, with the
  /// bench's own number for it. All of it is on the disk when this returns, or nothing.
  package func perform(
    _ command: LedgerCommand, on job: Int, as id: EventID, telling event: Event,
    draft: [UInt8]? = nil
  ) throws(PoolError) -> LedgerDecision {
    try with { (connection) throws(PoolError) in
      try perform(connection, [command], job, id, event, draft, isPart: false).decision
    }
  }

  /// Carries out what a report says, as far as the rules let it. `count`: as for `with`.
  package func perform(
    _ report: PoolReport, heardOn count: Int? = nil
  ) throws(PoolError) -> PoolAnswer {
    try with(heardOn: count) { (connection) throws(PoolError) in
      try perform(connection, report, isPart: false)
    }
  }

  /// Carries out what several reports say, in order, with one commit, which is on the disk when
  /// this returns. Ends before the first one that is refused; gives what became of those before it.
  /// Throws `failed` where nothing was carried out: single reports may be. `count`: as for `with`.
  package func perform(
    _ reports: [PoolReport], heardOn count: Int? = nil
  ) throws(PoolError) -> [PoolAnswer] {
    try atOnce(heardOn: count) { (connection) throws(PoolError) in
      var answers: [PoolAnswer] = []
      for report in reports {
        let answer = try perform(connection, report)
        if case .refused = answer.decision { break }
        answers.append(answer)
      }
      return answers
    }
  }

  private func perform(
    _ connection: PQConnection, _ report: PoolReport, isPart: Bool = true
  ) throws(PoolError) -> PoolAnswer {
    guard let job = report.event.job, !report.commands.isEmpty else {
      try tell(connection, report.id, report.event)
      return PoolAnswer(decision: .done)
    }
    let answer = try perform(
      connection, report.commands, job, report.id, report.event, report.draft, isPart: isPart)
    // Each event of a bench leaves a row, by which the bench knows how far it was heard.
    if answer.decision == .done {
      try tell(connection, report.id, report.event.changingNothing)
    }
    return answer
  }

  /// `isPart`: of a transaction that its caller has begun.
  func perform(
    _ connection: PQConnection, _ commands: [LedgerCommand], _ job: Int, _ id: EventID,
    _ event: Event, _ draft: [UInt8]?, isPart: Bool = true
  ) throws(PoolError) -> PoolAnswer {
    // Somebody else may be quicker; a few times in a row is much.
    for _ in 0..<20 {
      guard let seen = try look(connection, job, commands.compactMap(\.binding).last)
      else { throw .rowsMissing(address.batch, 1) }
      let answer = PoolAnswer(
        decision: seen.standing.decide(commands, on: job, seen.facts), before: seen.standing)
      guard case .changed(let steps) = answer.decision else { return answer }
      do throws(PoolError) {
        let isMade =
          if isPart || Self.isOneStatement(steps) {
            try make(connection, steps, of: commands, from: seen.standing, job, id, event, draft)
          } else {
            try whole(connection) { () throws(PoolError) in
              try make(connection, steps, of: commands, from: seen.standing, job, id, event, draft)
            }
          }
        if isMade { return answer }
      } catch {
        // The tag or the message has a job since: that is what the rules say next. Within several
        // reports the next look fails, and they are made one by one.
        guard error == .taken else { throw error }
      }
    }
    throw .failed("job \(job) changes all the time")
  }

  /// What happened changes a job's row and is told by one statement; that a job changes hands is
  /// told by another one.
  private static func isOneStatement(_ steps: [JobStep]) -> Bool {
    if case .happened? = steps.last { steps.count == 1 } else { false }
  }

  /// Makes a change in a transaction of its own, and undoes what of it was made where it is false.
  private func whole(
    _ connection: PQConnection, _ change: () throws(PoolError) -> Bool
  ) throws(PoolError) -> Bool {
    try connection.run("BEGIN")
    do throws(PoolError) {
      let isMade = try change()
      try connection.run(isMade ? "COMMIT" : "ROLLBACK")
      return isMade
    } catch {
      if connection.isOpen { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  /// Makes the steps of which the last is known as `id`; `event` is what is said of it. False where
  /// the job did not stand any more where the decision was made.
  private func make(
    _ connection: PQConnection, _ steps: [JobStep], of commands: [LedgerCommand],
    from first: JobStanding, _ job: Int, _ id: EventID, _ event: Event, _ draft: [UInt8]?
  ) throws(PoolError) -> Bool {
    var last = first
    let before = event.before(commands)
    for (index, step) in steps.enumerated() {
      let isEnd = index == steps.count - 1
      switch step {
      case .handed(let next):
        guard try hand(connection, next, after: last, job) else { return false }
        last = next
        // What is no event to the rules is still known to have been told.
        if isEnd, event.what.changesJob {
          try tell(connection, id, event.changingNothing)
        }
      case .happened(let what):
        let happened = what.told(as: isEnd ? event : before)
        guard let next = last.taking(happened) else {
          throw .failed("job \(job) contradicts what happened to it")
        }
        guard
          try put(
            connection, next, after: last, job, isEnd ? id : EventID(), happened,
            isEnd ? draft : nil)
        else { return false }
        last = next
      }
    }
    return true
  }

  /// A job as it stands, and what else the rules look at.
  struct Seen {
    let standing: JobStanding
    let facts: LedgerFacts
  }

  /// `binding`: the tag and the message that the job is to get.
  func look(
    _ connection: PQConnection, _ job: Int, _ binding: (tag: [UInt8], digest: [UInt8])? = nil
  ) throws(PoolError) -> Seen? {
    let rows = try connection.query(
      """
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = job.batch
          AND bench.name = job.bench AND alive_until > clock_timestamp()),
        (SELECT number FROM nfcprog.job WHERE batch = $1 AND uid = $3),
        (SELECT number FROM nfcprog.job WHERE batch = $1 AND message_digest = $4),
        EXISTS (SELECT 1 FROM nfcprog.event WHERE batch = $1 AND uid = $3 AND sets_aside),
        \(JobStanding.columns())
      FROM nfcprog.job WHERE batch = $1 AND number = $2
      """, [.number(batch), PQValue(job), PQValue(binding?.tag), PQValue(binding?.digest)])
    guard let row = rows.first else { return nil }
    var facts = LedgerFacts()
    (facts.now, facts.isAtWork) = (row.number(0) ?? 0, row.flag(1) ?? false)
    facts.jobOfTag = row.number(2).map(Int.init)
    facts.jobOfMessage = row.number(3).map(Int.init)
    facts.isTagScrap = row.flag(4) ?? false
    facts.keepsMessages = true
    let standing = JobStanding(row, behind: 5)
    // Whoever may work as a bench may write any number there, and the rules count on from it.
    guard max(standing.epoch, standing.recalled ?? 0) < 1 << 62 else {
      throw .failed("job \(job) has an epoch that no bench has given it")
    }
    return Seen(standing: standing, facts: facts)
  }

  /// Writes what happened and where that brings the job, in one statement; false where the job did
  /// not stand any more where the decision was made.
  private func put(
    _ connection: PQConnection, _ next: JobStanding, after last: JobStanding, _ job: Int,
    _ id: EventID, _ event: Event, _ draft: [UInt8]?
  ) throws(PoolError) -> Bool {
    let (tag, locks, what) = (next.binding, next.locks, event.what)
    func known(_ length: Int?) -> PQValue { length.flatMap { $0 > 0 ? PQValue($0) : nil } ?? .null }
    let rows = try connection.query(
      """
      WITH changed AS (
        UPDATE nfcprog.job SET state = $3, epoch = $4, recalled = $5, bench = $6,
          lease_until = NULL, uid = $7, tag = $8, message_digest = $9, message_length = $10,
          uri = $11, day = $12, is_locked = $13, is_protected = $14,
          message = CASE WHEN $3 IN ('bound', 'held') THEN coalesce($15, message) END
        WHERE batch = $1 AND number = $2 AND epoch = $16 AND state = $17
          AND ($3 <> 'bound' OR lease_until IS NULL OR lease_until >= clock_timestamp())
        RETURNING number),
      told AS (
        INSERT INTO nfcprog.event (batch, job, epoch, recalled, uuid, bench, kind, uid, station,
          reader, cause, text, started_at, duration, tag, steps, session, keys, digest, length,
          link, made_for, locked, protected, sets_aside, own)
        SELECT $1, $2, $4, $5, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30,
          $31, $32, $33, $34, $35, $13, $14, $36::boolean, $37
        FROM changed
        ON CONFLICT (uuid) DO NOTHING)
      SELECT number FROM changed
      """,
      [
        .number(batch), PQValue(job), .text(next.state.kind.rawValue), .number(next.epoch),
        next.recalled.map(PQValue.number) ?? .null, PQValue(next.bench), PQValue(tag?.tag),
        PQValue(tag?.type), PQValue(tag?.message.digest), known(tag?.message.length),
        PQValue(tag?.message.uri), PQValue(tag?.message.day),
        locks.map { PQValue($0.isLocked) } ?? .null,
        locks.map { PQValue($0.isProtected) } ?? .null, PQValue(draft), .number(last.epoch),
        .text(last.state.kind.rawValue), .bytes(id.bytes), .text(bench), .text(event.kind),
        PQValue(event.tag), PQValue(event.station), PQValue(event.reader), PQValue(event.cause),
        PQValue(event.text), .number(event.started), .number(event.duration),
        PQValue(event.tagType), PQValue(event.steps), PQValue(event.run), PQValue(event.keys),
        PQValue(what.digest), what.message.map { PQValue($0.length) } ?? .null,
        PQValue(what.message?.uri), PQValue(what.message?.day), PQValue(what.setsAside),
        Self.own(event),
      ])
    return !rows.isEmpty
  }

  /// A job that is on no tag changes hands, or is kept for longer.
  private func hand(
    _ connection: PQConnection, _ next: JobStanding, after last: JobStanding, _ job: Int
  ) throws(PoolError) -> Bool {
    var lease: Int64?
    if case .claimed(let claim) = next.state, case .until(let end) = claim.lease { lease = end }
    // A claim that is over is entrusted to nobody, and recalled by the bench that has the tag.
    let rows = try connection.query(
      """
      UPDATE nfcprog.job SET state = $3, bench = $4, epoch = $5,
        lease_until = to_timestamp($6::bigint / 1000.0), recalled = $7
      WHERE batch = $1 AND number = $2 AND epoch = $8 AND state = $9
        AND ($3 <> 'claimed' OR $6::bigint IS NOT NULL OR lease_until IS NULL
          OR epoch <> $5 OR lease_until >= clock_timestamp()
          OR $7::bigint IS DISTINCT FROM recalled)
      RETURNING number
      """,
      [
        .number(batch), PQValue(job), .text(next.state.kind.rawValue), PQValue(next.bench),
        .number(next.epoch), lease.map(PQValue.number) ?? .null,
        next.recalled.map(PQValue.number) ?? .null, .number(last.epoch),
        .text(last.state.kind.rawValue),
      ])
    return !rows.isEmpty
  }
}
