import Foundation
import NDEF
import Readers
import TagMemory
import TagProgramming

/// One tag on one station: from its arrival to its record in the journal.
///
/// Before the first write the job is reserved in the journal for this tag's UID and these bytes. A tag that then fails
/// gives the job back only when it provably does not hold it.
final class Attempt {
  private let tag: Activation
  private let station: Station
  private let watch: StepWatch
  private let started = Date()
  private var session: JournalSession { station.line.session }
  private var options: LineOptions { station.line.options }

  /// What the journal knew of the tag when it came.
  private var history: TagHistory?
  private var product: Product?
  private var reservation: Reservation?
  /// Whether the tag was seen not to hold its job before this attempt.
  private var hadNothing = false
  /// Whether the tag was no NDEF tag when it came: what was begun on it makes it unfit for other jobs.
  private var wasUnformatted = false
  /// Whether the job waits for another tag.
  private var isBack = false
  private var hasTaken = false
  /// Why the tag is left alone.
  private var reason: TagTrouble?
  private var knownJob: PlannedJob?
  private var foundNoJob = false
  private var journalError: JournalError?

  init(_ tag: Activation, on station: Station, watch: StepWatch) {
    (self.tag, self.station, self.watch) = (tag, station, watch)
  }

  func run(with programmer: Programmer) -> TagOutcome {
    defer { if hasTaken { station.line.state.settle(isBack: isBack) } }
    do throws(JournalError) {
      history = try session.journal.history(of: tag.uid)
      if let reason = reasonAgainst(history) {
        watch.stop()
        return try passOver(because: reason)
      }
      let report = program(with: programmer)
      watch.stop()
      product = report.product ?? product
      return try record(report)
    } catch {
      station.line.state.end(.journal(error))
      return outcome(.failed, TagTrouble("journal", error.description))
    }
  }

  /// Why the tag is not even looked at; nil when it is.
  private func reasonAgainst(_ history: TagHistory?) -> TagTrouble? {
    if tag.uid.isRandom {
      return TagTrouble(
        "random-uid", "The tag gives another UID each time, so it cannot be told from others.")
    }
    guard !options.rewrite else { return nil }
    switch history {
    case .written(let written):
      knownJob = written.job
      return TagTrouble(
        "written",
        "This tag holds job \(written.job.number), \(written.job.name), since \(Self.text(written.when))."
      )
    case .scrap(let scrap):
      return TagTrouble(
        "scrap", "This tag was set aside on \(Self.text(scrap.when)): \(scrap.trouble.text)")
    case .reserved, nil: return nil
    }
  }

  // MARK: Choosing

  private func program(with programmer: Programmer) -> TagReport {
    // What a password hides can be looked at only with the job's own.
    if case .reserved(let reserved) = history, reserved.job.hasPassword || options.protection != nil
    {
      product = reserved.tagType.flatMap(Product.named)
      do throws(ProgramFailure) {
        return programmer.run(try choose(nil), on: tag)
      } catch {
        return programmer.run(on: tag) { _ throws(ProgramFailure) in throw error }
      }
    }
    return programmer.run(on: tag) { [self] found throws(ProgramFailure) in try choose(found) }
  }

  /// The job for the tag, reserved in the journal; throws where the tag is to be left alone.
  private func choose(_ found: TagFound?) throws(ProgramFailure) -> Job {
    do throws(JournalError) {
      product = found?.product ?? product
      if let content = found?.message, !content.isEmpty {
        reservation = try session.takeUp(presented, holding: content)
        if reservation == nil { try checkContent(content) } else { take() }
      }
      watch.enter("reserve")
      if reservation == nil {
        try reserve(found)
        hadNothing = found != nil && !isRewriting
        wasUnformatted = found?.status == .notSupported
      }
      watch.enter("plan")
    } catch {
      journalError = error
      throw ProgramFailure(.internalError, error.description)
    }
    guard let reservation else {
      throw ProgramFailure(.refused, reason?.text ?? "There is no job for this tag.")
    }
    return try job(for: reservation)
  }

  /// Finds out whether the message of a tag without history may be lost.
  private func checkContent(_ content: [UInt8]) throws(JournalError) {
    switch history {
    case .reserved, .written: return
    case .scrap, nil: break
    }
    if let other = try session.journal.job(holding: digest(of: content)) {
      reason = TagTrouble(
        "copy", "The tag holds the message of job \(other), which is on another tag: it is a copy.")
    } else if !options.overwrite {
      reason = TagTrouble(
        "foreign", "The tag holds another message already; --overwrite writes over such.")
    }
  }

  private func reserve(_ found: TagFound?) throws(JournalError) {
    guard reason == nil else { return }
    let made = try session.reserve(for: presented, rewriting: options.rewrite) {
      [self] job throws(JobRefusal) in try message(of: job, found)
    }
    switch made {
    case .reserved(let reserved):
      reservation = reserved
      take()
    case .nothingLeft:
      foundNoJob = true
      station.line.state.noteExhausted()
      reason = TagTrouble("no-job", "No job is left for this tag.")
    case .nothingFits:
      reason = TagTrouble(
        "wrong-type", "No job is waiting for this type, \(product?.displayName ?? "unknown").")
    case .unsuited(let sentence): reason = TagTrouble("unsuited", sentence)
    case .inUse(let other):
      knownJob = other.job
      reason = TagTrouble("in-use", "Another station works on a tag with this UID.")
    case .written(let written):
      knownJob = written.job
      reason = TagTrouble(
        "written", "This tag holds job \(written.job.number), \(written.job.name).")
    }
  }

  /// The attempt has a job in hand.
  private func take() {
    hasTaken = true
    station.line.state.take(isNew: isFresh)
  }

  /// Whether the tag was nobody's when it came.
  private var isFresh: Bool {
    switch history {
    case .scrap, nil: true
    case .written, .reserved: false
    }
  }

  /// Whether the tag has a job that was finished on it.
  private var isRewriting: Bool {
    if case .written = history { true } else { false }
  }

  /// Whether the tag has a job that was not finished on it.
  private var isWaitedFor: Bool {
    if case .reserved = history { true } else { false }
  }

  private func message(of job: PlannedJob, _ found: TagFound?) throws(JobRefusal) -> [UInt8] {
    let fields = TagFields(
      uid: tag.uid, number: job.number, secondsSince1970: Int64(started.timeIntervalSince1970))
    let bytes: [UInt8]
    do {
      bytes = try job.message.message(for: fields, files: station.line.source.files).serialize()
    } catch {
      throw .defective(error.message)
    }
    if let capacity = found?.capacity, bytes.count > capacity {
      throw .unsuitedTag(
        "The message has \(bytes.count) bytes; this \(product?.displayName ?? "tag") takes \(capacity)."
      )
    }
    if job.hasPassword || options.protection != nil, product?.features.contains(.password) == false
    {
      throw .unsuitedTag("A \(product?.displayName ?? "tag") cannot be protected by a password.")
    }
    return bytes
  }

  private func job(for reservation: Reservation) throws(ProgramFailure) -> Job {
    var write = WriteOptions()
    write.overwrite = options.overwrite
    write.lock = reservation.job.locks
    do {
      if let password = try station.line.source.password(of: reservation.job) {
        write.protection = Protection(password: password)
      } else {
        write.protection = options.protection
      }
      return .write(try Message(parsing: reservation.message), write)
    } catch {
      throw ProgramFailure(.badInput, "\(error)")
    }
  }

  // MARK: Recording

  private var presented: PresentedTag {
    PresentedTag(
      uid: tag.uid, tagType: product?.name, station: "\(station.number + 1)",
      reader: station.place.name)
  }

  private func record(_ report: TagReport) throws(JournalError) -> TagOutcome {
    if let journalError { throw journalError }
    guard let reservation else {
      if let reason { return try passOver(because: reason) }
      let trouble = TagTrouble(report.failure)
      try session.passOver(presented, because: trouble, timing: timing)
      return outcome(isWaitedFor ? .held : .failed, trouble, report)
    }
    guard let failure = report.failure else { return try complete(reservation, report) }
    let trouble = TagTrouble(failure)
    // A tag that refuses to be written, or keeps something else, is not tried again.
    let isBad =
      failure.kind == .mismatch || (failure.kind == .refused && report.counts.writes > 0)
    let isBegun = wasUnformatted && report.counts.writes > 0
    guard hadNothing, report.newMessage == .absent, isBad || !isBegun else {
      try session.hold(reservation, because: trouble, timing: timing)
      return outcome(.held, trouble, report)
    }
    try session.giveBack(reservation, because: trouble, isScrap: isBad, timing: timing)
    isBack = true
    var outcome = outcome(.failed, trouble, report)
    outcome.isScrap = isBad
    return outcome
  }

  private func complete(
    _ reservation: Reservation, _ report: TagReport
  ) throws(JournalError) -> TagOutcome {
    let verified = VerifiedTag(
      message: report.rawMessage ?? [], isLocked: report.isLocked ?? false,
      isProtected: report.isPasswordProtected ?? false)
    do throws(JournalError) {
      let written = try session.complete(reservation, verified: verified, timing: timing)
      var outcome = outcome(.passed, nil, report)
      outcome.written = written
      outcome.wasThere = report.result == .unchanged
      return outcome
    } catch .reservationLost(let job) {
      // Somebody released the job while it was written: the tag must not be used.
      let text = JournalError.reservationLost(job: job).description
      let trouble = TagTrouble("released", text)
      try session.passOver(presented, job: job, because: trouble, timing: timing)
      return outcome(.failed, trouble, report)
    }
  }

  private func passOver(because reason: TagTrouble) throws(JournalError) -> TagOutcome {
    if !(foundNoJob && station.line.state.mayGetJobs) {
      try session.passOver(presented, job: knownJob?.number, because: reason, timing: timing)
    }
    return outcome(.left, reason)
  }

  private var timing: Timing {
    Timing(started: started, duration: watch.total, steps: watch.steps)
  }

  private func outcome(
    _ verdict: TagOutcome.Verdict, _ trouble: TagTrouble?, _ report: TagReport? = nil
  ) -> TagOutcome {
    var outcome = TagOutcome(verdict: verdict, uid: tag.uid)
    outcome.tagType = product?.name
    outcome.job = (reservation?.job ?? knownJob).map(TagOutcome.Job.init)
    outcome.trouble = trouble
    outcome.kind = verdict == .passed ? nil : report?.failure?.kind ?? .refused
    outcome.counts = report?.counts ?? outcome.counts
    (outcome.duration, outcome.steps) = (watch.total, watch.steps)
    outcome.foundNoJob = foundNoJob
    switch verdict {
    case .passed, .left: break
    case .held: outcome.next = "Lay tag \(tag.uid) down again: it will be finished."
    case .failed: outcome.next = "Take another tag."
    }
    return outcome
  }

  private static func text(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
  }
}

extension UID {
  /// Whether the tag makes a UID up each time it is powered (ISO/IEC 14443-3, 6.5.4: a single-size UID from 08h on).
  fileprivate var isRandom: Bool { bytes.count == 4 && bytes[0] == 0x08 }
}

extension TagTrouble {
  /// Why a job did not end as wanted.
  init(_ failure: ProgramFailure?) {
    guard let failure else {
      self.init("internal", "Nothing is known of why it failed.")
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
