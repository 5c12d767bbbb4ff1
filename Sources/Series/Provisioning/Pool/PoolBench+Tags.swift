import Foundation
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// What the pool knows of tags, for the stations of this bench.
extension PoolBench {
  /// What is known of a tag: by the pool, where the database answers; else by this bench alone.
  package func history(of uid: UID) throws(JournalError) -> TagHistory? {
    try checkUse()
    let local = try journal.localHistory(of: uid)
    guard !isAway else { return local }
    var found: PoolTag?
    let isGood = ask(about: uid.bytes) { () throws(PoolError) in
      found = try store.tag(uid.bytes)
    }
    guard isGood else { return local }
    return try history(found, uid, local)
  }

  private func history(
    _ found: PoolTag?, _ uid: UID, _ local: TagHistory?
  ) throws(JournalError) -> TagHistory? {
    guard let found else {
      guard let local, !isScrap(local) else { return local }
      // The bench has the tag and the pool does not: it was released, or is contradicted.
      return .scrap(
        ScrapTag(
          uid: uid, when: Date(),
          trouble: TagTrouble(
            .conflict, "This bench has a job on the tag, but the database has none on it.")))
    }
    switch found.standing {
    case .scrap(let since, let cause, let text, let job):
      return .scrap(
        ScrapTag(
          uid: uid, when: Date(milliseconds: since),
          trouble: TagTrouble(stored: cause ?? "", text ?? ""), job: job))
    case .job(let number, let standing):
      if try journal.isInConflict(uid.bytes) {
        return .scrap(
          ScrapTag(
            uid: uid, when: Date(milliseconds: found.event?.started ?? 0),
            trouble: TagTrouble(
              .conflict, "Another bench has job \(number) on this tag, and this bench another.")))
      }
      // A bench without the job's row leaves the tag alone, which it says when it would write it.
      guard let job = try journal.plannedJob(number) else { return nil }
      if let written = written(found, standing, job) { return .written(written) }
      return reserved(found, standing, job, local).map { .reserved($0) }
    }
  }

  private func isScrap(_ history: TagHistory) -> Bool {
    if case .scrap = history { true } else { false }
  }

  /// Nil where the tag is not finished.
  private func written(_ tag: PoolTag, _ standing: JobStanding, _ job: PlannedJob) -> WrittenTag? {
    guard case .written(let held, let locks) = standing.state else { return nil }
    return WrittenTag(
      job: job, uid: UID(held.tag), tagType: held.type, digest: held.message.digest,
      length: held.message.length, uri: held.message.uri, isLocked: locks.isLocked,
      isProtected: locks.isProtected,
      when: Date(began: tag.event?.started ?? 0, lasting: tag.event?.duration ?? 0),
      station: tag.event?.station ?? "", reader: tag.event?.reader ?? "",
      operatorName: tag.operatorName)
  }

  /// Nil where the job is on no tag.
  private func reserved(
    _ tag: PoolTag, _ standing: JobStanding, _ job: PlannedJob, _ local: TagHistory?
  ) -> ReservedTag? {
    guard let held = standing.binding else { return nil }
    var holder = ReservedTag.Holder.gone
    if standing.isHeld {
      holder = .nobody
    } else if held.bench == name {
      if case .reserved(let own)? = local, own.job.number == job.number { holder = own.holder }
    } else if tag.isAlive {
      holder = .unknown(host: held.bench)
    }
    return ReservedTag(
      job: job, uid: UID(held.tag), tagType: held.type, digest: held.message.digest,
      since: Date(milliseconds: tag.event?.started ?? 0), station: tag.event?.station ?? "",
      reader: tag.event?.reader ?? "", operatorName: tag.operatorName,
      trouble: standing.isHeld
        ? TagTrouble(stored: tag.event?.cause ?? "", tag.event?.text ?? "") : nil,
      holder: holder)
  }

  /// Has this bench's journal know what the pool knows of a tag that gets its job once more. Nil:
  /// it may go on. Else why not.
  func prepare(
    _ tag: PresentedTag, rewriting: Bool, _ session: JournalSession
  ) throws(JournalError) -> ReservationOutcome? {
    try checkUse()
    note(tagType: tag.tagType)
    guard let uid = tag.uid else { return nil }
    var found: PoolTag?
    let isGood =
      !isAway
      && ask(about: uid.bytes) { () throws(PoolError) in found = try store.tag(uid.bytes) }
    guard isGood else {
      switch try journal.localHistory(of: uid) {
      case .reserved, .written: return .left(TagTrouble(.database, Self.needsDatabase))
      case .scrap: return .left(Self.setAside)
      case nil: return nil
      }
    }
    guard case .job(let number, let standing)? = found?.standing, let found else {
      if case .scrap? = found?.standing { return .left(Self.setAside) }
      guard let local = try journal.localHistory(of: uid) else { return nil }
      guard !isScrap(local) else { return .left(Self.setAside) }
      return .left(
        TagTrouble(
          .conflict, "This bench has a job on the tag, but the database has none on it."))
    }
    if try journal.isInConflict(uid.bytes) { return .left(Self.setAside) }
    guard let job = try journal.plannedJob(number), let binding = standing.binding else {
      return .left(TagTrouble(.elsewhere, "The tag has job \(number). " + Self.rowsUnknown))
    }
    if !rewriting, let written = written(found, standing, job) { return .written(written) }
    if case .bound = standing.state, binding.bench != name, found.isAlive,
      let reserved = reserved(found, standing, job, nil)
    {
      return .inUse(reserved)
    }
    // Where it was finished here and another bench has begun it again since, it goes on.
    if try journal.hasTag(
      uid.bytes, withJob: number, binding.message.digest, isWritten: standing.isWritten)
    {
      try journal.note(epoch: standing.epoch, ofJob: number)
    } else {
      try journal.take(binding, of: number, in: standing.epoch, tag, draft: found.draft, session)
    }
    return nil
  }

  private static let setAside = TagTrouble(.scrap, "The tag was set aside.")

  static let needsDatabase =
    "The database is away: the job of this tag can be finished when it answers again."

  /// The job that has a message, by this bench or another.
  package func job(holding digest: [UInt8]) throws(JournalError) -> Int? {
    if let number = try journal.jobs(where: .holding(digest)).first { return number }
    var found: Int?
    guard !isAway else { return nil }
    _ = ask { () throws(PoolError) in found = try store.jobs(where: .holding(digest)).first }
    return found
  }

  /// Returns whether a job waits for a tag, whichever bench may give it to one; nil: that is not
  /// known.
  package func isWaiting(_ number: Int) -> Bool? {
    guard !isAway else { return nil }
    var standing: JobStanding?
    guard attempt({ () throws(PoolError) in standing = try store.standing(ofJob: number) }) else {
      return nil
    }
    switch standing?.state {
    case .pending: return true
    case .claimed(let claim): return claim.bench == name
    default: return false
    }
  }

  /// Asks the pool whether what is reserved here still is.
  package func lookAgain() {
    guard !isAway else { return }
    _ = attempt { () throws(PoolError) in
      try tellAll()
      try lookAfterReservations()
    }
  }

  /// Reservations that went on at other benches are none of this one's any more.
  func lookAfterReservations() throws(PoolError) {
    let own = try local(journal.localReservations())
    guard let session = currentSession else { return }
    let last = state.withLock { $0.toldUpTo }
    for tag in own {
      // A station reserves it at this moment, and asks for itself.
      let isUntold = try local(journal.hasUntold(tag.uid.bytes, after: last))
      guard !isUntold else { continue }
      let isConflict = try local(journal.isInConflict(tag.uid.bytes))
      guard !isConflict else { continue }
      let standing = try store.standing(ofJob: tag.job.number)
      guard
        standing?.binding?.tag != tag.uid.bytes
          || standing?.bench != name || standing?.isWritten == true
      else { continue }
      if try store.hasLostJob(tag.uid.bytes), try setAside(tag) { continue }
      let isAside = try store.isScrap(tag.uid.bytes)
      try local(
        journal.drop(
          tag.job.number, from: tag.uid.bytes, session, Journal.elsewhere, setsAside: isAside))
    }
  }

  /// A tag of this bench lost its job to another one because the database was restored, and may
  /// hold it. False: nothing is wrong with it.
  private func setAside(_ tag: ReservedTag) throws(PoolError) -> Bool {
    let (job, uid, refusal) = (tag.job.number, tag.uid.bytes, LedgerRefusal.otherTag)
    guard try contradict(refusal, of: job, on: uid) else { return false }
    var event = Event(
      .passed(job: job, tag: uid, setsAside: true), station: tag.station, reader: tag.reader,
      cause: TagCause.conflict.rawValue, text: refusal.sentence, started: tag.since.milliseconds)
    (event.tagType, event.run) = (tag.tagType, told?.id)
    try store.tell(EventID(), event)
    return true
  }

  /// Lets all jobs of the batch wait again that no message could be made of; how many.
  package func retryFailed() throws(JournalError) -> Int {
    var count = 0
    let isGood = attempt { () throws(PoolError) in
      try tellAll()
      count = try store.retryFailed(session: told?.id, at: journal.clock())
      try countJobs()
    }
    guard isGood else { throw .pool(.away, "The database does not answer: no job is tried again.") }
    return count
  }

  /// How many jobs of the batch stand where, for all benches; nil where the database does not
  /// answer.
  package func tally() -> Tally? {
    var (counts, scrap): ([String: Int], Int) = ([:], 0)
    guard !isAway,
      attempt({ () throws(PoolError) in
        try tellAll()
        counts = try store.tally()
        scrap = try store.scrapCount()
      })
    else { return nil }
    var tally = Tally()
    tally.pending = (counts["pending"] ?? 0) + (counts["claimed"] ?? 0)
    tally.reserved = (counts["bound"] ?? 0) + (counts["held"] ?? 0)
    (tally.written, tally.failed) = (counts["written"] ?? 0, counts["failed"] ?? 0)
    tally.scrap = scrap
    return tally
  }
}

extension LedgerRefusal {
  /// For people.
  var sentence: String {
    switch self {
    case .fenced: "The job was given to another bench meanwhile."
    case .superseded: "Another bench goes on with the tag."
    case .leaseOver: "The claim on the job has run out."
    case .inUse: "Another bench works on the tag."
    case .tagTaken(let job): "The database has job \(job) on the tag."
    case .tagScrap: "Another bench has set the tag aside."
    case .messageTaken(let job): "Its message is that of job \(job)."
    case .otherMessage: "The tag holds another message than its job's."
    case .otherTag: "The job is on another tag."
    case .notSo, .forgotten: "The job is no longer where this bench left it."
    }
  }
}

extension PoolBench {
  /// How many things the pool has not heard of.
  package var untold: Int { (try? journal.untoldCount()) ?? 0 }
}
