import Ledger

/// A tag with a job, as a bench knows it and a database that was restored from a backup does not.
package struct PoolRecall: Sendable {
  package let job: Int
  package let tag: [UInt8]
  /// What the tag holds or may hold; nil: no tag has the job.
  package let message: MessageFacts?
  /// In which the bench had the job.
  package let epoch: Int64
  /// The name of what has happened to the tag there.
  package let id: EventID
  package let event: Event
  package let draft: [UInt8]?
  /// When it is said: milliseconds since 1970.
  package let moment: Int64

  package init(
    job: Int, tag: [UInt8], message: MessageFacts?, epoch: Int64, as id: EventID, _ event: Event,
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
      guard case .changed(let steps) = decision else {
        return (decision, seen.standing, seen.standing)
      }
      let before = Event(
        .passed(job: nil, tag: nil, setsAside: false), cause: TagCause.restored.rawValue,
        text: Self.restored, started: known.moment)
      // The row is locked.
      guard
        try make(
          connection, steps, from: seen.standing, known.job, known.id, known.event, known.draft,
          before: before)
      else { throw .failed("job \(known.job) changes all the time") }
      return (decision, seen.standing, seen.standing.after(steps))
    }
  }

  /// Returns whether the tag lost its job to another one because the database was restored, has had
  /// none since, and is not set aside.
  package func hasLostJob(_ tag: [UInt8]) throws(PoolError) -> Bool {
    try looking { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT kind = 'returned' AND cause = 'restored' AND NOT EXISTS (
          SELECT 1 FROM nfcprog.event AS aside WHERE aside.batch = event.batch
            AND aside.uid = event.uid AND aside.sets_aside)
        FROM nfcprog.event WHERE batch = $1 AND uid = $2 AND kind <> 'passed'
        ORDER BY id DESC LIMIT 1
        """, [.number(batch), .bytes(tag)]
      ).first?.flag(0) ?? false
    }
  }
}
