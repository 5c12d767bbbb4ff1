import Foundation
import JobLists
import LedgerSQLite
import Readers
import TagMemory
import TagProgramming

/// One tag on one station: from its arrival to its record in the journal.
///
/// Before the first write the job is reserved in the journal for this tag's UID and these bytes. A
/// tag that then fails gives the job back only when it provably does not hold it. Nothing is said
/// of what a tag holds before it was read.
final class Attempt {
  /// How far it has got.
  enum Stage {
    /// Nothing is decided.
    case arrived
    /// The tag gets no job; `job` is the one that it seems to have.
    case left(TagTrouble, job: PlannedJob?)
    /// A job is reserved for the tag.
    case reserved(Reservation, Before)
    /// The job that was reserved waits for another tag.
    case givenBack(Reservation)
  }

  /// What was seen of a tag before its job was begun.
  struct Before {
    /// Is true if it was seen not to hold its job.
    var hadNothing = false
  }

  let tag: Target
  let series: LineSeries
  let station: Station
  let watch: StepWatch
  let started = Date()
  var session: JournalSession { series.session }
  var options: LineOptions { station.line.options }

  var stage = Stage.arrived
  /// What the journal knew of the tag when it came.
  private(set) var history: TagHistory?
  /// The row of the list that is for this tag; nil: rows are for any, or none is for it.
  private(set) var ownRow: PlannedJob?
  var product: Product?
  /// Is true if the list has no job left.
  var foundNoJob = false
  /// Why nobody can finish the job that was begun on it.
  var end: TagTrouble?
  /// Is true if it was to be written once more, and nothing was sent: it holds its job as before.
  var isAsBefore = false
  /// Is true if it has bound the run to the tag's type.
  var binds = false

  init(_ tag: Target, of series: LineSeries, on station: Station, watch: StepWatch) {
    (self.tag, self.series, self.station, self.watch) = (tag, series, station, watch)
  }

  func run(with programmer: Programmer) -> TagOutcome {
    defer { settle() }
    do throws(JournalError) {
      history = try session.journal.history(of: tag.uid)
      if station.place.reader.hasRandomUID(tag) {
        watch.stop()
        return try passOver(
          because: TagTrouble(
            .randomUID,
            "The tag has a random UID, so the program cannot distinguish it from others."))
      }
      if let trouble = try findRow() {
        watch.stop()
        return try passOver(because: trouble)
      }
      let report = try program(with: programmer)
      watch.stop()
      product = report?.product ?? product
      return try record(report, with: programmer)
    } catch {
      station.line.state.end(.journal(error))
      return unrecorded(error)
    }
  }

  /// Finds the tag's own row. Returns why the tag is to be left alone, unread, where the list names
  /// tags and not this one.
  private func findRow() throws(JournalError) -> TagTrouble? {
    switch try session.journal.row(for: tag.uid) {
    case .anyRow: return nil
    case .row(let row): ownRow = row
    case .notListed where history == nil: return .notListed
    case .notListed: break
    }
    return nil
  }

  /// Looks at the tag, decides, and runs its job; nil where it is left alone.
  private func program(with programmer: Programmer) throws(JournalError) -> TagReport? {
    switch series.source {
    case .list(let source): try put(RowPlanner(source, options), with: programmer)
    case .tags(let changes): try change(by: changes, with: programmer)
    }
  }

  /// Puts a row of a list on the tag.
  private func put(
    _ planner: RowPlanner, with programmer: Programmer
  ) throws(JournalError) -> TagReport? {
    if options.rewrite, try isTakenOver(planner) { return nil }
    // Of a pool, each write waits for the database's word.
    if isRewriting, options.rewrite, session.journal.pool == nil {
      return try rewrite(planner) { station.programmer(openingOptions(planner), asking: $0) }
    }
    let surveyed: SurveyedTag
    let programmer = opening(programmer, planner)
    do throws(SurveyError) {
      surveyed = try programmer.survey(tag)
    } catch {
      // What a password hides can be looked at only with the job's own.
      guard error.report.failure?.kind == .refused, case .reserved(let reserved) = history,
        reserved.job.hasPassword || options.protection != nil
      else { return error.report }
      product = reserved.tagType.flatMap(Product.named)
      guard let reservation = try choose(nil, planner) else { return nil }
      guard let job = try? planner.job(of: reservation, for: tag.uid) else { return error.report }
      return programmer.run(job, on: tag)
    }
    product = surveyed.found.product ?? product
    guard
      let reservation = try choose(surveyed.found, planner, isRefused: { refuse(surveyed) })
    else { return nil }
    do throws(JobFailure) {
      return surveyed.run(try planner.job(of: reservation, for: tag.uid))
    } catch {
      return surveyed.leave(error)
    }
  }

  /// What opens the tag with what its job, once begun, has given it.
  private func opening(_ programmer: Programmer, _ planner: RowPlanner) -> Programmer {
    hasMemory ? station.programmer(openingOptions(planner)) : programmer
  }

  private func openingOptions(_ planner: RowPlanner) -> RunOptions {
    guard let job = knownJob, hasMemory else { return station.runOptions }
    return planner.opening(station.runOptions, job)
  }

  /// The job that the journal has on the tag.
  private var knownJob: PlannedJob? {
    switch history {
    case .reserved(let reserved): reserved.job
    case .written(let written): written.job
    case .scrap, nil: nil
    }
  }

  private var hasMemory: Bool { knownJob?.message.isImage == true }

  /// Returns whether the tag is to be left alone because it is not shown to be genuine, as wanted.
  func refuse(_ surveyed: SurveyedTag) -> Bool {
    guard options.mustBeGenuine else { return false }
    watch.enter("identify")
    guard let report = surveyed.refusalAsNotGenuine() else { return false }
    let trouble = TagTrouble(report.failure)
    let isVerdict = report.failure?.kind == .refused
    stage = .left(
      isVerdict ? TagTrouble(.notGenuine, trouble.text) : trouble, job: nil)
    return true
  }

  private func settle() {
    switch stage {
    case .arrived, .left: unbind()
    case .reserved: station.line.state.settle(isBack: false)
    case .givenBack:
      unbind()
      station.line.state.settle(isBack: true)
    }
  }

  /// The tag has no job that is for any type.
  func unbind() {
    if binds { station.line.state.unbind() }
    binds = false
  }

  var reservation: Reservation? {
    switch stage {
    case .arrived, .left: nil
    case .reserved(let reservation, _), .givenBack(let reservation): reservation
    }
  }

  /// Is true if the tag was nobody's when it came.
  var isFresh: Bool {
    switch history {
    case .scrap, nil: true
    case .written, .reserved: false
    }
  }

  /// Is true if the tag has a job that was finished on it.
  var isRewriting: Bool {
    if case .written = history { true } else { false }
  }

  /// Is true if the tag has a job that was not finished on it.
  var isWaitedFor: Bool {
    if case .reserved = history { true } else { false }
  }

  /// Is true if its job was taken back because of what an inspection found.
  var hasFailedInspection: Bool {
    if case .reserved(let tag) = history { tag.trouble?.known == .inspection } else { false }
  }

  /// The keys that it is to get, said without a secret.
  var givenKeys: GivenKeys? {
    options.personalisation.map {
      GivenKeys(keys: $0.keys.identity, before: $0.before.identity)
    }
  }

  var presented: PresentedTag {
    PresentedTag(
      uid: tag.uid, tagType: product?.name, station: station.name,
      reader: station.place.name)
  }

  static func text(_ date: Date) -> String {
    date.formatted(.iso8601)
  }
}
