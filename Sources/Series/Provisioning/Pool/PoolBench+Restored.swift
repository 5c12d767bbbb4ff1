import Foundation
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// A database that was restored from a backup knows less than its benches.
extension PoolBench {
  /// Tells the pool again what it has forgotten: runs, and which tags have which jobs here. A job
  /// that it has given to somebody else since is a conflict: its tag is set aside. False: it has
  /// forgotten nothing.
  func remind() throws(PoolError) -> Bool {
    var hasForgotten = try tellRuns()
    if !hasForgotten { hasForgotten = try lacksWords() }
    guard hasForgotten else { return false }
    // Where this is cut short, it begins anew.
    try local(journal.noteForgotten())
    // What this run believes told may be forgotten, too.
    state.withLock { ($0.toldUpTo, $0.doubtUpTo) = ($0.notedUpTo, .max) }
    // A tag may have got another job since.
    let returned = try local(journal.returnedTags())
    for tag in returned { try giveBackAgain(tag) }
    for untold in try local(journal.untoldBeginnings()) {
      try beginAgain(untold)
    }
    var heard: [Int64] = []
    var forgotten = 0
    var place: Int64 = 0
    while true {
      let bindings = try local(journal.bindings(after: place))
      guard let end = bindings.last else { break }
      for binding in bindings where try tellAgain(binding) { forgotten += 1 }
      place = end.event.number
      heard = try known(of: bindings.compactMap(\.last)).map { [$0] } ?? heard
      if let told { try store.sayAlive(host: told.host) }
    }
    let last = try known(of: heard + returned.map(\.number))
    try local(journal.noteReminded(of: last))
    if forgotten > 0 { tellNews(.reminded(tags: forgotten)) }
    // By the name that it had heard last the pool is not asked again: it has not heard of each
    // event once more.
    state.withLock { ($0.toldUpTo, $0.notedUpTo) = (0, 0) }
    return true
  }

  /// The last of these events that the pool knows.
  private func known(of events: [Int64]) throws(PoolError) -> Int64? {
    for event in events.sorted(by: >) where try store.knows(eventID(event)) { return event }
    return nil
  }

  /// Returns whether the pool lacks what it has heard last, or has a job in an earlier epoch than
  /// that in which it has given it to this bench.
  private func lacksWords() throws(PoolError) -> Bool {
    let noted = try local(journal.witness()) ?? 0
    let last = noted < 0 ? noted : max(noted, state.withLock { $0.toldUpTo })
    if last != 0, try !store.knows(eventID(last)) { return true }
    for untold in try local(journal.untoldBeginnings()) {
      guard let job = untold.event.job, let epoch = untold.epoch,
        let standing = try store.standing(ofJob: job)
      else { continue }
      if standing.epoch < epoch { return true }
    }
    return false
  }

  /// Returns whether the pool knows what was done here, and keeps nothing for this bench.
  func isSettled() throws(PoolError) -> Bool {
    let (free, untold, last) = try local(
      (try journal.freeClaims(), try journal.untoldCount(), try journal.witness()))
    guard free.isEmpty, untold == 0 else { return false }
    return if let last { try store.knows(eventID(last)) } else { true }
  }

  /// Tells the pool of runs that it has forgotten, or has never heard of: what happened in them
  /// names them. Whether tags were worked on in one.
  private func tellRuns() throws(PoolError) -> Bool {
    let known = try store.sessions()
    let runs = try local(journal.runs())
    var isLost = false
    for (number, run) in runs where !known.contains(run.id) {
      try store.tell(run, ended: run.ended)
      if try local(journal.hasEvents(number)) {
        isLost = true
      }
    }
    return isLost
  }

  /// A job got a tag while the database was away, and the pool has forgotten the claim.
  private func beginAgain(_ untold: Journal.Untold) throws(PoolError) {
    guard let job = untold.event.job, let epoch = untold.epoch else { return }
    var message: MessageFacts?
    if case .bind(_, _, _, let bound) = command(untold) { message = bound }
    let recall = PoolRecall(
      job: job, tag: untold.event.tag ?? [], message: message, epoch: epoch,
      as: try eventID(untold.event.number), untold.event, draft: untold.draft,
      at: journal.clock())
    let (decision, before, standing) = try recalled(recall)
    // It hears why when it tells of the tag.
    if case .refused = decision { return }
    nameFreed(by: decision, before, job)
    try local(journal.note(epoch: standing.epoch, ofJob: job))
  }

  /// Has the pool know that the tag has the job, and where it stands. What the pool knows of the
  /// job's last event here is as new as this bench's word, or newer. Whether it had forgotten that.
  private func tellAgain(_ known: Journal.KnownBinding) throws(PoolError) -> Bool {
    if let last = known.last, try store.knows(eventID(last)) {
      try follow(known)
      return false
    }
    let isEnd = !known.standing.isWritten && !isToBeHeld(known)
    let (tag, message) = (known.binding.tag, known.binding.message)
    let recall = PoolRecall(
      job: known.job, tag: tag, message: message, epoch: known.epoch ?? 0,
      as: try eventID(known, isEnd: isEnd), event(.reserved, known), draft: known.draft,
      at: journal.clock())
    let (decision, before, standing) = try recalled(recall)
    switch decision {
    case .refused(.superseded):
      if known.standing.isWritten { try nameUnfinished(known.job, tag) }
      return false
    case .refused(let refusal):
      try refuseAgain(known, refusal)
      return false
    case .changed, .done: break
    }
    nameFreed(by: decision, before, known.job)
    if case .claimed = standing.state {
      // The tag could not have it.
      let bind = LedgerCommand.bind(
        bench: name, epoch: standing.epoch, tag: tag, message: message)
      guard try tell(bind, .reserved, known, isEnd: isEnd) else {
        _ = try store.letGo([PoolClaim(job: known.job, epoch: standing.epoch)])
        return false
      }
    }
    try finish(known, standing)
    if case .done = decision { return false }
    return true
  }

  /// The pool has a job on a tag of this bench that has given it back since. Nobody else says so.
  private func giveBackAgain(_ known: Event) throws(PoolError) {
    guard let job = known.job, let tag = known.tag,
      var standing = try store.standing(ofJob: job), standing.bench == name,
      let binding = standing.binding, binding.tag == tag,
      try !store.knows(eventID(known.number))
    else { return }
    if standing.isWritten {
      var event = known
      (event.cause, event.text) = (TagCause.restored.rawValue, PoolStore.restored)
      event.duration = 0
      let decision = try store.perform(
        .takeOver(bench: name, tag: tag, epoch: standing.epoch), on: job,
        as: EventID(), telling: event)
      guard case .changed(let steps) = decision else { return }
      standing = standing.after(steps)
    }
    var command = LedgerCommand.release(whoeverWorks: true, epoch: standing.epoch)
    if case .returned(_, _, let isScrap) = known.what {
      command = .giveBack(bench: name, epoch: standing.epoch, tag: tag, isScrap: isScrap)
    }
    _ = try store.perform(
      command, on: job, as: try eventID(known.number), telling: known)
  }

  /// A tag was finished here, and by a later word another bench has its job on it. Says so where
  /// the pool does not have it as finished.
  func nameUnfinished(_ job: Int, _ tag: [UInt8]) throws(PoolError) {
    let standing = try store.standing(ofJob: job)
    guard let standing, standing.binding?.tag == tag, !standing.isWritten else { return }
    tellNews(.unfinished(job: job, tag: UID(tag)))
  }

  /// Throws where the database has no such job: nothing of it may count as told then.
  private func recalled(
    _ recall: PoolRecall
  ) throws(PoolError) -> (decision: LedgerDecision, before: JobStanding, standing: JobStanding) {
    if let found = try store.recall(recall) { return found }
    try checkRows()
    throw .rowsMissing(store.address.batch, 1)
  }

  /// Has the bench know in which epoch it has the job: it may not have heard that.
  private func follow(_ known: Journal.KnownBinding) throws(PoolError) {
    guard let standing = try store.standing(ofJob: known.job), standing.bench == name,
      standing.binding?.tag == known.binding.tag
    else { return }
    try note(standing.epoch, known)
  }

  /// A finished or held tag has lost its job to one of this bench, which the database had
  /// forgotten.
  private func nameFreed(by decision: LedgerDecision, _ before: JobStanding, _ job: Int) {
    guard let tag = decision.setAside else { return }
    conflictCount.add()
    tellNews(
      .conflict(
        job: job, tag: UID(tag), before.isWritten ? Self.givenOutAgain : Self.leftUnfinished))
  }

  private static let givenOutAgain =
    "The job is on another tag, too, which the restored database did not know."
  private static let leftUnfinished =
    "The tag was left unfinished and may hold the job or a part of it. The job is on another tag, which the restored database did not know."

  private func note(_ epoch: Int64, _ known: Journal.KnownBinding) throws(PoolError) {
    guard epoch != known.epoch else { return }
    try local(journal.note(PoolClaim(job: known.job, epoch: epoch), boundTo: known.job))
  }

  /// Brings a job that is on its tag where it stands here.
  private func finish(
    _ known: Journal.KnownBinding, _ standing: JobStanding
  ) throws(PoolError) {
    try note(standing.epoch, known)
    let tag = known.binding
    if known.standing.isWritten {
      let finish = LedgerCommand.finish(
        bench: name, epoch: standing.epoch, tag: tag.tag, digest: tag.message.digest,
        known.standing.locks ?? TagLocks(isLocked: false, isProtected: false))
      _ = try tell(finish, .written, known, isEnd: true)
    } else if isToBeHeld(known) {
      let hold = LedgerCommand.hold(bench: name, epoch: standing.epoch, tag: tag.tag)
      _ = try tell(hold, .held, known, isEnd: true)
    }
  }

  /// Returns whether nobody works on the tag, and no later event of it waits to be told.
  private func isToBeHeld(_ known: Journal.KnownBinding) -> Bool {
    !known.goesOn && known.event.run != told?.id
  }

  /// False: the pool refuses it. `isEnd`: see `eventID`.
  private func tell(
    _ command: LedgerCommand, _ kind: EventKind, _ known: Journal.KnownBinding, isEnd: Bool
  ) throws(PoolError) -> Bool {
    let decision = try store.perform(
      command, on: known.job, as: try eventID(known, isEnd: isEnd),
      telling: event(kind, known), draft: known.draft)
    guard case .refused(let refusal) = decision else { return true }
    try refuseAgain(known, refusal)
    return false
  }

  /// Of something that is told again. `isEnd`: the pool knows all of it then, by the name of the
  /// last event.
  private func eventID(
    _ known: Journal.KnownBinding, isEnd: Bool
  ) throws(PoolError) -> EventID {
    guard isEnd, let last = known.last else { return EventID() }
    return try eventID(last)
  }

  private func event(_ kind: EventKind, _ known: Journal.KnownBinding) -> Event {
    let (tag, locks) = (known.binding, known.standing.locks)
    var event = Event(
      Happening(
        kind: kind.rawValue, job: known.job, tag: tag.tag, message: tag.message,
        isLocked: locks?.isLocked ?? false, isProtected: locks?.isProtected ?? false),
      station: known.event.station, reader: known.event.reader, started: known.event.started)
    if kind == .held {
      (event.cause, event.text) = (TagCause.restored.rawValue, PoolStore.restored)
    }
    (event.run, event.tagType) = (known.event.run, known.event.tagType)
    return event
  }

  private func refuseAgain(
    _ known: Journal.KnownBinding, _ refusal: LedgerRefusal
  ) throws(PoolError) {
    guard try contradict(refusal, of: known.job, on: known.binding.tag) else { return }
    var event = event(.passed, known)
    event.what = .passed(job: known.job, tag: known.binding.tag, setsAside: true)
    (event.cause, event.text) = (TagCause.conflict.rawValue, refusal.sentence)
    try store.tell(EventID(), event)
  }
}
