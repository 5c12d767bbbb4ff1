import Dispatch
import Foundation
import Ledger
import LedgerPostgreSQL
import Synchronization
import TagMemory

/// What a bench of a pool says beside its tags.
package enum PoolNews: Hashable, Sendable {
  /// The database does not answer, and why; so many jobs are claimed that can go on tags without
  /// it.
  case away(String, jobs: Int)
  /// It answers again, and knows everything that happened meanwhile.
  case back
  /// The pool contradicts what happened here while the database was away: the tag is not to be
  /// used.
  case conflict(job: Int, tag: UID?, String)
}

/// One bench of a pool: its own journal, which is its outbox, and the database that all benches
/// share.
///
/// A job may go on a tag here once the pool has claimed it for this bench and has entrusted it: the
/// claim is on this bench's disk, and no clock ends it. What happens to a tag is written to the
/// bench's journal first, and told to the pool in the order in which it happened; a binding before
/// the tag is written, where the database answers. Without the database the bench goes on with the
/// jobs that it has, on tags that are blank and that it has never seen, and claims nothing.
package final class PoolBench: Sendable {
  /// The bench's own journal.
  package let journal: Journal
  let store: PoolStore
  /// How many jobs are claimed ahead.
  let ahead: Int
  private let tellNews: @Sendable (PoolNews) -> Void
  private let lock: SlotLock?
  /// One thread at a time speaks for the bench, so that reports keep their order.
  private let voice = Mutex<Void>(())
  private let state = Mutex(State())
  private let alarm = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  private struct State {
    weak var session: JournalSession?
    var told: PoolSession?
    var isAway = false
    var isOver = false
    var nextTry = ContinuousClock.now
    var nextSign = ContinuousClock.now
    /// The type of the last tag: jobs are claimed for such ones.
    var tagType: String?
    var left = 0
    /// Of events that gave a job to a tag and were refused: why. Whoever waits takes them.
    var refusals: [Int64: (refusal: LedgerRefusal, at: ContinuousClock.Instant)] = [:]
    var onJobsLeft: (@Sendable (Int) -> Void)?
  }

  init(
    _ store: PoolStore, _ journal: Journal, ahead: Int, lock: SlotLock?,
    _ tell: @escaping @Sendable (PoolNews) -> Void
  ) {
    (self.store, self.journal, self.ahead) = (store, journal, ahead)
    (self.lock, tellNews) = (lock, tell)
  }

  /// What the pool calls this bench.
  package var name: String { store.bench }

  /// Whether the database did not answer last.
  package var isAway: Bool { state.withLock { $0.isAway } }

  var told: PoolSession? { state.withLock { $0.told } }
  var currentSession: JournalSession? { state.withLock { $0.session } }

  // MARK: A run

  /// Begins a run: what the pool has not heard is sent, and what it has given to this bench is
  /// found out. Throws where the database does not answer.
  func begin(_ session: JournalSession, _ told: PoolSession) throws(JournalError) {
    state.withLock { ($0.session, $0.told) = (session, told) }
    do throws(PoolError) {
      try voice.withLock { (_) throws(PoolError) in
        try store.sayAlive(host: told.host)
        try store.tell(told)
        try catchUp()
        try tellAll()
        try findClaims()
        try lookAfterReservations()
        try claim(for: nil, upTo: ahead)
        try countJobs()
      }
    } catch {
      throw JournalError(error)
    }
    DispatchQueue(label: "pool").async { [self] in
      while !state.withLock({ $0.isOver }) {
        _ = alarm.wait(timeout: .now() + 0.5)
        work()
      }
      ended.signal()
    }
  }

  /// Ends a run: jobs that no tag got go back, where the database answers.
  func end() {
    state.withLock { $0.isOver = true }
    alarm.signal()
    ended.wait()
    _ = attempt { () throws(PoolError) in
      try tellAll()
      let free = try local { () throws(JournalError) in try journal.freeClaims() }
      _ = try store.letGo(free.map { PoolClaim(job: $0.job, epoch: $0.epoch) })
      try local { () throws(JournalError) in try journal.forget(free.map(\.job)) }
      if let told {
        try store.tell(told, ended: journal.clock())
      }
    }
    announceRefusals(olderThan: .zero)
  }

  /// Stops as a process does that is killed: nothing more is reported or given back.
  func abandon() {
    state.withLock { $0.isOver = true }
    alarm.signal()
    ended.wait()
  }

  /// Calls `handler` now and then with how many jobs are left in the whole pool.
  func onJobsLeft(_ handler: @escaping @Sendable (Int) -> Void) {
    state.withLock { $0.onJobsLeft = handler }
  }

  /// How many jobs no tag has yet, as far as is known.
  var jobsLeft: Int {
    let free = (try? journal.freeClaims().count) ?? 0
    return state.withLock { max($0.left, free) }
  }

  /// There is something to tell; nobody waits for it.
  func poke() { alarm.signal() }

  /// What is done beside the stations.
  private func work() {
    guard state.withLock({ !$0.isOver && (!$0.isAway || $0.nextTry <= .now) }) else { return }
    let isGood = attempt { () throws(PoolError) in
      let isDue = state.withLock { state in
        guard state.nextSign <= .now else { return false }
        state.nextSign = .now + store.lease / 4
        return true
      }
      if isDue {
        try store.sayAlive(host: ProcessIdentity.current.host)
        _ = try store.expire()
      }
      try tellAll()
      try claim(for: state.withLock { $0.tagType }, upTo: ahead)
      try countJobs()
    }
    announceRefusals(olderThan: .seconds(2))
    guard isGood else { return }
    let (left, handler) = state.withLock { ($0.left, $0.onJobsLeft) }
    handler?(left)
  }

  func countJobs() throws(PoolError) {
    let left = try store.jobsLeft()
    state.withLock { $0.left = left }
  }

  // MARK: The database, there or not

  /// Carries `body` out as the bench's only voice; false where the database does not answer.
  func attempt(_ body: () throws(PoolError) -> Void) -> Bool {
    do throws(PoolError) {
      try voice.withLock { (_) throws(PoolError) in try body() }
    } catch {
      let isNews = state.withLock { state in
        defer {
          state.isAway = true
          state.nextTry = .now + .seconds(1)
        }
        return !state.isAway
      }
      if isNews {
        tellNews(.away("\(error)", jobs: (try? journal.freeClaims().count) ?? 0))
      }
      return false
    }
    let isNews = state.withLock { state in
      defer { state.isAway = false }
      return state.isAway
    }
    if isNews { tellNews(.back) }
    return true
  }

  /// The bench's own journal as a part of what it reports: its failures end nothing here, as
  /// whoever works on a tag meets them himself.
  func local<Value>(_ body: () throws(JournalError) -> Value) throws(PoolError) -> Value {
    do throws(JournalError) { return try body() } catch { throw .failed("\(error)") }
  }

  // MARK: Telling

  /// Tells all that the pool has not heard, in order.
  func tellAll() throws(PoolError) {
    while let untold = try local({ () throws(JournalError) in try journal.firstUntold() }) {
      try tell(untold)
    }
    try tellInspections()
  }

  private func tell(_ untold: Journal.Untold) throws(PoolError) {
    let id = eventID(untold.event.number)
    guard let job = untold.event.job, untold.was != nil,
      let command = command(untold), untold.stage != "conflict"
    else {
      try store.tell(id, passed(untold), untold.detail)
      return try local { () throws(JournalError) in try journal.noteTold(untold, epoch: nil) }
    }
    let decision = try store.perform(command, on: job, as: id, telling: untold.event, untold.detail)
    switch decision {
    case .changed(let standing, _):
      return try local { () throws(JournalError) in
        try journal.noteTold(untold, epoch: standing.epoch)
      }
    case .done:
      return try local { () throws(JournalError) in try journal.noteTold(untold, epoch: nil) }
    case .refused(let refusal):
      if try store.knows(id) {
        // The pool has heard of it, and its answer was lost.
        let epoch = try store.standing(ofJob: job)?.epoch
        return try local { () throws(JournalError) in try journal.noteTold(untold, epoch: epoch) }
      }
      try refuse(untold, refusal, id)
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
      try journal.noteTold(untold, epoch: nil)
    }
    guard !isHarmless else { return }
    state.withLock { $0.refusals[untold.event.number] = (refusal, .now) }
  }

  func noteRefusal(_ refusal: LedgerRefusal, of event: Int64) {
    state.withLock { $0.refusals[event] = (refusal, .now) }
  }

  /// Says which tags the pool contradicts, unless a station that waits for the answer takes it.
  private func announceRefusals(olderThan age: Duration) {
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

  private func command(_ untold: Journal.Untold) -> LedgerCommand? {
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

  // MARK: Claims

  /// Claims jobs until this bench has `count` that no tag has. Those of a claim whose answer was
  /// lost are asked for once more.
  func claim(for tagType: String?, upTo count: Int) throws(PoolError) {
    let held = try local { () throws(JournalError) in try journal.freeClaims() }
    if held.count < count, !state.withLock({ $0.isOver }) {
      let claims = try store.claim(count - held.count, for: tagType)
      try local { () throws(JournalError) in try journal.keep(claims) }
    }
    try settleClaims()
  }

  /// Has the pool entrust what it has claimed for this bench, now that it is on this bench's disk.
  private func settleClaims() throws(PoolError) {
    let open = try local { () throws(JournalError) in try journal.freeClaims() }
      .filter { $0.stage == "claimed" }.map { PoolClaim(job: $0.job, epoch: $0.epoch) }
    guard !open.isEmpty else { return }
    let entrusted = try store.entrust(open)
    try local { () throws(JournalError) in try journal.settle(open, entrusted: entrusted) }
  }

  /// Asks for a job for a tag that lies there, or for the one of this number; false where the
  /// database does not answer.
  func claimNow(for tagType: String?, wanted: Int?) -> Bool {
    state.withLock { $0.tagType = tagType }
    if isAway { return false }
    return attempt { () throws(PoolError) in
      try tellAll()
      guard let wanted else {
        let held = try local { () throws(JournalError) in try journal.freeClaims().count }
        return try claim(for: tagType, upTo: max(ahead, held + 1))
      }
      if let claim = try store.claim(job: wanted) {
        try local { () throws(JournalError) in try journal.keep([claim]) }
      }
      try settleClaims()
    }
  }

  func note(tagType: String?) { state.withLock { $0.tagType = tagType } }

  /// Which jobs are this bench's, at the beginning of a run: what the pool says.
  private func findClaims() throws(PoolError) {
    let own = try store.ownClaims()
    let known = Set(own.map { $0.job })
    let held = try local { () throws(JournalError) in try journal.freeClaims() }
    try local { () throws(JournalError) in
      try journal.forget(held.map(\.job).filter { !known.contains($0) })
      try journal.keep(own.filter { $0.job <= store.lastJob })
    }
    try settleClaims()
  }
}
