import JobLists
import Ledger
import LedgerSQLite
import Readers
import Synchronization
import TagMemory

/// What all stations of a line share: how far the run has come, and whether it goes on.
final class LineState: Sendable {
  fileprivate struct Values {
    var summary = LineSummary()
    /// Why the run ends; nil while it goes on.
    var ending: LineEnding?
    /// Tags that stations work on.
    var inFlight = 0
    /// Jobs that stations have in hand, and how many they have had.
    var inHand = 0
    var taken = 0
    /// So many jobs waited for a tag when they were last counted: other processes may take some.
    var pending: Int
    /// Tags that may hold an unfinished job.
    var waitedFor: Set<UID>
    /// Good tags that wait for their inspection.
    var due: Set<UID> = []
    /// Is true if rows may come to the list.
    var follows = false
    /// Is true if no number of good tags is all.
    var isEndless = false
    var lostReaders: Set<String> = []
    /// Why jobs did not fit the tags that were there, by number.
    var unsuited: [Int: String] = [:]
    /// The type of tag that jobs for any type go to, once a tag has one, and how many tags have
    /// one, or may get one.
    var bound: (type: String, tags: Int)?
    let now: @Sendable () -> Duration
    var lastActivity: Duration
    var steps: [(name: String, duration: Duration)] = []
  }

  private let values: Mutex<Values>
  private let options: LineOptions
  private let start: Duration

  init(
    _ options: LineOptions, isEndless: Bool = false, pending: Int, waitedFor: Set<UID>,
    clock: HostClock = .system
  ) {
    self.options = options
    start = clock.now()
    values = Mutex(
      Values(
        pending: pending, waitedFor: waitedFor, follows: options.follows,
        isEndless: isEndless || options.rewrite, now: clock.now, lastActivity: start))
  }

  // MARK: Going on

  var isOver: Bool { values.withLock { $0.ending != nil } }

  /// Is true unless the run has ended because the journal or the labels could not be written.
  var canRecord: Bool {
    values.withLock { values in
      switch values.ending {
      case .journal, .labels: false
      default: true
      }
    }
  }

  /// Ends the run; the first reason counts, unless a later one overrules it.
  func end(_ ending: LineEnding, overruling: Bool = false) {
    values.withLock { values in
      if values.ending == nil || overruling { values.ending = ending }
    }
  }

  /// Somebody has done something.
  func noteActivity() { values.withLock { $0.lastActivity = $0.now() } }

  /// The tag of this outcome has gone.
  func noteGone(_ outcome: TagOutcome?) { values.withLock { $0.note(outcome) } }

  /// Tags that may hold an unfinished job.
  var waitedFor: Set<UID> { values.withLock { $0.waitedFor } }

  /// Ends the run when nothing has happened for too long. While a line waits for rows, nobody is
  /// expected to lay a tag down.
  func endIfIdle() {
    values.withLock { values in
      if values.follows, values.pending <= 0, options.timeout > .zero {
        values.lastActivity = values.now()
      }
      guard values.inFlight == 0, values.lastActivity + options.timeout <= values.now() else {
        return
      }
      if values.ending == nil { values.ending = .idle }
    }
  }

  /// How many jobs stations have had in hand, where there seems to be nothing left to do; nil where
  /// there is. Whether it is so, the journal knows.
  var takenIfDone: Int? {
    values.withLock { values in
      guard values.ending == nil, values.inHand == 0, values.due.isEmpty else { return nil }
      if let count = options.count, values.summary.passed >= count { return values.taken }
      let isAll =
        !values.isEndless && !values.follows && values.pending <= 0 && values.waitedFor.isEmpty
      return isAll ? values.taken : nil
    }
  }

  /// Takes in what the journal says, and ends the run when there is nothing left to do. `taken`:
  /// `takenIfDone` before the journal was asked; a job that was in hand since may be back.
  func endIfDone(pending: Int, waitedFor: Set<UID>, taken: Int) {
    values.withLock { values in
      guard values.inHand == 0, values.taken == taken, values.due.isEmpty else { return }
      (values.pending, values.waitedFor) = (pending, waitedFor)
      let isEnough = options.count.map { values.summary.passed >= $0 } ?? false
      let isAll = !values.isEndless && !values.follows && pending == 0 && waitedFor.isEmpty
      if isEnough || isAll, values.ending == nil { values.ending = .complete }
    }
  }

  // MARK: Tags

  /// Returns whether a station may begin with a tag: not when the others' tags may be as many as
  /// are still asked for.
  func begin() -> Bool {
    values.withLock { values in
      if let count = options.count, values.summary.passed + values.inFlight >= count {
        return false
      }
      values.inFlight += 1
      return true
    }
  }

  /// Returns whether a tag of this type may get a job that is for any type. The first tag that gets
  /// one binds the run: a tag of another type among them was laid down by mistake. Whoever was told
  /// so says what came of it (`unbind`).
  func bind(_ type: String) -> Bool {
    values.withLock { values in
      guard let bound = values.bound else {
        values.bound = (type, 1)
        return true
      }
      guard bound.type == type else { return false }
      values.bound?.tags += 1
      return true
    }
  }

  /// The tag got no such job, or has given it back.
  func unbind() {
    values.withLock { values in
      values.bound?.tags -= 1
      if values.bound?.tags ?? 1 <= 0 { values.bound = nil }
    }
  }

  /// The type of tag that the run writes; nil: none is bound yet.
  var boundType: String? { values.withLock { $0.bound?.type } }

  /// Runs `reserve`, after which the journal keeps a job for a station if `isKept`. It is in the
  /// station's hand from before: others would take the series for done in between. `isNew`: one of
  /// those that waited.
  func taking<Value>(
    isNew: Bool, _ reserve: () throws(JournalError) -> Value, isKept: (Value) -> Bool
  ) throws(JournalError) -> Value {
    values.withLock { ($0.inHand, $0.taken) = ($0.inHand + 1, $0.taken + 1) }
    var hasJob = false
    defer {
      values.withLock { values in
        if !hasJob { values.inHand -= 1 } else if isNew { values.pending -= 1 }
      }
    }
    let value = try reserve()
    hasJob = isKept(value)
    return value
  }

  /// The journal has what became of it; `isBack`: it waits again.
  func settle(isBack: Bool) {
    values.withLock { values in
      values.inHand -= 1
      if isBack { values.pending += 1 }
    }
  }

  /// The station could not begin with the tag after all; it begins again.
  func cancel() {
    values.withLock { values in
      values.inFlight -= 1
      values.lastActivity = values.now()
    }
  }

  /// Is true if no job waits, and one that another station has in hand may come back.
  var mayGetJobs: Bool { values.withLock { $0.pending <= 0 && ($0.inHand > 0 || $0.follows) } }

  /// The job does not fit the tag that is there: why.
  func note(_ job: PlannedJob, fitsNoTag reason: String) {
    values.withLock { values in
      if values.unsuited.count < 10_000 { values.unsuited[job.number] = reason }
    }
  }

  /// Rows were added to the list.
  func noteAdded(_ count: Int) {
    values.withLock { values in
      values.pending += count
      values.lastActivity = values.now()
    }
  }

  /// No more will.
  func noteListEnd() { values.withLock { $0.follows = false } }

  /// Is true if a job waits.
  var hasJobs: Bool { values.withLock { $0.pending > 0 } }

  /// Enters what became of a tag that was begun.
  func finish(_ outcome: TagOutcome) {
    values.withLock { values in
      values.inFlight -= 1
      values.note(outcome)
      values.summary.elapsed = values.now() - start
      values.enter(outcome)
      let failures = values.summary.failed + values.summary.held
      if let limit = options.failureLimit, failures >= limit, values.ending == nil {
        values.ending = .failures
      }
    }
  }

  /// Several tags lay on a reader.
  func enterSeveralTags() {
    values.withLock { values in
      values.lastActivity = values.now()
      values.summary.causes[LineSummary.several, default: 0] += 1
    }
  }

  /// What the journal says at the end.
  func note(pending: Int) { values.withLock { $0.pending = pending } }

  // MARK: Inspections

  /// A good tag waits for its inspection.
  func noteDue(_ uid: UID) { values.withLock { _ = $0.due.insert(uid) } }

  func isDue(_ uid: UID) -> Bool { values.withLock { $0.due.contains(uid) } }

  /// Enters what an inspection of the tag with `uid` has found.
  func finish(_ inspection: Inspection, of uid: UID) {
    values.withLock { values in
      values.lastActivity = values.now()
      guard inspection.verdict != .again else { return }
      values.due.remove(uid)
      // Its job is in other hands.
      guard inspection.verdict != .unknown else { return }
      values.summary.inspected += 1
      guard inspection.verdict == .bad else { return }
      values.summary.inspectedBad += 1
      values.summary.lastFailure = .mismatch
      // Its job waits for the next tag, or for this one.
      if inspection.isScrap { values.pending += 1 } else { values.waitedFor.insert(uid) }
    }
  }

  // MARK: Readers

  func noteLost(_ reader: String) { values.withLock { _ = $0.lostReaders.insert(reader) } }

  func noteBack(_ reader: String) { values.withLock { _ = $0.lostReaders.remove(reader) } }

  // MARK: The end

  var summary: LineSummary {
    values.withLock { values in
      var summary = values.summary
      summary.ending = values.ending ?? .complete
      summary.pending = max(0, values.pending)
      summary.waitedFor = values.waitedFor.sorted { $0.hex < $1.hex }
      summary.dueForInspection = values.due.sorted { $0.hex < $1.hex }
      summary.unsuited = values.unsuited.sorted { $0.key < $1.key }.map(\.value)
      summary.lostReaders = values.lostReaders.sorted()
      summary.steps = values.steps.map { Timing.Step($0.name, $0.duration) }
      return summary
    }
  }
}

extension LineState.Values {
  /// Somebody has done something for the list. Whoever goes on laying down tags that get no job
  /// does not: the line would wait for an unfinished tag as long as new ones come.
  fileprivate mutating func note(_ outcome: TagOutcome?) {
    if outcome?.foundNoJob != true { lastActivity = now() }
  }

  fileprivate mutating func enter(_ outcome: TagOutcome) {
    switch outcome.verdict {
    case .passed:
      summary.passed += 1
      if let job = outcome.job { unsuited[job.number] = nil }
      waitedFor.remove(outcome.uid)
      for step in outcome.steps {
        if let index = steps.firstIndex(where: { $0.name == step.name }) {
          steps[index].duration += step.duration
        } else {
          steps.append((step.name, step.duration))
        }
      }
    case .failed:
      summary.failed += 1
      // Its job, if it had one, was given back.
      waitedFor.remove(outcome.uid)
    case .held:
      summary.held += 1
      waitedFor.insert(outcome.uid)
    case .left:
      summary.left += 1
      if outcome.losesJob { waitedFor.remove(outcome.uid) }
    }
    if outcome.isScrap { summary.scrap += 1 }
    summary.types[outcome.tagType ?? "", default: .init()].add(outcome.count)
    if outcome.verdict != .passed, let cause = outcome.trouble?.cause {
      summary.causes[cause, default: 0] += 1
      if let kind = outcome.kind { summary.lastFailure = kind }
    }
  }
}
