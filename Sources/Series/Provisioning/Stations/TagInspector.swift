import LedgerSQLite
import NDEF
import Readers
import TagMemory
import TagProgramming

/// Audits a finished tag that was put on a reader again: its message against the journal, then
/// everything that its job asks for, as a job that must find nothing left to do.
///
/// It shares nothing with the reading that followed the write: the tag had no power in between.
struct TagInspector {
  let tag: Target
  let series: LineSeries
  let station: Station
  let watch: StepWatch

  /// The journal has what was found when this returns.
  func inspect(_ written: WrittenTag) -> Inspection {
    let job = TagOutcome.Job(written.job)
    var inspection: Inspection
    var fault: InspectionFault?
    switch look(written) {
    case .good: inspection = Inspection(.good, tag.uid, job)
    case .again(let trouble):
      inspection = Inspection(.again, tag.uid, job)
      inspection.trouble = trouble
      inspection.next = "Put it on the reader again: it still has to be inspected."
      return inspection
    case .bad(let found):
      fault = found
      inspection = Inspection(.bad, tag.uid, job)
      inspection.trouble = found.trouble
      inspection.isScrap = found.message.map { digest(of: $0) != written.digest } ?? false
      inspection.next =
        inspection.isScrap
        ? "Do not use it: its job goes to the next tag. Find out why it changed before the line goes on."
        : "Set it aside. Find out why before the line goes on; then put it on a reader where nfcprog provision runs."
    }
    watch.stop()
    do throws(JournalError) {
      let hearing = try series.session.inspected(
        written, on: presented(written), fault,
        timing: Timing(started: attempt.started, duration: watch.total, steps: watch.steps))
      if inspection.isScrap, hearing != .heard { inspection.next = Self.scrap(hearing) }
      if inspection.isScrap, try hasLabel(written), let next = inspection.next {
        inspection.next = "\(next) Destroy its label, too."
      }
      if fault != nil { station.line.state.end(.inspection(inspection.trouble)) }
    } catch .reservationLost {
      inspection = Inspection(.unknown, tag.uid, job)
      inspection.trouble = TagTrouble(.elsewhere, Self.inOtherHands)
      inspection.next = "Put it on a reader of the line."
    } catch {
      station.line.state.end(.journal(error))
      inspection = Inspection(.again, tag.uid, job)
      inspection.trouble = TagTrouble(.journal, error.description)
    }
    return inspection
  }

  /// Returns whether a label of the tag was printed, or may be printed by those who have its row.
  private func hasLabel(_ written: WrittenTag) throws(JournalError) -> Bool {
    if series.labels != nil { return true }
    return try series.session.journal.hasLabel(written)
  }

  /// What to do with a bad tag of which the pool has not heard.
  private static func scrap(_ hearing: PoolHearing) -> String {
    let why =
      if case .failed(let reason) = hearing {
        "This bench could not tell the database of it: \(reason) When the database has heard of it,"
      } else {
        "The database is away: when it answers,"
      }
    return
      "Do not use it. \(why) the job goes to the next tag, unless another bench has written this tag again. Find out why it changed before the line goes on."
  }

  private static let inOtherHands =
    "The inspection does not count: others have taken over this tag or released its job."

  private enum Finding {
    case good
    case again(TagTrouble)
    case bad(InspectionFault)
  }

  private let attempt: Attempt

  /// What makes jobs of the list's rows; nil: the jobs are of no list.
  private var planner: RowPlanner? {
    if case .list(let source) = series.source {
      RowPlanner(source, station.line.options)
    } else {
      nil
    }
  }

  init(_ tag: Target, of series: LineSeries, on station: Station, watch: StepWatch) {
    (self.tag, self.series, self.station, self.watch) = (tag, series, station, watch)
    attempt = Attempt(tag, of: series, on: station, watch: watch)
  }

  private func presented(_ written: WrittenTag) -> PresentedTag {
    PresentedTag(
      uid: tag.uid, tagType: written.tagType, station: station.name,
      reader: station.place.name)
  }

  private func look(_ written: WrittenTag) -> Finding {
    watch.enter("inspect")
    var options = station.runOptions
    let protection = try? planner?.protection(of: written.job)?.resolved(for: written.uid)
    if let protection {
      (options.credentials.password, options.listedSecret) = (protection.password, nil)
    }
    if let planner { options = planner.opening(options, written.job) }
    let read = station.programmer(options).run(
      written.job.message.isImage ? .info : .read, on: tag)
    if let failure = read.failure { return finding(failure, nil) }
    guard let message = TagReading(read, tag.uid).content(inPlaceOf: written.job) else {
      return .again(TagTrouble(.unread, "Not all of the tag's memory could be read."))
    }
    guard digest(of: message) == written.digest else {
      return .bad(
        InspectionFault(
          TagTrouble(.inspection, "At its inspection the tag held other data than its job's."),
          message: message))
    }
    if written.isLocked, read.isLocked == false {
      return bad("The tag was locked, and at its inspection it was not.", message)
    }
    return recheck(written, message, options)
  }

  /// Returns whether the tag's own job would find nothing left to do: keys, proofs, password and
  /// locks.
  private func recheck(_ written: WrittenTag, _ message: [UInt8], _ options: RunOptions) -> Finding
  {
    let same = Reservation(
      job: written.job, tag: presented(written), message: message, digest: written.digest, token: 0)
    let job: Job
    do throws(JobFailure) {
      guard let planner else { return .good }
      job = try planner.job(of: same, for: tag.uid)
    } catch {
      return .again(TagTrouble(error))
    }
    var options = options
    options.dryRun = true
    let report = station.programmer(options).run(job, on: tag)
    if let failure = report.failure { return finding(failure, message) }
    guard report.result == .unchanged else {
      let step = report.program?.steps.first { $0.isWrite }.map { "\($0)" }
      return bad(
        "The tag holds its message, but its job is not complete on it"
          + (step.map { "; the next step would be: \($0)." } ?? "."), message)
    }
    return .good
  }

  private func bad(_ text: String, _ message: [UInt8]) -> Finding {
    .bad(InspectionFault(TagTrouble(.inspection, text), message: message))
  }

  /// A tag or reader that went away says nothing of the tag; one that refuses, or holds what it
  /// should not, does.
  private func finding(_ failure: JobFailure, _ message: [UInt8]?) -> Finding {
    let trouble = TagTrouble(failure)
    switch failure.kind {
    case .tagTrouble, .readerUnavailable, .noTag, .interrupted, .internalError,
      .configuration:
      return .again(trouble)
    case .refused, .mismatch, .badInput:
      let text = "At its inspection the tag could not be read as it was written: \(trouble.text)"
      return .bad(InspectionFault(TagTrouble(.inspection, text), message: message))
    }
  }
}
