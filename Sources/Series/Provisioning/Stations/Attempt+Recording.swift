import JobLists
import Ledger
import LedgerSQLite
import NDEF
import TagMemory
import TagProgramming
import Wording

extension Attempt {
  /// Enters in the journal what became of the tag; nil: it was left alone.
  func record(_ report: TagReport?, with programmer: Programmer) throws(JournalError) -> TagOutcome
  {
    do throws(JournalError) {
      return try recordWork(report, with: programmer)
    } catch .reservationLost(let job) {
      if case .scrap(let scrap)? = try session.journal.localHistory(of: tag.uid),
        scrap.trouble.known == .conflict
      {
        // The bench has set it aside, and has said so, when the pool contradicted it.
        return outcome(.passed, scrap.trouble, report, isScrap: true)
      }
      // Somebody released the job while it was written: the tag must not be used.
      let text = JournalError.reservationLost(job: job).description
      let trouble = TagTrouble(.released, text)
      try session.passOver(presented, job: job, because: trouble, timing: timing)
      return outcome(.passed, trouble, report)
    }
  }

  private func recordWork(
    _ report: TagReport?, with programmer: Programmer
  ) throws(JournalError) -> TagOutcome {
    guard case .reserved(let reservation, let before) = stage, let report else {
      return try recordUntouched(report)
    }
    if let end {
      try session.giveBack(reservation, because: end, isScrap: true, timing: timing)
      return outcome(.returned, end, report, isScrap: true)
    }
    guard let failure = report.failure else {
      return try complete(reservation, report, with: programmer)
    }
    var trouble = TagTrouble(failure)
    if case .tags = series.source {
      // The journal alone knows what it held: it stays this tag's, whatever the tag holds.
      try session.hold(reservation, because: trouble, timing: timing)
      return outcome(.held, trouble, report)
    }
    // A tag that refuses to be written, or keeps something else, is not tried again.
    let isBad =
      failure.kind == .mismatch || (failure.kind == .refused && report.counts.writes > 0)
    // What was begun on a tag that is no NDEF tag yet makes it unfit for other jobs.
    let isPutBack = failure.holds?.isPutBack == true
    let isBegun = report.shows == .notNDEF && report.counts.writes > 0 && !isPutBack
    let isImage = reservation.job.message.isImage
    // A part of a memory may be taken for the whole one by whoever does not read all of it.
    var isAbsent =
      before.hadNothing
      && (isImage ? report.counts.writes == 0 : report.newMessage == .absent)
    if isBad {
      let found = readAgain(reservation.job, with: programmer)
      // What was read now is what it holds, whatever was sent before; but for a tag that was away:
      // another with its UID may lie there.
      if let found, !report.mayBeAnother { isAbsent = found != reservation.message }
      // Of this job it has nothing if all is as before: then its message is another's.
      let isAsBefore = before.hadNothing && failure.holds == .unchanged
      if isAbsent, !isAsBefore {
        let message = isImage ? readAgain(with: programmer) : found
        trouble = switchOff(message, trouble, with: programmer)
      }
    }
    guard isAbsent, isBad || !isBegun else {
      try session.hold(reservation, because: trouble, timing: timing)
      return outcome(.held, trouble, report)
    }
    try session.giveBack(reservation, because: trouble, isScrap: isBad, timing: timing)
    stage = .givenBack(reservation)
    return outcome(.returned, trouble, report, isScrap: isBad)
  }

  /// A tag that got no job.
  private func recordUntouched(_ report: TagReport?) throws(JournalError) -> TagOutcome {
    if case .left(let reason, let job) = stage { return try passOver(because: reason, job: job) }
    let trouble = TagTrouble(report?.failure)
    switch history {
    case .written(let written) where isAsBefore && trouble.known != .interrupted:
      // The journal keeps the job on it.
      return try passOver(
        because: trouble.adding(
          "Job \(written.job.number), \(written.job.name), is on it as before."),
        report)
    case .written(let written) where trouble.known != .interrupted:
      return try passOver(
        because: Self.unread(written, trouble.text), job: written.job, report)
    case .written(let written):
      return try passOver(because: trouble, job: written.job, report)
    case .scrap(let scrap) where trouble.known == .refused:
      return try passOver(because: scrap.reason, report)
    case .reserved(let reserved):
      return try passOver(because: trouble, job: reserved.job, report)
    case .scrap, nil: return try passOver(because: trouble, report)
    }
  }

  /// What the tag holds now in place of `job`; nil where it cannot be read.
  private func readAgain(_ job: PlannedJob, with programmer: Programmer) -> [UInt8]? {
    guard job.message.isImage, case .list(let source) = series.source else {
      return readAgain(with: programmer)
    }
    let options = RowPlanner(source, options).opening(station.runOptions, job)
    let report = station.programmer(options).run(.info, on: tag)
    guard report.failure == nil, !report.mayBeAnother else { return nil }
    return TagReading(report, tag.uid).content(inPlaceOf: job)
  }

  /// The tag's message as it is now; nil where it cannot be read.
  private func readAgain(with programmer: Programmer) -> [UInt8]? {
    let report = programmer.run(.read, on: tag)
    guard report.failure == nil, !report.mayBeAnother else { return nil }
    return report.content.stored ?? []
  }

  /// A tag that is set aside should show nothing of a job: the piece of a link that it kept may be
  /// one. Its message is replaced by an empty record where it still takes that.
  private func switchOff(
    _ found: [UInt8]?, _ trouble: TagTrouble, with programmer: Programmer
  ) -> TagTrouble {
    guard found?.isEmpty != true, let empty = try? Message([Record.empty]) else { return trouble }
    var write = WriteOptions()
    write.overwrite = true
    write.sectors = options.sectors
    _ = programmer.run(.write(empty, write), on: tag)
    let left = readAgain(with: programmer)
    if left?.isEmpty == true || left == empty.serialize() {
      return trouble.adding("The part of the message on it was disabled.")
    }
    return trouble.adding(
      "The part of the message on it cannot be disabled: a phone may still read it.")
  }

  private func complete(
    _ reservation: Reservation, _ report: TagReport, with programmer: Programmer
  ) throws(JournalError) -> TagOutcome {
    let access = access(report, with: programmer)
    // A memory is read again as whoever audits it reads it.
    let held =
      reservation.job.message.isImage
      ? readAgain(reservation.job, with: programmer) : report.content.stored
    let verified = VerifiedTag(
      message: held ?? [], isLocked: access.isLocked,
      isProtected: access.isProtected)
    let reason = station.inspectionReason(isRepaired: hasFailedInspection)
    let written = try session.complete(
      reservation, verified: verified, timing: timing, inspecting: reason)
    var outcome = outcome(.written, nil, report)
    outcome.written = written
    outcome.wasThere = report.result == .unchanged
    // What one tag's restore may be given a list has no option for.
    outcome.findings =
      reservation.job.message.isImage
      ? report.findings.map { TagDescription.Finding($0.code, $0.text) } : report.findings
    outcome.needsInspection = reason != nil
    return outcome
  }

  /// Says whether the finished tag is locked, and has a password. A job that changes neither does
  /// not look at them: a tag that was not blank may have been given both before.
  private func access(
    _ report: TagReport, with programmer: Programmer
  ) -> (isLocked: Bool, isProtected: Bool) {
    var (isLocked, isProtected) = (report.isLocked, report.isPasswordProtected)
    let isSettled = isLocked != nil && (isProtected != nil || product?.secretByteCount == nil)
    if !isSettled, report.result == .unchanged || isRewriting || isWaitedFor || hasPassword {
      let found = programmer.run(.info, on: tag)
      if found.failure == nil {
        (isLocked, isProtected) = (
          isLocked ?? found.isLocked, isProtected ?? found.isPasswordProtected
        )
      }
    }
    guard case .written(let before) = history else {
      return (isLocked ?? false, isProtected ?? false)
    }
    return (isLocked ?? before.isLocked, isProtected ?? before.isProtected)
  }

  /// Is true if the line has a password for tags that have one already.
  var hasPassword: Bool {
    options.credentials.password != nil || options.credentials.derivedPassword != nil
  }

  func passOver(
    because reason: TagTrouble, job: PlannedJob? = nil, _ report: TagReport? = nil
  ) throws(JournalError) -> TagOutcome {
    var outcome = outcome(.passed, reason, report, job: job)
    // Another station may give a job back, which this tag gets then.
    if foundNoJob, station.line.state.mayGetJobs {
      outcome.isUnrecorded = true
    } else {
      try session.passOver(presented, job: job?.number, because: reason, timing: timing)
    }
    return outcome
  }

  /// The outcome of a tag that no other station has given a job back for: the journal has it now.
  func recorded(_ outcome: TagOutcome) -> TagOutcome {
    guard outcome.isUnrecorded, let trouble = outcome.trouble else { return outcome }
    do throws(JournalError) {
      try session.passOver(presented, because: trouble, timing: timing)
      return outcome
    } catch {
      station.line.state.end(.journal(error))
      return unrecorded(error)
    }
  }

  /// The journal could not take what happened. A tag with a reservation keeps it, whatever it
  /// holds; any other was not touched.
  func unrecorded(_ error: JournalError) -> TagOutcome {
    let mayHoldJob = reservation != nil || isWaitedFor
    var outcome = outcome(
      mayHoldJob ? .held : .passed, TagTrouble(.journal, error.description))
    // Nothing counts that no journal has.
    outcome.count = .none
    if mayHoldJob {
      outcome.next =
        "Set tag \(tag.uid) aside. When the journal can be written again, put the tag on a reader: the program finishes it."
    }
    return outcome
  }

  private var timing: Timing {
    Timing(started: started, duration: watch.total, steps: watch.steps)
  }

  /// What is said of the tag whose last event is of this kind.
  private func outcome(
    _ kind: EventKind, _ trouble: TagTrouble?, _ report: TagReport? = nil, isScrap: Bool = false,
    job: PlannedJob? = nil
  ) -> TagOutcome {
    let job = job ?? reservation?.job
    let verdict = TagOutcome.Verdict(
      kind.verdict(trouble?.known, hasJob: job != nil) ?? .left)
    var outcome = TagOutcome(verdict: verdict, uid: tag.uid)
    outcome.count = kind.count(trouble?.known, setsAside: isScrap)
    outcome.tagType = product?.name
    outcome.job = job.map(TagOutcome.Job.init)
    if case .tags(let changes) = series.source { outcome.change = job.flatMap(changes.text) }
    if case .givenBack = stage { outcome.losesJob = true }
    outcome.trouble = trouble
    outcome.isScrap = isScrap
    if verdict != .passed {
      outcome.kind = report?.failure?.kind ?? .refused
      outcome.readerFailure = report?.failure?.cause.readerFailure
    }
    outcome.counts = report?.counts ?? outcome.counts
    (outcome.started, outcome.duration, outcome.steps) = (started, watch.total, watch.steps)
    outcome.foundNoJob = foundNoJob
    switch verdict {
    case .passed, .left: break
    case .held: outcome.next = "Put tag \(tag.uid) on a reader again: the program finishes it."
    case .failed:
      outcome.next =
        switch outcome.bin {
        case .again: "Put it on the reader again, or use another tag."
        case .aside: "Set it aside and take another tag."
        case .bin, .good: "Take another tag."
        }
    }
    return outcome
  }
}

extension JobFailure.Kind {
  /// The cause that a journal has of it.
  package var cause: TagCause {
    switch self {
    case .badInput: .unsuited
    case .readerUnavailable, .configuration: .reader
    case .internalError: .internalError
    case .tagTrouble: .lost
    case .noTag: .noTag
    case .mismatch: .mismatch
    case .refused: .refused
    case .interrupted: .interrupted
    }
  }
}

extension TagTrouble {
  /// Returns this trouble with a sentence more.
  fileprivate func adding(_ sentence: String) -> TagTrouble {
    TagTrouble(stored: cause, "\(text) \(sentence)")
  }

  /// Why a job did not end as wanted.
  init(_ failure: JobFailure?) {
    guard let failure else {
      self.init(.internalError, "The reason of the failure is not known.")
      return
    }
    self.init(
      failure.kind.cause,
      [failure.what, failure.tagHolds.map { "On the tag: \($0)" }].compactMap(\.self).joined(
        separator: " "))
  }
}
