import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// Reservations of a bench of a pool: by the bench's own journal first, then by the pool's word,
/// before the tag is written.
extension PoolBench: JobPool {
  package func reserve(
    for tag: PresentedTag, rewriting: Bool, wanted: Int?, _ session: JournalSession,
    _ reserveHere: () throws(JournalError) -> (ReservationOutcome, unfit: [Int])
  ) throws(JournalError) -> ReservationOutcome {
    if let refused = try prepare(tag, rewriting: rewriting, session) { return refused }
    var hasAsked = false
    var unfit: Set<Int> = []
    // Other benches may have tags for them.
    defer { letGo(unfit) }
    // A job that turns out to be another bench's is passed by; a few in a row are much.
    for _ in 0..<20 {
      let (outcome, passed) = try reserveHere()
      unfit.formUnion(passed)
      switch outcome {
      // Rows behind those that this bench has claimed may fit.
      case .left where !passed.isEmpty && unfit.count < Self.mostUnfit:
        guard claimMore(for: tag.tagType) else { return outcome }
      case .nothingLeft, .nothingFits:
        guard !hasAsked, claimNow(for: tag.tagType, wanted: wanted) else {
          if isAway { return .left(TagTrouble(.database, Self.nothingClaimed)) }
          return try wanted == nil ? noJob() : outcome
        }
        hasAsked = true
      case .reserved(let reservation):
        switch try ask(for: reservation, session) {
        case .granted: return outcome
        case .away: return .left(TagTrouble(.database, Self.needsDatabase))
        case .refused(let refusal):
          if let cause = refusal.endsTag { return .left(TagTrouble(cause, refusal.sentence)) }
          hasAsked = false
        }
      default: return outcome
      }
    }
    return .left(
      TagTrouble(.outrun, "Other benches were quicker. Put the tag on the reader again."))
  }

  /// So many rows are tried for one tag.
  private static let mostUnfit = 5000

  static let nothingClaimed =
    "The database is away, and the jobs that this bench had claimed are on tags."

  static let rowsUnknown =
    "The batch has rows that this bench's list does not have: start it with the longer list, or with --follow."

  static let claimedElsewhere =
    "No job is left for this tag: other benches have claimed the jobs that are left."

  /// Why there is no job for a tag that may have any. The journal does not know which jobs other
  /// benches have finished.
  private func noJob() throws(JournalError) -> ReservationOutcome {
    var (waiting, rows) = (0, 0)
    guard
      attempt({ () throws(PoolError) in
        (waiting, rows) = (try countJobs(), try store.size().jobs)
      })
    else { return .left(TagTrouble(.database, Self.nothingClaimed)) }
    guard waiting == 0, try journal.freeClaims().isEmpty else {
      return rows > store.lastJob
        ? .left(TagTrouble(.noJob, Self.rowsUnknown)) : .nothingFits
    }
    return state.withLock { $0.left } > 0
      ? .left(TagTrouble(.noJob, Self.claimedElsewhere)) : .nothingLeft
  }

  /// What the pool says of a reservation.
  private enum Leave {
    case granted
    /// The job waits for the pool's word, on its tag.
    case away
    /// It was taken back.
    case refused(LedgerRefusal)
  }

  /// Asks the pool whether the tag may have the job, and may be written.
  private func ask(
    for reservation: Reservation, _ session: JournalSession
  ) throws(JournalError) -> Leave {
    let answer = confirm(reservation.token)
    if isCopied {
      try journal.undo(reservation, session, keepsClaim: false)
      try checkUse()
    }
    if case .refused(let refusal) = answer {
      try journal.undo(reservation, session, keepsClaim: refusal.leavesClaim)
      if case .messageTaken = refusal {
        try session.fail(reservation.job, because: TagTrouble(.defectiveJob, refusal.sentence))
      }
      return .refused(refusal)
    }
    // What the pool has said of another event may have taken it back.
    guard try journal.isInForce(reservation) else { return .refused(.superseded) }
    if case .good = answer { return .granted }
    // A tag that had its job before is written only by the pool's word; a new one with a job that
    // was entrusted to this bench is written without.
    if try journal.isNew(reservation) { return .granted }
    try session.hold(
      reservation, because: TagTrouble(.database, Self.needsDatabase),
      timing: Timing(started: .now, duration: .zero))
    return .away
  }

  package func takeUp(
    _ tag: PresentedTag, _ session: JournalSession,
    _ takeUpHere: () throws(JournalError) -> Reservation?
  ) throws(JournalError) -> Reservation? {
    guard try prepare(tag, rewriting: false, session) == nil else { return nil }
    guard let reservation = try takeUpHere() else { return nil }
    return if case .granted = try ask(for: reservation, session) { reservation } else { nil }
  }

  package func confirm(_ event: Int64, ofJob number: Int) throws(JournalError) -> PoolHearing {
    let answer = confirm(event)
    try checkUse()
    switch answer {
    case .good: return .heard
    case .away(let failure): return failure.map(PoolHearing.failed) ?? .away
    case .refused: throw .reservationLost(job: number)
    }
  }

  /// Another bench may have written the tag again: from then on the job has its epoch.
  package func mayInspect(_ written: WrittenTag) throws(JournalError) {
    try checkUse()
    let (uid, number) = (written.uid.bytes, written.job.number)
    var found: PoolTag?
    guard !isAway,
      ask(about: uid, { () throws(PoolError) in found = try store.tag(uid) })
    else { return }
    guard case .job(number, let standing)? = found?.standing, standing.isWritten,
      standing.binding?.message.digest == written.digest
    else { throw .reservationLost(job: number) }
    try journal.note(epoch: standing.epoch, ofJob: number)
  }
}

extension LedgerRefusal {
  /// Is true if the job is still the bench's own, for another tag.
  var leavesClaim: Bool {
    switch self {
    case .tagTaken, .tagScrap, .messageTaken: true
    default: false
    }
  }

  /// Why the tag is left alone where no other job can go on it, either.
  fileprivate var endsTag: TagCause? {
    switch self {
    case .tagScrap: .scrap
    case .inUse: .inUse
    case .tagTaken, .otherTag, .superseded: .elsewhere
    case .otherMessage: .changed
    case .fenced, .leaseOver, .messageTaken, .notSo, .forgotten: nil
    }
  }
}
