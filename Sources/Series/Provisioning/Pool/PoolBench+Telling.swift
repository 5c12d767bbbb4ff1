import Foundation
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// What the pool hears of this bench, in the order in which it happened, and what it answers.
extension PoolBench {
  /// Sends the pool all events that it does not know. Where it has heard of the bench what is not
  /// in this journal, the bench gives up.
  func tellAll() throws(PoolError) {
    do throws(PoolError) {
      let asked = state.withLock { $0.askedOn }
      while try !tellBehindLast() {}
      if asked != state.withLock({ $0.askedOn }) { try checkTwins() }
    } catch {
      if error == .copied { giveUp() }
      throw error
    }
  }

  /// Returns whether all was told on one connection.
  private func tellBehindLast() throws(PoolError) -> Bool {
    do throws(PoolError) {
      try askLast()
      try tellEvents()
      return true
    } catch {
      guard error == .renewed else { throw error }
      return false
    }
  }

  /// Sends the events in order; those of several stations with one commit.
  private func tellEvents() throws(PoolError) {
    while true {
      let start = state.withLock { $0.toldUpTo }
      let untold = try local(journal.untold(after: start, limit: Self.together))
      guard let first = untold.first else { break }
      // There may be much of it after a restore.
      try giveSign()
      if untold.count > 1, try tellTogether(untold) { continue }
      try tell(first)
    }
    sayReminded()
    try tellInspections()
  }

  /// So many events are looked at together.
  static let together = 64

  /// Tells as many of them as can be told with one commit; false: none.
  private func tellTogether(_ untold: [Journal.Untold]) throws(PoolError) -> Bool {
    // What is said of a job in another epoch builds on the pool's answer, unless it is said again.
    var jobs: Set<Int> = []
    let few = untold.prefix { untold in
      guard !untold.isInConflict else { return false }
      guard let job = untold.event.job else { return true }
      let isGood = untold.isAgain || !jobs.contains(job)
      if untold.isAgain || !untold.event.keepsEpoch(before: untold.before) { jobs.insert(job) }
      return isGood
    }
    let reports = try few.map { (untold) throws(PoolError) in try report(untold) }
    let answers: [PoolAnswer]
    do throws(PoolError) { answers = try store.perform(reports, heardOn: askedOn) } catch {
      guard case .failed = error else { throw error }
      return false
    }
    for (untold, answer) in zip(few, answers) { try take(answer, of: untold) }
    return !answers.isEmpty
  }

  /// What the pool hears of an event.
  private func report(_ untold: Journal.Untold) throws(PoolError) -> PoolReport {
    let (event, id) = (untold.event, try eventID(untold.event.number))
    var commands: [LedgerCommand] = []
    if untold.isInConflict {
      // The pool contradicts what is said of the tag.
    } else if untold.isAgain {
      if untold.isTakenBack, !event.isEcho {
        return PoolReport(
          id, [], passed(untold, .elsewhere, untold.event.text ?? Journal.elsewhere.text))
      }
      commands = event.commandsAgain(of: name, before: untold.before)
    } else if let command = event.command(
      of: name, before: untold.before, epoch: untold.epoch ?? -1)
    {
      commands = [command]
    }
    return PoolReport(
      id, commands, commands.isEmpty ? passed(untold) : event, draft: untold.draft)
  }

  /// The pool has heard of the event. The journal gets this only now and then: if it is lost in a
  /// crash, the pool says so.
  private func take(_ answer: PoolAnswer, of untold: Journal.Untold) throws(PoolError) {
    if let epoch = answer.decision.epoch { try note(epoch, of: untold) }
    noteReminded(of: untold, answer)
    state.withLock { state in
      state.toldUpTo = untold.event.number
      state.unasked.remove(untold.event.number)
    }
  }

  /// In which epoch the job of an event is.
  func note(_ epoch: Int64, of untold: Journal.Untold) throws(PoolError) {
    guard epoch != untold.epoch, let job = untold.event.job else { return }
    try local(journal.note(epoch: epoch, ofJob: job))
  }

  /// Notes what the pool has heard.
  func noteTold() throws(PoolError) {
    let (told, noted) = state.withLock { ($0.toldUpTo, $0.notedUpTo) }
    guard told > noted else { return }
    try local(journal.noteTold(upTo: told))
    state.withLock { $0.notedUpTo = told }
  }

  private func tell(_ untold: Journal.Untold) throws(PoolError) {
    let report = try report(untold)
    let answer = try store.perform(report, heardOn: askedOn)
    if case .refused = answer.decision, try store.knows(report.id) {
      try takeAnswer(untold)
    } else if case .refused(let refusal) = answer.decision {
      guard refusal != .forgotten else {
        // It has given the job out in that epoch, and does not know it.
        let last = state.withLock { $0.toldUpTo }
        return try noteForgotten(behind: last, knownUpTo: last)
      }
      try refuse(untold, refusal, report.id, answer.before)
    }
    try take(answer, of: untold)
  }

  /// The pool refuses what has happened here. What follows from that is on this bench's disk before
  /// the pool hears that it is known: a bench that dies in between is refused again.
  private func refuse(
    _ untold: Journal.Untold, _ refusal: LedgerRefusal, _ id: EventID, _ before: JobStanding
  ) throws(PoolError) {
    let event = untold.event
    let kind = event.what.kind
    // Of what the pool had heard before, the bench's last word on a job decides.
    let isMeant = untold.isLast || !untold.isHeard
    var isConflict = false
    if kind == .reserved, !untold.isHeard, untold.before.isWritten,
      let held = untold.before.binding, let session = currentSession
    {
      try local(journal.voidInspection(taking: event, holding: held.message, session))
    }
    if isMeant, !event.isEcho, !leave(refusal, of: untold), let job = event.job, let tag = event.tag
    {
      switch kind {
      case .reserved, .resumed, .written, .held:
        isConflict = try contradict(refusal, of: job, on: tag)
        if kind == .written, refusal == .superseded, !isAsked(event.number) {
          try nameUnfinished(job, tag)
        }
      default:
        if let session = currentSession {
          try local(journal.drop(job, from: tag, session, Journal.elsewhere))
          guard kind == .returned || kind == .released, let held = untold.before.binding,
            !untold.isAgain || before.binding?.tag == tag
          else { break }
          let presented = PresentedTag(
            uid: UID(tag), tagType: event.tagType, station: event.station ?? "",
            reader: event.reader ?? "")
          try local(journal.noteElsewhere(job, on: presented, holding: held.message, session))
        }
      }
      // Of a tag that cannot have the job, the claim is still this bench's; its journal is done
      // with it.
      if kind == .reserved, refusal.leavesClaim, let epoch = untold.epoch {
        _ = try store.letGo([PoolClaim(job: job, epoch: epoch)])
      }
    }
    let cause = isConflict ? TagCause.conflict : .elsewhere
    let setsAside = isConflict || event.setsAsideAgain(isHeard: untold.isHeard)
    try store.tell(
      id, passed(untold, cause, refusal.sentence, setsAside: setsAside), heardOn: askedOn)
  }

  /// Leaves a refusal to the station that has asked for it, or will, before it writes the tag.
  /// False: none does.
  private func leave(_ refusal: LedgerRefusal, of untold: Journal.Untold) -> Bool {
    let kind = untold.event.what.kind
    return state.withLock { state in
      guard let run = state.told?.id, untold.event.run == run, !untold.isHeard,
        !state.unasked.contains(untold.event.number)
      else { return false }
      switch kind {
      case .reserved, .resumed:
        state.refusals[untold.event.number] = refusal
        return true
      case .written:
        // The station says so, and its tag is set aside whether it does or not.
        state.refusals[untold.event.number] = refusal
        return false
      default: return false
      }
    }
  }

  /// Returns whether the station that waits for the pool's word on the event hears why it was
  /// refused.
  private func isAsked(_ event: Int64) -> Bool { state.withLock { $0.refusals[event] != nil } }

  /// A tag has a job here that the pool has in other hands: it is set aside, which is said before
  /// it is noted, so that it is said at least once. False: nothing is wrong with the tag, or the
  /// bench has no job on it any more.
  func contradict(
    _ refusal: LedgerRefusal, of job: Int, on tag: [UInt8]
  ) throws(PoolError) -> Bool {
    guard let session = currentSession else { throw .bench("The run is over.") }
    guard refusal != .superseded else {
      try local(journal.drop(job, from: tag, session, Journal.elsewhere))
      return false
    }
    let isThere = try local(journal.jobs(where: .onTag(tag)) == [job])
    guard isThere else {
      return try local(journal.isInConflict(tag))
    }
    conflictCount.add()
    tellNews(.conflict(job: job, tag: UID(tag), refusal.sentence))
    try local(journal.setAside(tag, of: job, session, TagTrouble(.conflict, refusal.sentence)))
    return true
  }

  /// What the pool says of an event that a station waits for.
  enum Answer {
    case good
    /// The pool did not hear of it; why, where the bench itself has failed.
    case away(String?)
    case refused(LedgerRefusal)
  }

  /// Makes sure that the pool knows of the event with this number, as of all before it.
  func confirm(_ event: Int64) -> Answer {
    let mayAsk = state.withLock { state in
      state.waiting.insert(event)
      return !state.isAway || state.isReturning
    }
    var failure: String?
    let isHeard =
      mayAsk
      && attempt { () throws(PoolError) in
        do throws(PoolError) { try tellAll() } catch {
          if case .bench(let reason) = error { failure = reason }
          throw error
        }
      }
    return state.withLock { state in
      state.waiting.remove(event)
      if let refusal = state.refusals.removeValue(forKey: event) { return .refused(refusal) }
      if !isHeard { state.unasked.insert(event) }
      return isHeard ? .good : .away(failure)
    }
  }

  /// The event as one that changes no job.
  func passed(
    _ untold: Journal.Untold, _ cause: TagCause? = nil, _ text: String? = nil,
    setsAside: Bool? = nil
  ) -> Event {
    var event = untold.event
    event.what = .passed(
      job: event.job, tag: event.tag, setsAside: setsAside ?? untold.isInConflict)
    if untold.isInConflict { event.cause = TagCause.conflict.rawValue }
    if let cause { event.cause = cause.rawValue }
    event.text = text ?? event.text
    return event
  }

  func eventID(_ number: Int64) throws(PoolError) -> EventID {
    guard let name = try local(journal.eventName(number)) else {
      throw .bench("Event \(number) is no longer in the journal.")
    }
    return name
  }
}
