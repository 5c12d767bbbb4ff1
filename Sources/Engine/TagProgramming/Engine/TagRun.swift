import PN532
import Readers
import TagMemory

/// A job on one tag: passes over it until one succeeds, none helps, or the bounds are reached.
///
/// After a pass that fails where another may succeed, the next one surveys again: what the tag
/// holds decides, never what was sent.
final class TagRun<Family: TagFamily>: TagRunning {
  let session: Family.Session
  let programmer: Programmer
  /// When the look that found the tag began, and what had been asked of the chip until then.
  private let begun: (start: Duration, counts: OperationCounts)
  var retries = RetryBudget()
  /// What the look that a decision goes by has learnt, until a pass has used it.
  private var known: Family.State?
  private var identity = TagIdentity(nil)
  /// What the maker's signature says, where it was asked for.
  private var origin: OriginalitySignature.Verdict?
  var course = Course()

  /// The state of the run so far.
  struct Course {
    var description = TagDescription()
    var program: TagProgram?
    /// Is true if any pass has sent a write.
    var hasWritten = false
    /// What the tag holds since then; nil before, and where it was seen that no write was stored.
    var holds: Holds?
    var newMessage = NewMessage.absent
    /// Is true if it matters from now on if the tag was away: the new message may be on it, or all
    /// that counts is what is read.
    var mustStay = false
    /// Is true if it was away then, perhaps.
    var mayBeAnother = false
    /// What the tag showed when a program stopped last.
    var shows: Shows?
    /// What the maker's signature says, for `info`.
    var origin: OriginalitySignature.Verdict?
    /// Is true if somebody has got what the tag held before the first write.
    var isMemoryKept = false
  }

  /// What a pass that succeeded has made of the tag.
  private enum Ending {
    case read, unchanged, written, planned
  }

  init(_ target: Target, on programmer: Programmer) {
    self.programmer = programmer
    session = Family.session(with: programmer.reader, on: target)
    begun = programmer.reader.lastLook
  }

  func survey() throws(SurveyError) -> TagFound {
    do throws(JobFailure) {
      return try repeating { pass throws(Setback) in try lookAround(pass) }
    } catch {
      throw SurveyError(report: report(failure: error))
    }
  }

  func refusalAsNotGenuine() -> TagReport? {
    do throws(JobFailure) {
      try repeating { pass throws(Setback) in try requireGenuine(pass) }
      return nil
    } catch {
      return report(leaving: error)
    }
  }

  func report(of given: Job) -> TagReport {
    let job = given.resolved(for: session.tag.uid)
    course.mustStay = job.onlyLooks
    do throws(JobFailure) {
      let ending = try repeating { pass throws(Setback) in try perform(job, pass) }
      if case .write = job, ending != .planned { course.newMessage = .present }
      return report(ending)
    } catch {
      return report(failure: withdrawingMessage(of: job, after: error))
    }
  }

  func report(leaving reason: JobFailure) -> TagReport {
    report(failure: reason.onUntouchedTag)
  }

  // MARK: One pass

  private func lookAround(_ pass: PassContext) throws(Setback) -> TagFound {
    try identify(pass)
    let look: Job? = pass.options.surveysMemory ? .info : nil
    let state = try Family.survey(session, for: look, knowing: nil, pass)
    let found = Family.describe(state, for: look)
    tell(found)
    // What is read on the way to the job says the rest again.
    course.description.findings = identity.findings
    known = look == nil ? state : nil
    return TagFound(
      target: session.tag, product: course.description.product,
      status: found.status ?? .notSupported, capacity: found.capacity, content: found.content,
      shownContent: found.shownContent, dump: found.dump)
  }

  /// Finds out what the tag is; what an earlier pass has seen of its memory stands until it is
  /// looked at again.
  private func identify(_ pass: PassContext) throws(Setback) {
    (course.description.findings, course.description.details) = ([], [])
    identity = try Family.identify(session, pass)
    course.description.product = identity.product
    course.description.findings = identity.findings
    if let product = identity.product { programmer.progress(.identified(product)) }
  }

  private func tell(_ description: TagDescription) {
    course.description = description
    course.description.product = description.product ?? identity.product
    course.description.findings = identity.findings + description.findings
    guard let origin = course.origin else { return }
    course.description.origin = origin
    course.description.details.append(TagDescription.Detail("originality", "\(origin)"))
  }

  private func perform(_ job: Job, _ pass: PassContext) throws(Setback) -> Ending {
    var known = self.known
    self.known = nil
    if known == nil { try identify(pass) }
    try requireExpected(for: job, pass)
    // After a write, the tag holds a message that this run has put there.
    if job.sparesMessage, !course.hasWritten {
      try requireNoMessage(pass)
      known = nil
    }
    if job.isAboutProofs, !Family.provesTags, let product = identity.product {
      throw .failure(JobFailure.noProofs(product))
    }
    if let mirror = job.mirror, !Family.mirrors, let product = identity.product {
      throw .failure(JobFailure.noMirror(mirror.content, product))
    }
    let state = try Family.survey(session, for: job, knowing: known, pass)
    if Family.showsNoWrite(state) { course.holds = nil }
    tell(Family.describe(state, for: job))
    if job == .read, let obstacle = course.description.content.obstacle {
      throw .failure(JobFailure(unreadable: obstacle))
    }
    // Some families ask what a tag is as soon as a job rests on it.
    try requireExpected(for: job, pass)
    try requireGenuine(for: job, pass)
    var plan = try planning { () throws(JobFailure) in
      try Family.plan(job, on: state, pass)
    }
    if pass.options.dryRun {
      plan = try Family.foresee(plan, of: job, on: state, session, pass)
    }
    if case .restore(let restore) = job, !course.hasWritten {
      try planning { () throws(JobFailure) in try plan.requireOneMessage(of: restore) }
    }
    tell(plan.before)
    let ending = try carryOut(plan, of: job, on: state, pass)
    if ending != .planned { tell(plan.after) }
    if job == .dump, ending != .planned, course.description.dump == nil {
      throw .failure(
        JobFailure(
          unreadable: course.description.content.obstacle
            ?? ReadObstacle(.file, .unknown, answer: "it gave no byte")))
    }
    guard let shortfall = plan.shortfall else { return ending }
    // A run ends so however well the rest goes, and a dry run says it before.
    throw .failure(ending == .planned ? shortfall.onUntouchedTag : shortfall)
  }

  /// Refuses to write a tag that is not what the operator says it is.
  private func requireExpected(for job: Job, _ pass: PassContext) throws(Setback) {
    guard !job.onlyLooks, pass.options.refusesOtherTypes, let expected = pass.options.expected,
      let found = course.description.product, found.name != expected.name
    else { return }
    throw .failure(
      JobFailure(
        .otherProduct(found: found, expected: expected), remedy: .useExpectedTag))
  }

  /// Refuses a tag that holds a message or does not show whether it does, looked at as for reading;
  /// any other is left selected.
  private func requireNoMessage(_ pass: PassContext) throws(Setback) {
    let state = try Family.survey(session, for: .read, knowing: nil, pass)
    tell(Family.describe(state, for: .read))
    switch course.description.content {
    case .message:
      throw .failure(JobFailure(.holdsMessage, holds: .unchanged, remedy: .useAnotherTag))
    case .unreadable(let obstacle): throw .failure(JobFailure(unreadable: obstacle).onUntouchedTag)
    case .notLookedAt: throw .failure(JobFailure(.mistake(.notSurveyed), holds: .unchanged))
    case .empty, .lost, .unformatted, .blank, .foreign:
      try surveying { () throws(ReaderError) in try session.selectAgain() }
    }
  }

  /// Says what the maker's signature says, to whoever asks for all; refuses to write a tag without
  /// a genuine one, where that is wanted. It is asked once: a UID keeps its signature.
  private func requireGenuine(for job: Job, _ pass: PassContext) throws(Setback) {
    if job == .info {
      guard let product = course.description.product else { return }
      try askOrigin(of: product, pass)
      course.origin = origin
    } else if job.wantsGenuine {
      try requireGenuine(pass)
    }
  }

  private func askOrigin(of product: Product, _ pass: PassContext) throws(Setback) {
    if origin == nil, let found = try Family.origin(session, of: product, pass) { origin = found }
  }

  private func requireGenuine(_ pass: PassContext) throws(Setback) {
    guard let product = course.description.product else { return }
    try askOrigin(of: product, pass)
    guard case .genuine? = origin else {
      throw .failure(JobFailure(.notGenuine(product, origin), remedy: .useAnotherTag))
    }
  }

  /// Carries the program of `plan` out, unless it is only wanted to be seen.
  private func carryOut(
    _ plan: JobPlan, of job: Job, on state: Family.State, _ pass: PassContext
  ) throws(Setback) -> Ending {
    guard var program = plan.program else { return .read }
    program.exchanges = program.steps.flatMap { Family.commands(of: $0, in: session) }
    course.program = program
    programmer.progress(.planned(program))
    if program.changesTag { try keepMemory(before: program, of: job, on: state, pass) }
    guard !pass.options.dryRun else { return program.changesTag ? .planned : .unchanged }
    let count = program.steps.count
    var silences = course.mustStay ? programmer.reader.silenceCount : nil
    let execution = Execution(
      session: session,
      exchange: { [session] (step) throws(ReaderError) in
        try Family.perform(step, in: session)
      }, shouldStop: programmer.shouldStop,
      progress: { [programmer] index, step in
        if silences == nil, program.mayShowNewMessage(havingSent: index + 1) {
          silences = programmer.reader.silenceCount
        }
        programmer.progress(.step(number: index + 1, count: count, step))
      })
    do {
      try execution.run(program)
    } catch {
      if program.steps[...error.index].contains(where: \.isWrite) { course.hasWritten = true }
      if course.hasWritten {
        let before = course.holds ?? .unchanged
        course.holds =
          Family.isUntouched(after: error, in: program, session)
          ? before : Holds(program, stoppedAt: error, before: before)
      }
      if let silences {
        course.mustStay = true
        if programmer.reader.silenceCount > silences { course.mayBeAnother = true }
      }
      course.newMessage = NewMessage(
        course.newMessage, program, stoppedAt: error, mayBeAnother: course.mayBeAnother)
      course.shows = program.phase(of: error.index)?.shows(before: error.index)
      course.program?.note(error)
      let blindSpot = Family.blindSpot(after: error, in: program, of: job, on: state, pass)
      if let blindSpot { course.program?.blindSpot = blindSpot }
      throw .execution(error)
    }
    if program.changesTag { course.hasWritten = true }
    return course.hasWritten ? .written : .unchanged
  }

  // MARK: The report

  private func report(_ ending: Ending) -> TagReport {
    let result: TagReport.Result =
      switch ending {
      case .read: .read
      case .unchanged: .unchanged
      case .written: .written
      case .planned: .planned
      }
    return report(result, nil)
  }

  private func report(failure: JobFailure) -> TagReport { report(.failed, failure) }

  private func report(_ result: TagReport.Result, _ failure: JobFailure?) -> TagReport {
    let reader = programmer.reader
    reader.forgetCare()
    let isDryRun = course.program != nil && programmer.options.dryRun
    return TagReport(
      result: result, target: session.tag, description: course.description,
      verified: failure == nil && !isDryRun && course.program?.unproven.isEmpty ?? true
        && course.description.content.obstacle == nil
        && (result != .read || course.description.content != .notLookedAt),
      newMessage: course.newMessage, mayBeAnother: course.mayBeAnother,
      shows: course.shows,
      program: course.program, isDryRun: isDryRun, failure: failure,
      counts: reader.counts - begun.counts, duration: reader.clock.now() - begun.start,
      exchangeTime: reader.exchangeTime)
  }
}

extension JobFailure {
  /// What is said of a tag whose message was wanted, and that does not show it.
  init(unreadable obstacle: ReadObstacle) {
    let remedy: Remedy =
      switch (obstacle.extent, obstacle.opener) {
      case (.pages, .password), (.pages, .key): .givePassword
      case (.sectors, .keyA), (.sectors, .keyB), (.sectors, .sectorKey): .giveKey
      default: .useAnotherTag
      }
    self.init(.unreadable(obstacle), remedy: remedy)
  }

  /// This is the failure, said of a tag that nothing was written to.
  var onUntouchedTag: JobFailure {
    JobFailure(cause, holds: .unchanged, remedy: remedy)
  }
}
