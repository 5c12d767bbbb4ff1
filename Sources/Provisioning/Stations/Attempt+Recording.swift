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
        scrap.trouble.cause == "conflict"
      {
        // The bench has set it aside, and has said so, when the pool contradicted it.
        return outcome(.failed, scrap.trouble, report, isScrap: true)
      }
      // Somebody released the job while it was written: the tag must not be used.
      let text = JournalError.reservationLost(job: job).description
      let trouble = TagTrouble("released", text)
      try session.passOver(presented, job: job, because: trouble, timing: timing)
      return outcome(.failed, trouble, report)
    }
  }

  private func recordWork(
    _ report: TagReport?, with programmer: Programmer
  ) throws(JournalError) -> TagOutcome {
    guard case .reserved(let reservation, let before) = stage, let report else {
      return try recordUntouched(report)
    }
    guard let failure = report.failure else { return try complete(reservation, report) }
    var trouble = TagTrouble(failure)
    // A tag that refuses to be written, or keeps something else, is not tried again.
    let isBad =
      failure.kind == .mismatch || (failure.kind == .refused && report.counts.writes > 0)
    // What was begun on a tag that is no NDEF tag yet makes it unfit for other jobs.
    let isBegun = report.shows == .notNDEF && report.counts.writes > 0
    var isAbsent = before.hadNothing && report.newMessage == .absent
    if isBad {
      let found = readAgain(with: programmer)
      // What was read now is what it holds, whatever was sent before; but for a tag that was away:
      // another with its UID may lie there.
      if let found, !report.mayBeAnother { isAbsent = found != reservation.message }
      if isAbsent { trouble = switchOff(found, trouble, with: programmer) }
    }
    guard isAbsent, isBad || !isBegun else {
      try session.hold(reservation, because: trouble, timing: timing)
      return outcome(.held, trouble, report)
    }
    try session.giveBack(reservation, because: trouble, isScrap: isBad, timing: timing)
    stage = .givenBack(reservation)
    return outcome(.failed, trouble, report, isScrap: isBad)
  }

  /// A tag that got no job.
  private func recordUntouched(_ report: TagReport?) throws(JournalError) -> TagOutcome {
    if case .left(let reason, let job) = stage { return try passOver(because: reason, job: job) }
    let trouble = TagTrouble(report?.failure)
    switch history {
    case .written(let written):
      guard trouble.cause == "refused" else {
        return try passOver(because: trouble, job: written.job)
      }
      return try passOver(because: Self.unread(written, trouble.text), job: written.job)
    case .scrap(let scrap) where trouble.cause == "refused":
      return try passOver(because: Self.reason(scrap))
    default:
      try session.passOver(presented, because: trouble, timing: timing)
      return outcome(isWaitedFor ? .held : .failed, trouble, report)
    }
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
      return TagTrouble(
        trouble.cause, trouble.text + " The part of the message on it was disabled.")
    }
    return TagTrouble(
      trouble.cause,
      trouble.text
        + " The part of the message on it cannot be disabled: a phone may still read it.")
  }

  private func complete(
    _ reservation: Reservation, _ report: TagReport
  ) throws(JournalError) -> TagOutcome {
    let verified = VerifiedTag(
      message: report.content.stored ?? [], isLocked: report.isLocked ?? false,
      isProtected: report.isPasswordProtected ?? false)
    let reason = station.inspectionReason(isRepaired: hasFailedInspection)
    let written = try session.complete(
      reservation, verified: verified, timing: timing, inspecting: reason)
    var outcome = outcome(.passed, nil, report)
    outcome.written = written
    outcome.wasThere = report.result == .unchanged
    outcome.needsInspection = reason != nil
    return outcome
  }

  func passOver(because reason: TagTrouble, job: PlannedJob? = nil) throws(JournalError)
    -> TagOutcome
  {
    if !(foundNoJob && station.line.state.mayGetJobs) {
      try session.passOver(presented, job: job?.number, because: reason, timing: timing)
    }
    var outcome = outcome(.left, reason)
    outcome.job = job.map(TagOutcome.Job.init)
    return outcome
  }

  /// The journal could not take what happened. A tag with a reservation keeps it, whatever it
  /// holds; any other was not touched.
  func unrecorded(_ error: JournalError) -> TagOutcome {
    var outcome = outcome(
      reservation == nil && !isWaitedFor ? .left : .held,
      TagTrouble("journal", error.description))
    if outcome.verdict == .held {
      outcome.next =
        "Set tag \(tag.uid) aside. When the journal can be written again, put the tag on a reader: the program finishes it."
    }
    return outcome
  }

  private var timing: Timing {
    Timing(started: started, duration: watch.total, steps: watch.steps)
  }

  private func outcome(
    _ verdict: TagOutcome.Verdict, _ trouble: TagTrouble?, _ report: TagReport? = nil,
    isScrap: Bool = false
  ) -> TagOutcome {
    var outcome = TagOutcome(verdict: verdict, uid: tag.uid)
    outcome.tagType = product?.name
    outcome.job = (reservation?.job).map(TagOutcome.Job.init)
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

extension TagTrouble {
  /// Why a job did not end as wanted.
  init(_ failure: JobFailure?) {
    guard let failure else {
      self.init("internal", "The reason of the failure is not known.")
      return
    }
    let cause =
      switch failure.kind {
      case .badInput: "unsuited"
      case .readerUnavailable: "reader"
      case .internalError: "internal"
      case .tagTrouble: "lost"
      case .noTag: "no-tag"
      case .mismatch: "mismatch"
      case .refused: "refused"
      case .interrupted: "interrupted"
      }
    self.init(
      cause,
      [failure.what, failure.tagHolds.map { "On the tag: \($0)" }].compactMap(\.self).joined(
        separator: " "))
  }
}
