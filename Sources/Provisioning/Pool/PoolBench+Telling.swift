import Foundation
import Ledger
import LedgerPostgreSQL
import TagMemory

/// What the pool hears of this bench, in the order in which it happened, and what it answers.
extension PoolBench {
  /// Sends the pool all events that it does not know, in order; those of several stations with one
  /// commit.
  func tellAll() throws(PoolError) {
    while true {
      let start = state.withLock { $0.toldUpTo }
      let untold = try local { () throws(JournalError) in
        try journal.untold(after: start, limit: Self.together)
      }
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

  /// Whether the pool has heard of it, though its answer was lost or not noted. What was done then
  /// is not done again: others may have gone on with the job since.
  private func isKnown(_ untold: Journal.Untold) throws(PoolError) -> Bool {
    guard try store.knows(eventID(untold.event.number)) else { return false }
    if let job = untold.event.job, untold.was != nil,
      let epoch = try store.standing(ofJob: job)?.epoch
    {
      try note(epoch, of: untold)
    }
    return true
  }

  private static let together = 64

  /// Tells as many of them as can be told with one commit; false: none.
  private func tellTogether(_ untold: [Journal.Untold]) throws(PoolError) -> Bool {
    // What is said of a job once more builds on the pool's answer.
    var jobs: Set<Int> = []
    let few = untold.prefix { $0.event.job.map { jobs.insert($0).inserted } ?? true }
    let reports = few.map { untold -> PoolReport in
      let command = command(untold)
      return PoolReport(
        eventID(untold.event.number), command, command == nil ? passed(untold) : untold.event,
        untold.detail)
    }
    let decisions: [LedgerDecision]
    do throws(PoolError) { decisions = try store.perform(reports) } catch {
      guard case .failed = error else { throw error }
      return false
    }
    for (untold, decision) in zip(few, decisions) {
      if case .changed(let standing, _) = decision { try note(standing.epoch, of: untold) }
      noteTold(untold)
    }
    return !decisions.isEmpty
  }

  /// Remembers that the pool knows the event. The journal gets this only now and then: if it is
  /// lost in a crash, the event is sent again, which changes nothing.
  private func noteTold(_ untold: Journal.Untold) {
    state.withLock { $0.toldUpTo = untold.event.number }
  }

  private func note(_ epoch: Int64, of untold: Journal.Untold) throws(PoolError) {
    guard epoch != untold.epoch, let job = untold.event.job else { return }
    try local { () throws(JournalError) in try journal.note(epoch: epoch, ofJob: job) }
  }

  /// Notes what the pool has heard.
  func noteTold() throws(PoolError) {
    let (told, noted) = state.withLock { ($0.toldUpTo, $0.notedUpTo) }
    guard told > noted else { return }
    try local { () throws(JournalError) in try journal.noteTold(upTo: told) }
    state.withLock { $0.notedUpTo = told }
  }

  private func tell(_ untold: Journal.Untold) throws(PoolError) {
    let id = eventID(untold.event.number)
    guard let job = untold.event.job, let command = command(untold) else {
      return try store.tell(id, passed(untold), untold.detail)
    }
    switch try store.perform(command, on: job, as: id, telling: untold.event, untold.detail) {
    case .changed(let standing, _): try note(standing.epoch, of: untold)
    case .done: break
    case .refused(let refusal):
      if try !isKnown(untold) { try refuse(untold, refusal, id) }
    }
  }

  /// The pool refuses what has happened here.
  private func refuse(
    _ untold: Journal.Untold, _ refusal: LedgerRefusal, _ id: EventID
  ) throws(PoolError) {
    let job = untold.event.job ?? 0
    var event = passed(untold)
    event = LedgerEvent(
      number: 0, kind: event.kind, job: event.job, tag: event.tag, station: event.station,
      reader: event.reader, cause: refusal == .superseded ? "elsewhere" : "conflict",
      text: refusal.sentence, started: event.started, duration: event.duration)
    try store.tell(id, event, untold.detail)
    let isHarmless =
      refusal == .superseded || untold.event.kind == "returned" || untold.event.kind == "refused"
      || untold.event.kind == "released"
    try local { () throws(JournalError) in
      if isHarmless {
        if let session = currentSession { try journal.drop(job, session, Journal.elsewhere) }
      } else {
        try journal.markConflict(job)
      }
    }
    guard !isHarmless else { return }
    state.withLock { $0.refusals[untold.event.number] = (refusal, .now) }
  }

  func noteRefusal(_ refusal: LedgerRefusal, of event: Int64) {
    state.withLock { $0.refusals[event] = (refusal, .now) }
  }

  /// Says which tags the pool contradicts, unless a station that waits for the answer takes it.
  func announceRefusals(olderThan age: Duration) {
    let old = state.withLock { state in
      let old = state.refusals.filter { $0.value.at + age <= .now }
      for number in old.keys { state.refusals[number] = nil }
      return old
    }
    for (number, refused) in old.sorted(by: { $0.key < $1.key }) {
      guard let event = try? journal.events(after: number - 1, limit: 1).first,
        let job = event.job, let session = currentSession
      else { continue }
      let trouble = TagTrouble("conflict", refused.refusal.sentence)
      try? journal.hold(conflict: job, session, trouble)
      tellNews(.conflict(job: job, tag: event.tag.map { UID($0) }, refused.refusal.sentence))
    }
  }

  /// What the pool says of an event that a station waits for.
  enum Answer {
    case good
    case away
    case refused(LedgerRefusal)
  }

  /// Makes sure that the pool knows of the event with this number, as of all before it.
  func confirm(_ event: Int64) -> Answer {
    if isAway { return .away }
    guard attempt({ () throws(PoolError) in try tellAll() }) else { return .away }
    let refused = state.withLock { $0.refusals.removeValue(forKey: event) }
    return refused.map { .refused($0.refusal) } ?? .good
  }

  /// Nil for what changes no job, or is about one that the pool contradicts.
  private func command(_ untold: Journal.Untold) -> LedgerCommand? {
    guard untold.event.job != nil, untold.was != nil, untold.stage != "conflict" else { return nil }
    let (tag, epoch) = (untold.event.tag ?? [], untold.epoch ?? -1)
    switch EventKind(rawValue: untold.event.kind) {
    case .reserved where untold.was == "pending":
      return .bind(bench: name, epoch: epoch, tag: tag, message: untold.digest)
    case .reserved, .resumed: return .takeOver(bench: name, tag: tag)
    case .written: return .finish(bench: name, epoch: epoch, tag: tag, message: untold.digest)
    case .held: return .hold(bench: name, epoch: epoch, tag: tag)
    case .returned:
      return .giveBack(bench: name, epoch: epoch, tag: tag, isScrap: untold.isScrap)
    case .refused: return .refuse(bench: name, epoch: epoch)
    case .released: return .release(whoeverWorks: true)
    case .retried: return .retry
    case .passed, nil: return nil
    }
  }

  /// The event as one that changes no job.
  private func passed(_ untold: Journal.Untold) -> LedgerEvent {
    let event = untold.event
    return LedgerEvent(
      number: 0, kind: EventKind.passed.rawValue, job: event.job, tag: event.tag,
      station: event.station, reader: event.reader, cause: event.cause, text: event.text,
      started: event.started, duration: event.duration)
  }

  func eventID(_ number: Int64) -> EventID {
    EventID(Journal.poolName("event", number, of: name)) ?? EventID()
  }
}
