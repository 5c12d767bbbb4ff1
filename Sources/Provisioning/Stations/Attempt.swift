import Foundation
import Readers
import TagMemory
import TagProgramming

/// One tag on one station: from its arrival to its record in the journal.
///
/// Before the first write the job is reserved in the journal for this tag's UID and these bytes. A tag that then fails
/// gives the job back only when it provably does not hold it. Nothing is said of what a tag holds before it was read.
final class Attempt {
  let tag: Target
  let station: Station
  let watch: StepWatch
  let started = Date()
  var session: JournalSession { station.line.session }
  var options: LineOptions { station.line.options }

  /// What the journal knew of the tag when it came.
  var history: TagHistory?
  var product: Product?
  var reservation: Reservation?
  /// Whether the tag was seen not to hold its job before this attempt.
  var hadNothing = false
  /// Whether the tag was no NDEF tag when it came: what was begun on it makes it unfit for other jobs.
  var wasUnformatted = false
  /// Whether the tag's message was read.
  var wasRead = false
  /// Whether the job waits for another tag.
  var isBack = false
  var hasTaken = false
  /// Why the tag is left alone.
  var reason: TagTrouble?
  var knownJob: PlannedJob?
  var foundNoJob = false
  var journalError: JournalError?

  init(_ tag: Target, on station: Station, watch: StepWatch) {
    (self.tag, self.station, self.watch) = (tag, station, watch)
  }

  func run(with programmer: Programmer) -> TagOutcome {
    defer { if hasTaken { station.line.state.settle(isBack: isBack) } }
    do throws(JournalError) {
      history = try session.journal.history(of: tag.uid)
      if tag.hasRandomUID {
        watch.stop()
        return try passOver(
          because: TagTrouble(
            "random-uid", "The tag gives another UID each time, so it cannot be told from others."))
      }
      let report = try program(with: programmer)
      watch.stop()
      product = report.product ?? product
      return try record(report, with: programmer)
    } catch {
      station.line.state.end(.journal(error))
      return unrecorded(error)
    }
  }

  private func program(with programmer: Programmer) throws(JournalError) -> TagReport {
    let report = programmer.run(on: tag) { [self] found throws(ProgramFailure) in
      try choose(found)
    }
    // What a password hides can be looked at only with the job's own.
    guard !wasRead, report.failure?.kind == .refused, case .reserved(let reserved) = history,
      reserved.job.hasPassword || options.protection != nil
    else { return report }
    product = reserved.tagType.flatMap(Product.named)
    do throws(ProgramFailure) {
      return programmer.run(try choose(nil), on: tag)
    } catch {
      return programmer.run(on: tag) { _ throws(ProgramFailure) in throw error }
    }
  }

  /// The attempt has a job in hand.
  func take() {
    hasTaken = true
    station.line.state.take(isNew: isFresh)
  }

  /// Whether the tag was nobody's when it came.
  var isFresh: Bool {
    switch history {
    case .scrap, nil: true
    case .written, .reserved: false
    }
  }

  /// Whether the tag has a job that was finished on it.
  var isRewriting: Bool {
    if case .written = history { true } else { false }
  }

  /// Whether the tag has a job that was not finished on it.
  var isWaitedFor: Bool {
    if case .reserved = history { true } else { false }
  }

  var presented: PresentedTag {
    PresentedTag(
      uid: tag.uid, tagType: product?.name, station: "\(station.number + 1)",
      reader: station.place.name)
  }

  static func text(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
  }
}
