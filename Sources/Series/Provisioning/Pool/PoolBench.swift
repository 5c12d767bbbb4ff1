import Dispatch
import Foundation
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import Synchronization
import TagMemory

/// What a bench of a pool says beside its tags.
package enum PoolNews: Hashable, Sendable {
  /// The database does not answer, and why; so many jobs are claimed that can go on tags without
  /// it.
  case away(String, jobs: Int)
  /// It answers, and cannot be used as it is: why, and so many jobs as for `away`.
  case unusable(String, jobs: Int)
  /// Another bench loads the batch, or rows of it, and is waited for.
  case waiting
  /// The journal of this bench is an old copy, which is kept under another name: this machine goes
  /// on as a new bench.
  case copied(String, kept: String)
  /// The database had no such batch: it has this bench's list now.
  case made(jobs: Int)
  /// The database had forgotten so many tags of this bench, as it was restored from a backup.
  case reminded(tags: Int)
  /// The database had lost the batch, which is continued with so many tags of this machine.
  case takenUp(tags: Int)
  /// It answers again, and knows everything that happened meanwhile.
  case back
  /// This bench has finished the tag, and the database has it in another bench's hands as
  /// unfinished.
  case unfinished(job: Int, tag: UID)
  /// The pool contradicts what happened here while the database was away: the tag is not to be
  /// used.
  case conflict(job: Int, tag: UID?, String)
}

/// How many tags benches of one machine had to set aside in a run.
final class ConflictCount: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// One bench of a pool: its own journal, and the database that all benches share, which it owes
/// what happened here.
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
  let tellNews: @Sendable (PoolNews) -> Void
  let conflictCount: ConflictCount
  private let lock: SlotLock?
  /// One thread at a time speaks for the bench, so that reports keep their order.
  let voice = Mutex<Void>(())
  /// One thread at a time asks.
  let ears = Mutex<Void>(())
  let state = Mutex(State())
  private let alarm = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  struct State {
    weak var session: JournalSession?
    var told: BenchRun?
    var isAway = false
    /// Why it cannot be used although it answers, as was said last.
    var obstacle: PoolError?
    /// The database answers again, and is being told what happened meanwhile.
    var isReturning = false
    var isOver = false
    var nextTry = ContinuousClock.now
    var nextSign = ContinuousClock.now
    /// The type of the last tag: jobs are claimed for such ones.
    var tagType: String?
    /// The connection on which the pool has said how far it has heard; 0: it is to say so again.
    var askedOn = 0
    /// The pool has heard of the bench what its journal does not have, and tags that may have a job
    /// of others are not set aside yet.
    var (isCopied, leavesTags) = (false, false)
    /// The last event that the pool has, and the last that the journal knows as told.
    var toldUpTo: Int64 = 0
    var notedUpTo: Int64 = 0
    /// The jobs whose tags a restored database has heard of again.
    var reminded: Set<Int> = []
    /// The digest of a list of the batch that begins with this bench's rows.
    var knownList: [UInt8] = []
    var left = 0
    /// The last event that the pool had heard of then.
    var countedUpTo: Int64 = 0
    /// When all of them are counted again, however many there are.
    var nextCount = ContinuousClock.now
    /// Is true if somebody has closed the batch.
    var isClosed = false
    /// Of events that gave a job to a tag, or finished it, and were refused: why. The station that
    /// asks takes it.
    var refusals: [Int64: LedgerRefusal] = [:]
    /// Of such events those that no station asks for any more: the database was away when it did.
    var unasked: Set<Int64> = []
    /// Events for which stations wait to hear the pool's word.
    var waiting: Set<Int64> = []
    var onJobsLeft: (@Sendable (Int) -> Void)?
    /// What stations show, by name, and the pool has not heard.
    var untoldStations: [String: ShownStation] = [:]
  }

  init(
    _ store: PoolStore, _ journal: Journal, ahead: Int, lock: SlotLock?,
    _ conflicts: ConflictCount, _ tell: @escaping @Sendable (PoolNews) -> Void
  ) {
    (self.store, self.journal, self.ahead) = (store, journal, ahead)
    (self.lock, conflictCount, tellNews) = (lock, conflicts, tell)
  }

  /// What the pool calls this bench.
  package var name: String { store.bench }

  /// Is true if the database did not answer last.
  package var isAway: Bool { state.withLock { $0.isAway } }

  var told: BenchRun? { state.withLock { $0.told } }
  var currentSession: JournalSession? { state.withLock { $0.session } }

  // MARK: A run

  /// Begins a run: what the pool has not heard is sent, and what it has given to this bench is
  /// found out. Throws where the database does not answer.
  package func begin(_ session: JournalSession, _ told: BenchRun) throws(JournalError) {
    state.withLock { ($0.session, $0.told) = (session, told) }
    do throws(PoolError) {
      try voice.withLock { (_) throws(PoolError) in
        try store.sayAlive(host: told.host)
        try store.tell(told)
        try checkTwins()
        try settle()
        // The claims of a run that was killed may be in a copy of the journal, too.
        try giveBack()
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

  /// Brings the pool and this bench up to date: the bench tells the pool what happened here, and
  /// asks which jobs the pool has given to it.
  func settle() throws(PoolError) {
    try tellAll()
    try noteTold()
    // A job may have been released from its tag here and be claimed for this bench anew.
    try lookAfterReservations()
    try findClaims()
  }

  /// Ends a run: jobs that no tag got go back, where the database answers.
  package func end() {
    state.withLock { $0.isOver = true }
    alarm.signal()
    ended.wait()
    state.withLock { $0.nextTry = .now }
    _ = attempt { () throws(PoolError) in
      try tellAll()
      try noteTold()
      try tellStations()
      try giveBack()
      if let told {
        try store.tell(told, ended: journal.clock())
      }
      try store.sayGone()
    }
    _ = try? noteTold()
  }

  /// Stops as a process does that is killed: nothing more is reported or given back.
  func abandon() {
    state.withLock { $0.isOver = true }
    alarm.signal()
    ended.wait()
  }

  /// Calls `handler` now and then with how many jobs are left in the whole pool.
  package func onJobsLeft(_ handler: @escaping @Sendable (Int) -> Void) {
    state.withLock { $0.onJobsLeft = handler }
  }

  /// This many jobs have no tag yet: those that the pool counted last, less those that this bench
  /// has put on tags since.
  package var jobsLeft: Int {
    let free = (try? journal.freeClaims().count) ?? 0
    let (left, last) = state.withLock { ($0.left, $0.countedUpTo) }
    return max(left - ((try? journal.jobsTaken(after: last)) ?? 0), free)
  }

  package func countAgain() {
    _ = attempt { () throws(PoolError) in
      try tellAll()
      try countJobs(all: true)
    }
  }

  /// How many jobs of a batch that somebody has closed are on no tag; nil where it is open, or the
  /// database does not answer.
  package var leftWhenClosed: Int? {
    state.withLock { $0.isClosed } ? tally()?.pending : nil
  }

  /// How many tags were set aside in this run because the pool contradicts what this bench says of
  /// them, or another one of this machine for which this run has spoken.
  package var conflicts: Int { conflictCount.value }

  /// There is something to tell; nobody waits for it.
  package func poke() { alarm.signal() }

  /// What is done beside the stations.
  private func work() {
    if state.withLock({ $0.leavesTags }) { voice.withLock { _ in giveUp() } }
    guard state.withLock({ !$0.isOver && (!$0.isAway || $0.nextTry <= .now) }) else { return }
    let isGood = attempt { () throws(PoolError) in
      if try giveSign() { _ = try store.expire() }
      try tellAll()
      try noteTold()
      try tellStations()
      try claim(for: state.withLock { $0.tagType }, upTo: ahead)
      try countJobs()
    }
    guard isGood else { return }
    state.withLock { $0.onJobsLeft }?(jobsLeft)
  }

  /// Says that the bench is at work, where that is due.
  @discardableResult
  func giveSign() throws(PoolError) -> Bool {
    let isDue = state.withLock { state in
      guard state.nextSign <= .now else { return false }
      state.nextSign = .now + store.lease / 4
      return true
    }
    if isDue { try store.sayAlive(host: ProcessIdentity.current.host) }
    return isDue
  }

  /// Finds out how many jobs no tag has yet; gives how many of them no bench has claimed, either.
  /// Where there are many, that takes a while: without `all` they are counted for a fiftieth of the
  /// time at most.
  @discardableResult
  func countJobs(all: Bool = false) throws(PoolError) -> Int {
    let (most, start) = (1000, ContinuousClock.now)
    let all = state.withLock { all || $0.nextCount <= start }
    let (waiting, claimed, isClosed) = try store.progress(most: all ? nil : most)
    state.withLock { state in
      state.isClosed = isClosed
      if all { state.nextCount = .now + start.duration(to: .now) * 50 }
      guard all || max(waiting, claimed) < most else { return }
      (state.left, state.countedUpTo) = (waiting + claimed, state.toldUpTo)
    }
    if isClosed { try giveBack() }
    return waiting
  }

  /// Gives back what the pool has claimed for the bench and no tag has; the bench finishes what it
  /// has bound to tags. A closed batch and the end of a run call it.
  ///
  /// The pool says which claims there are: it may have claimed a job anew while a station of this
  /// bench still held the old claim, and the journal forgets both with the old one.
  private func giveBack() throws(PoolError) {
    let bound = try local(journal.dropFreeClaims())
    _ = try store.letGo(try store.ownClaims().filter { !bound.contains($0.job) })
  }
}
