import Foundation
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// What the pool hears of this bench, in the order in which it happened, and what it answers.
extension PoolBench {
  /// Sends the pool all events that it does not know, in order; those of several stations with one
  /// commit.
  func tellAll() throws(PoolError) {
    while true {
      let start = state.withLock { $0.toldUpTo }
      let untold = try local(journal.untold(after: start, limit: Self.together))
      guard let first = untold.first, let last = untold.last else { break }
      do throws(PoolError) {
        if first.event.number <= state.withLock({ $0.doubtUpTo }) {
          if try !isKnown(first) { try tell(first) }
        } else {
          if untold.count > 1, try tellTogether(untold) { continue }
          try tell(first)
        }
      } catch {
        // Its answer may be lost.
        state.withLock { $0.doubtUpTo = max($0.doubtUpTo, last.event.number) }
        throw error
      }
      noteTold(first)
    }
    try tellInspections()
  }

  /// Returns whether the pool has heard of it, though its answer was lost or not noted. What was
  /// done then is not done again: others may have gone on with the job since.
  private func isKnown(_ untold: Journal.Untold) throws(PoolError) -> Bool {
    guard try store.knows(eventID(untold.event.number)) else { return false }
    if let job = untold.event.job, untold.event.what.changesJob,
      let standing = try store.standing(ofJob: job), standing.bench == name,
      standing.binding?.tag == untold.event.tag
    {
      try note(standing.epoch, of: untold)
    }
    return true
  }

  private static let together = 64

  /// Tells as many of them as can be told with one commit; false: none.
  private func tellTogether(_ untold: [Journal.Untold]) throws(PoolError) -> Bool {
    // What is said of a job once more builds on the pool's answer.
    var jobs: Set<Int> = []
    let few = untold.prefix { untold in
      !untold.isInConflict && untold.event.job.map { jobs.insert($0).inserted } ?? true
    }
    let reports = try few.map { (untold) throws(PoolError) -> PoolReport in
      let command = command(untold)
      return PoolReport(
        try eventID(untold.event.number), command, command == nil ? passed(untold) : untold.event,
        draft: untold.draft)
    }
    let decisions: [LedgerDecision]
    do throws(PoolError) { decisions = try store.perform(reports) } catch {
      guard case .failed = error else { throw error }
      return false
    }
    for (untold, decision) in zip(few, decisions) {
      try note(decision, of: untold)
      noteTold(untold)
    }
    return !decisions.isEmpty
  }

  /// Remembers that the pool knows the event. The journal gets this only now and then: if it is
  /// lost in a crash, the event is sent again, which changes nothing.
  private func noteTold(_ untold: Journal.Untold) {
    state.withLock { state in
      state.toldUpTo = untold.event.number
      state.unasked.remove(untold.event.number)
    }
  }

  /// In which epoch the job is after a decision.
  private func note(_ decision: LedgerDecision, of untold: Journal.Untold) throws(PoolError) {
    if let epoch = decision.epoch { try note(epoch, of: untold) }
  }

  private func note(_ epoch: Int64, of untold: Journal.Untold) throws(PoolError) {
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
    let id = try eventID(untold.event.number)
    guard let job = untold.event.job, let command = command(untold) else {
      return try store.tell(id, passed(untold))
    }
    switch try store.perform(command, on: job, as: id, telling: untold.event, draft: untold.draft) {
    case .refused(let refusal):
      if try !isKnown(untold) { try refuse(untold, refusal, id) }
    case let decision: try note(decision, of: untold)
    }
  }

  /// The pool refuses what has happened here. What follows from that is on this bench's disk before
  /// the pool hears that it is known: a bench that dies in between is refused again.
  private func refuse(
    _ untold: Journal.Untold, _ refusal: LedgerRefusal, _ id: EventID
  ) throws(PoolError) {
    let event = untold.event
    let kind = event.what.kind
    var isConflict = false
    if kind == .reserved, untold.before.isWritten, let held = untold.before.binding,
      let session = currentSession
    {
      try local(journal.voidInspection(taking: event, holding: held.message, session))
    }
    if !leave(refusal, of: untold), let job = event.job, let tag = event.tag {
      switch kind {
      case .reserved, .resumed, .written, .held:
        isConflict = try contradict(refusal, of: job, on: tag)
        if kind == .written, refusal == .superseded, !isAsked(event.number) {
          try nameUnfinished(job, tag)
        }
      default:
        if let session = currentSession {
          try local(journal.drop(job, from: tag, session, Journal.elsewhere))
          guard kind == .returned || kind == .released, let held = untold.before.binding else {
            break
          }
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
    try store.tell(
      id, passed(untold, cause, refusal.sentence, setsAside: isConflict))
  }

  /// Leaves a refusal to the station that has asked for it, or will, before it writes the tag.
  /// False: none does.
  private func leave(_ refusal: LedgerRefusal, of untold: Journal.Untold) -> Bool {
    let kind = untold.event.what.kind
    return state.withLock { state in
      guard let run = state.told?.id, untold.event.run == run,
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
    let mayAsk = state.withLock { !$0.isAway || $0.isReturning }
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
      if let refusal = state.refusals.removeValue(forKey: event) { return .refused(refusal) }
      if !isHeard { state.unasked.insert(event) }
      return isHeard ? .good : .away(failure)
    }
  }

  /// Nil for what changes no job, or is about one that the pool contradicts.
  func command(_ untold: Journal.Untold) -> LedgerCommand? {
    guard !untold.isInConflict else { return nil }
    let epoch = untold.epoch ?? -1
    switch untold.event.what {
    case .reserved(_, let tag, let message) where untold.before.isPending:
      return .bind(bench: name, epoch: epoch, tag: tag, message: message)
    case .reserved(_, let tag, let message):
      return .takeOver(bench: name, tag: tag, message: message, epoch: epoch)
    case .resumed(_, let tag): return .takeOver(bench: name, tag: tag, epoch: epoch)
    case .written(_, let tag, let digest, let locks):
      return .finish(bench: name, epoch: epoch, tag: tag, digest: digest, locks)
    case .held(_, let tag): return .hold(bench: name, epoch: epoch, tag: tag)
    case .returned(_, let tag, let isScrap):
      return .giveBack(bench: name, epoch: epoch, tag: tag, isScrap: isScrap)
    case .refused: return .refuse(bench: name, epoch: epoch)
    case .released: return .release(whoeverWorks: true, epoch: epoch)
    case .retried: return .retry
    case .passed, .unknown: return nil
    }
  }

  /// The event as one that changes no job.
  private func passed(
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
    try local(journal.eventName(number))
  }
}
