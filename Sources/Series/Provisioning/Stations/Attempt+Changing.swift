import JobLists
import LedgerSQLite
import NDEF
import TagMemory
import TagProgramming

/// A tag from the field: what it holds decides what it gets.
extension Attempt {
  /// Looks at the tag, decides, keeps both messages in the journal, and writes the new one; nil
  /// where it is left alone.
  func change(
    by changes: TagChanges, with programmer: Programmer
  ) throws(JournalError) -> TagReport? {
    let credentials = station.runOptions.credentials
    let hasPassword = credentials.password != nil || credentials.derivedPassword != nil
    var look = station.runOptions
    look.dryRun = true
    var surveyed: SurveyedTag?
    var content: Content
    do throws(SurveyError) {
      // A wrong password is found out before anything is kept.
      let opened = hasPassword ? try programmer.survey(tag) : nil
      content = opened?.found.content ?? .notLookedAt
      product = opened?.found.product ?? product
      do throws(SurveyError) {
        surveyed = try station.programmer(look).survey(tag)
      } catch {
        // What a tag refuses that hides all behind its password, its run finds out.
        guard opened != nil, error.report.failure?.cause == .type2(.passwordNotTried) else {
          throw error
        }
      }
    } catch {
      product = error.report.product
      leave(error.report.failure)
      return nil
    }
    if let surveyed {
      product = surveyed.found.product ?? product
      if content == .notLookedAt { content = surveyed.found.content }
    }
    let (message, bytes, change): (Message, [UInt8], TagChange?)
    // What a password hides.
    if content == .notLookedAt {
      let read = programmer.run(.read, on: tag)
      if let failure = read.failure {
        leave(failure)
        return nil
      }
      content = read.content
    }
    switch try changes.decide(
      tag.uid, holding: content, by: session.journal, on: options.day(started))
    {
    case .leave(let trouble, let job):
      if let job, let report = try closed(content, as: job, nil, changes, with: programmer) {
        return report
      }
      stage = .left(trouble, job: job)
      return nil
    case .write(let to, let encoding, let new, _): (message, bytes, change) = (to, encoding, new)
    }
    let job = TagChanges.job(message, bytes, isBegun: isWaitedFor)
    // What the tag would refuse is known before anything is kept or written.
    if let failure = surveyed?.run(job).failure {
      if case .reserved(let reserved) = history,
        let report = try closed(content, as: reserved.job, failure, changes, with: programmer)
      {
        return report
      }
      leave(failure)
      return nil
    }
    let first = FirstWrite { [self] () throws(JournalError) in try reserve(change, changes) }
    watch.enter("plan")
    let report = station.programmer(station.runOptions, asking: first).run(job, on: tag)
    try first.finish(isDone: report.failure == nil)
    if reservation == nil, case .arrived = stage { leave(report.failure) }
    return report
  }

  /// Returns whether a change is kept for the tag, which is left alone otherwise.
  private func reserve(
    _ change: TagChange?, _ changes: TagChanges
  ) throws(JournalError) -> Bool {
    watch.enter("reserve")
    let made = try station.line.state.taking(isNew: changes.isBack && isRewriting) {
      () throws(JournalError) in
      try session.reserve(change, for: presented, isBack: changes.isBack)
    } isKept: {
      $0.isReserved
    }
    switch made {
    case .reserved(let reservation):
      stage = .reserved(reservation, Before())
      return true
    case .inUse(let other):
      stage = .left(
        TagTrouble(.inUse, "Another station works on a tag with this UID."), job: other.job)
    case .left(let trouble): stage = .left(trouble, job: nil)
    case .nothingLeft, .nothingFits, .written:
      stage = .left(TagTrouble(.unknown, "The journal does not list this tag."), job: nil)
    }
    return false
  }

  /// Takes up a change that was begun and that nobody can finish, since the tag is locked
  /// meanwhile, to set the tag aside; nil where it can go on. `failure`: why it is not written.
  private func closed(
    _ content: Content, as job: PlannedJob, _ failure: JobFailure?, _ changes: TagChanges,
    with programmer: Programmer
  ) throws(JournalError) -> TagReport? {
    guard content.obstacle == nil, let known = try session.journal.change(ofJob: job.number)
    else { return nil }
    let report = programmer.run(.info, on: tag)
    let isPartlyLocked = if case .type2(.locked)? = failure?.cause { true } else { false }
    guard report.failure == nil, !report.mayBeAnother, report.isLocked == true || isPartlyLocked,
      // What is there as wanted is finished.
      (content.stored ?? []) != (changes.isBack ? known.before : known.after),
      try reserve(nil, changes)
    else { return nil }
    let holds =
      switch content.stored ?? [] {
      case known.before: "the message that it held before"
      case known.after: "its new message"
      default: "neither the message that it held before nor its new one"
      }
    end = TagTrouble(
      .refused,
      "Its change was begun and not finished, and the tag was locked since: it holds \(holds) for good."
    )
    return report
  }

  /// Leaves a tag alone that cannot be read, or would not be written.
  private func leave(_ failure: JobFailure?) {
    let trouble = TagTrouble(failure)
    let known: PlannedJob? = if case .reserved(let reserved) = history { reserved.job } else { nil }
    stage = .left(trouble, job: known)
  }
}
