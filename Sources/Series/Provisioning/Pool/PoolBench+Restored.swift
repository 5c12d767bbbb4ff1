import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// How far the pool has heard of this bench. What an answer was lost of, what happened during an
/// outage and what a restored database has forgotten is told as all else is.
extension PoolBench {
  /// Asks which event of this bench is the last that the pool has, where the pool may be older than
  /// it was: at the beginning of a run, and on each new connection. What comes behind it is told.
  /// Returns whether the database is older than it was. Throws `copied` where the event is not this
  /// journal's.
  @discardableResult
  func askLast() throws(PoolError) -> Bool {
    let asked = state.withLock { $0.askedOn }
    var isOlder = false
    while asked != store.connections {
      let connection = store.connections
      let (known, last) = (try store.sessions(), try store.last())
      guard connection == store.connections else { continue }
      if let last, try local(journal.eventName(last.number)) != last.name { throw .copied }
      isOlder = try hear(last?.number ?? 0, known)
      state.withLock { $0.askedOn = connection }
      break
    }
    return isOlder
  }

  /// The pool has all up to this event, and knows these runs; returns whether it is older than it
  /// was. That is on the disk before it hears of the runs that it has forgotten: they prove it.
  private func hear(_ last: Int64, _ known: Set<[UInt8]>) throws(PoolError) -> Bool {
    let told = max(try local(journal.told()), state.withLock { $0.toldUpTo })
    let lost = try local(journal.runs()).filter { !known.contains($0.run.id) }
    var isOlder = last < told
    for (number, _) in lost where !isOlder { isOlder = try local(journal.hasEvents(number)) }
    if isOlder { try noteForgotten(behind: last, knownUpTo: told) }
    for (_, run) in lost { try store.tell(run, ended: run.ended) }
    guard !isOlder else { return true }
    try takeAnswers(behind: told, upTo: last)
    state.withLock { $0.toldUpTo = last }
    try noteTold()
    return false
  }

  /// The pool has no more than the event of this number; what comes behind it is told again.
  func noteForgotten(behind last: Int64, knownUpTo known: Int64) throws(PoolError) {
    try local(journal.noteForgotten(behind: last, knownUpTo: known))
    state.withLock { ($0.toldUpTo, $0.notedUpTo) = (last, last) }
  }

  /// The pool has heard of events of which the answer was lost, or not noted: in which epoch their
  /// jobs are.
  private func takeAnswers(behind told: Int64, upTo last: Int64) throws(PoolError) {
    var place = told
    while place < last {
      let untold = try local(journal.untold(after: place, limit: Self.together))
      guard let end = untold.last else { return }
      for heard in untold where heard.event.number <= last { try takeAnswer(heard) }
      place = end.event.number
    }
  }

  /// The pool has heard of the event, and its answer was lost.
  func takeAnswer(_ heard: Journal.Untold) throws(PoolError) {
    guard heard.event.what.changesJob, let job = heard.event.job,
      let standing = try store.standing(ofJob: job), standing.bench == name,
      standing.binding?.tag == heard.event.tag
    else { return }
    try note(standing.epoch, of: heard)
  }

  /// Returns whether the pool knows what was done here, and keeps nothing for this bench.
  func isSettled() throws(PoolError) -> Bool {
    let (free, untold, told) = try local(
      (try journal.freeClaims(), try journal.untoldCount(), try journal.told()))
    guard free.isEmpty, untold == 0 else { return false }
    return try store.last()?.number ?? 0 >= told
  }

  /// A tag was finished here, and by a later word another bench has its job on it. Says so where
  /// the pool does not have it as finished.
  func nameUnfinished(_ job: Int, _ tag: [UInt8]) throws(PoolError) {
    let standing = try store.standing(ofJob: job)
    guard let standing, standing.binding?.tag == tag, !standing.isWritten else { return }
    tellNews(.unfinished(job: job, tag: UID(tag)))
  }

  /// What became of something that the pool had forgotten. A finished or held tag may have lost its
  /// job to one of this bench: that is said.
  func noteReminded(of untold: Journal.Untold, _ answer: PoolAnswer) {
    guard untold.isAgain, case .changed = answer.decision, let job = untold.event.job else {
      return
    }
    if let tag = answer.decision.setAside, tag != untold.event.tag {
      conflictCount.add()
      tellNews(
        .conflict(
          job: job, tag: UID(tag),
          answer.before.isWritten ? Self.givenOutAgain : Self.leftUnfinished))
    }
    guard untold.isHeard else { return }
    state.withLock { state in
      switch untold.event.what {
      case .reserved, .resumed: state.reminded.insert(job)
      case .returned, .released: state.reminded.remove(job)
      default: break
      }
    }
  }

  /// Says of how many tags the pool was reminded, now that it knows all.
  func sayReminded() {
    let tags = state.withLock { state in
      defer { state.reminded = [] }
      return state.reminded.count
    }
    if tags > 0 { tellNews(.reminded(tags: tags)) }
  }

  private static let givenOutAgain =
    "The job is on another tag, too, which the restored database did not know."
  private static let leftUnfinished =
    "The tag was left unfinished and may hold the job or a part of it. The job is on another tag, which the restored database did not know."
}
