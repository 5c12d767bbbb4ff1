import Ledger

/// A tag with a job, as a bench knows it and a database that was restored from a backup does not.
package struct PoolRecall: Sendable {
  package let job: Int
  package let tag: [UInt8]
  /// SHA-256 of what the tag holds or may hold; nil: no tag has the job.
  package let message: [UInt8]?
  /// In which the bench had the job.
  package let epoch: Int64
  /// The name of what has happened to the tag there.
  package let id: EventID
  package let event: Event
  package let draft: [UInt8]?
  /// When it is said: milliseconds since 1970.
  package let moment: Int64

  package init(
    job: Int, tag: [UInt8], message: [UInt8]?, epoch: Int64, as id: EventID, _ event: Event,
    draft: [UInt8]? = nil, at moment: Int64
  ) {
    (self.job, self.tag, self.message, self.epoch) = (job, tag, message, epoch)
    (self.id, self.event, self.draft, self.moment) = (id, event, draft, moment)
  }
}

extension PoolStore {
  /// What is said of events that only a backup has brought about.
  package static let restored = "The database was restored from a backup."

  /// Has the bench have a job again that it had on a tag, as far as the rules let it. Returns that,
  /// where the job stood, and where it stands now; nil: there is no such job.
  package func recall(
    _ known: PoolRecall
  ) throws(PoolError) -> (decision: LedgerDecision, before: JobStanding, standing: JobStanding)? {
    // Another job may get the tag, or the message, at this moment.
    for _ in 0..<20 {
      do throws(PoolError) { return try recallOnce(known) } catch {
        guard error.isTaken else { throw error }
      }
    }
    throw .failed("job \(known.job) changes all the time")
  }

  private func recallOnce(
    _ known: PoolRecall
  ) throws(PoolError) -> (decision: LedgerDecision, before: JobStanding, standing: JobStanding)? {
    try atOnce { (connection) throws(PoolError) in
      // Whoever claims jobs at this moment passes it by.
      _ = try connection.query(
        "SELECT 1 FROM nfcprog.job WHERE batch = $1 AND number = $2 FOR UPDATE",
        [.number(batch), PQValue(known.job)])
      let command = LedgerCommand.recall(
        bench: bench, tag: known.tag, message: known.message, epoch: known.epoch)
      guard let seen = try look(connection, known.job, command.binding) else { return nil }
      let decision = seen.standing.decide(command, on: known.job, seen.facts)
      guard case .changed(let end, let scrap) = decision else {
        return (decision, seen.standing, seen.standing)
      }
      var last = seen.standing
      for (standing, kind) in last.wayBack(to: end) {
        try step(connection, known, from: last, to: standing, kind, scrap, isEnd: standing == end)
        last = standing
      }
      return (decision, seen.standing, end)
    }
  }

  /// Whether the tag lost its job to another one because the database was restored, has had none
  /// since, and is not set aside.
  package func hasLostJob(_ tag: [UInt8]) throws(PoolError) -> Bool {
    try looking { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT kind = 'returned' AND cause = 'restored' AND NOT EXISTS (
          SELECT 1 FROM nfcprog.scrap WHERE scrap.batch = event.batch AND scrap.uid = event.uid)
        FROM nfcprog.event WHERE batch = $1 AND uid = $2 AND kind <> 'passed'
        ORDER BY id DESC LIMIT 1
        """, [.number(batch), .bytes(tag)]
      ).first?.flag(0) ?? false
    }
  }

  private func step(
    _ connection: PQConnection, _ known: PoolRecall, from last: JobStanding,
    to next: JobStanding, _ kind: String?, _ scrap: [UInt8]?, isEnd: Bool
  ) throws(PoolError) {
    guard let kind else { return try hand(connection, next, known.job) }
    let message = next.state.binding.map { MessageFacts(digest: $0.message) }
    let scrap = next.state == .pending ? scrap : nil
    let what = Happening(
      kind: kind, job: known.job, tag: next.state.binding?.tag ?? last.state.binding?.tag,
      message: isEnd ? known.event.what.message ?? message : message, setsAside: scrap != nil)
    var event = known.event
    if isEnd {
      event.what = what
    } else {
      event = Event(what, cause: "restored", text: Self.restored, started: known.moment)
    }
    let isDone = try put(
      connection, next, after: last, scrap, known.job, isEnd ? known.id : EventID(), event,
      isEnd ? known.draft : nil)
    // The row is locked.
    guard isDone else { throw .failed("job \(known.job) changes all the time") }
  }

  /// A job that is on no tag changes hands.
  private func hand(
    _ connection: PQConnection, _ next: JobStanding, _ job: Int
  ) throws(PoolError) {
    _ = try connection.query(
      """
      UPDATE nfcprog.job SET state = $3, bench = $4, epoch = $5, lease_until = NULL,
        recalled = $6
      WHERE batch = $1 AND number = $2
      """,
      [
        .number(batch), PQValue(job), .text(next.state.word), PQValue(next.state.bench),
        .number(next.epoch), next.recalled.map(PQValue.number) ?? .null,
      ])
  }
}
