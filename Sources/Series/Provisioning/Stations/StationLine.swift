import Dispatch
import JobLists
import LedgerSQLite
import Readers
import Synchronization
import TagMemory
import TagProgramming

/// A bench line: one station for each reader, which share a list of jobs and its journal, or read
/// tag after tag.
///
/// Each station works in its own time on a thread of its own: it takes a job when a tag lies on its
/// reader, writes it, reads it back, enters it in the journal and waits for the tag to be taken
/// away. Trouble with one reader or tag does not stop the others.
public final class StationLine: Sendable {
  let work: LineWork
  let options: LineOptions
  /// The tags that did not take their password, at whatever station.
  let refusedPasswords = RefusedPasswords()
  let state: LineState
  private let answers = Mutex<Set<Int>>([])
  private let readers: [any StationReader]
  /// The reader that only inspects; nil: tags come back to their stations.
  private let inspector: (any StationReader)?
  private let tellAll: @Sendable (LineEvent) -> Void
  /// Keeps in a series' journal what the stations show.
  private let shown: ShownStations?
  private let wantsEnd: @Sendable () -> Bool

  /// `readers` and `inspector` are open, the journal has adopted the jobs of `source`. `tell` is
  /// called by the stations' threads, the inspector's being the one behind those of `readers`;
  /// `shouldStop` is asked between steps: true ends the run at a point from which another goes on.
  package init(
    readers: [any StationReader], session: JournalSession, source: JobSource, options: LineOptions,
    inspector: (any StationReader)? = nil, labels: LabelFile? = nil,
    printer: (any LabelPrinting)? = nil, picks: JobPicks? = nil, scansLabels: Bool = false,
    tell: @escaping @Sendable (LineEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(JournalError) {
    (self.readers, self.options, self.inspector) = (readers, options, inspector)
    (tellAll, wantsEnd) = (tell, shouldStop)
    let count = readers.count + (inspector == nil ? 0 : 1)
    shown = ShownStations(
      (0..<count).map { options.stationName($0, of: readers.count) }, session)
    let waiting = try session.journal.reservations().filter(\.holder.isAbsent)
    state = LineState(
      options, pending: try session.journal.jobsLeft(), waitedFor: Set(waiting.map(\.uid)))
    let series = LineSeries(
      session: session, source: .list(source), labels: labels, printer: printer, picks: picks,
      labelScans: scansLabels ? LabelScans() : nil,
      dueBefore: options.inspectEvery == nil ? [] : try session.journal.inspectionsDue())
    for tag in series.dueBefore { state.noteDue(tag.uid) }
    work = .jobs(series)
  }

  /// Makes a line that changes tags from the field; the rest likewise.
  package init(
    readers: [any StationReader], session: JournalSession, changing changes: TagChanges,
    options: LineOptions, tell: @escaping @Sendable (LineEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(JournalError) {
    (self.readers, self.options, inspector) = (readers, options, nil)
    (tellAll, wantsEnd) = (tell, shouldStop)
    shown = ShownStations(
      readers.indices.map { options.stationName($0, of: readers.count) }, session)
    let waiting = try session.journal.reservations().filter(\.holder.isAbsent)
    let series = LineSeries(
      session: session, source: .tags(changes), labels: nil, printer: nil, picks: nil,
      labelScans: nil, dueBefore: [])
    // From the field come as many as there are.
    state = LineState(
      options, isEndless: !changes.isBack, pending: try series.jobsLeft(),
      waitedFor: Set(waiting.map(\.uid)))
    work = .jobs(series)
  }

  /// Makes a line that reads tags into `collection` and writes to none; the rest likewise.
  package init(
    readers: [any StationReader], into collection: TagCollection, options: LineOptions,
    tell: @escaping @Sendable (LineEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.readers, self.options, inspector, shown) = (readers, options, nil, nil)
    (tellAll, wantsEnd, work) = (tell, shouldStop, .reading(collection))
    state = LineState(options, isEndless: true, pending: 0, waitedFor: [])
  }

  /// The series whose jobs go onto tags; nil where the line only reads.
  var series: LineSeries? { if case .jobs(let series) = work { series } else { nil } }

  /// Finished tags of earlier runs that wait for their inspection at a station; those of stations
  /// that are no more are the first one's, and all are the inspector's where there is one.
  func dueBefore(atStation number: Int) -> [WrittenTag] {
    let dueBefore = series?.dueBefore ?? []
    guard inspector == nil else { return number == readers.count ? dueBefore : [] }
    let names = readers.indices.map(name(ofStation:))
    return dueBefore.filter { (names.firstIndex(of: $0.station) ?? 0) == number }
  }

  /// Is true if finished tags are inspected.
  var inspects: Bool { options.inspectEvery != nil }

  /// Returns what the journal calls a station.
  func name(ofStation number: Int) -> String {
    options.stationName(number, of: readers.count)
  }

  /// What people call the reader that only inspects.
  var inspectorName: String? { inspector?.name }

  /// Runs until the jobs are done, or the run ends for another reason. Blocks.
  package func run() -> LineSummary {
    let journal = series?.session.journal
    journal?.pool?.onJobsLeft { [weak self] left in
      self?.state.note(pending: left)
      self?.endIfDone()
    }
    endIfDone()
    let places = readers + [inspector].compactMap(\.self)
    // Each station signals once: when it ends, or when its thread has stopped for good.
    let ended = DispatchSemaphore(value: 0)
    StationGuard.watch { [state] number in
      state.end(.stationFell(reader: places[number].name), overruling: true)
      ended.signal()
    }
    for (number, place) in places.enumerated() {
      // A queue of its own for each: stations block most of the time.
      DispatchQueue(label: "station \(number)").async { [self] in
        StationGuard.run(number) {
          Station(number, place, on: self, isInspector: number == readers.count).run()
        }
        ended.signal()
      }
    }
    for _ in places { ended.wait() }
    StationGuard.watch(nil)
    shown?.finish()
    do throws(JournalError) {
      try journal?.checkFile()
    } catch {
      // Whatever else the run has come to, it is recorded nowhere.
      state.end(.journal(error), overruling: true)
    }
    journal?.pool?.countAgain()
    if let left = try? series?.jobsLeft() { state.note(pending: left) }
    var summary = state.summary
    if let lost = try? series?.lostTags() { summary.lost = lost }
    return summary
  }

  /// Ends the run when the journal, too, says that nothing is left to do.
  func endIfDone() {
    guard let taken = state.takenIfDone else { return }
    guard let series else { return state.endIfDone(pending: 0, waitedFor: [], taken: taken) }
    do throws(JournalError) {
      let waiting = try series.session.journal.reservations().filter(\.holder.isAbsent)
      state.endIfDone(
        pending: try series.jobsLeft(), waitedFor: Set(waiting.map(\.uid)), taken: taken)
    } catch {
      state.end(.journal(error))
    }
  }

  /// Ends the run when the journal's file is no longer the one that it was.
  func checkJournal() {
    do throws(JournalError) {
      try series?.session.journal.checkFile()
    } catch {
      state.end(.journal(error))
    }
  }

  // MARK: Codes and rows

  /// A code was scanned for the tag of a station, that which lies there or the next. Any thread may
  /// call.
  package func scan(_ code: String, station: Int) {
    guard let series, readers.indices.contains(station) else { return }
    state.noteActivity()
    if series.labelScans?.take(code, for: station) == true { return }
    guard let picks = series.picks else { return }
    do throws(JournalError) {
      let (answer, dropped) = try picks.take(code, for: station)
      if let dropped { tell(station, .codeDropped(TagOutcome.Job(dropped))) }
      tell(station, .scanned(code, answer))
    } catch {
      state.end(.journal(error))
    }
  }

  /// No codes come from the scanner of a station, for this reason; nil: they come again. Any thread
  /// may call.
  package func noteScanner(lost reason: String?, station: Int) {
    guard readers.indices.contains(station) else { return }
    tell(station, reason.map { .scannerLost($0) } ?? .scannerBack)
  }

  /// So many rows were added to the list. Any thread may call.
  package func noteAdded(_ count: Int) { state.noteAdded(count) }

  /// No more rows will come to a list that was followed. Any thread may call.
  package func noteListEnd() {
    state.noteListEnd()
    endIfDone()
  }

  /// Ends the run because of the journal or the list. Any thread may call.
  package func end(_ error: JournalError) { state.end(.journal(error)) }

  /// No job waits, as far as the journal says now.
  func noteExhausted() {
    state.note(pending: (try? series?.jobsLeft()) ?? 0)
  }

  // MARK: Answers to verdicts

  /// Somebody has seen the verdict of a station (nil: of each), as by a key: it no longer stands.
  public func answer(station: Int? = nil) {
    let indices = station.map { [$0] } ?? Array(readers.indices)
    answers.withLock { $0.formUnion(indices.filter(readers.indices.contains)) }
  }

  func isAnswered(_ station: Int) -> Bool { answers.withLock { $0.contains(station) } }

  /// Returns whether it was answered; asks once.
  func takeAnswer(_ station: Int) -> Bool { answers.withLock { $0.remove(station) != nil } }

  func tell(_ station: Int, _ kind: LineEvent.Kind) {
    let event = LineEvent(station: station, kind: kind)
    shown?.take(event)
    tellAll(event)
  }

  /// Returns whether somebody asked for the end; a tag that is being written is left at its next
  /// safe point.
  func isInterrupted() -> Bool {
    guard wantsEnd() else { return false }
    state.end(.interrupted)
    return true
  }

  /// Returns whether no further tag is begun.
  package func isOver() -> Bool { isInterrupted() || state.isOver }
}

/// Tags, keys and journals are no affair of a log.
extension StationLine: CustomReflectable {
  /// Has no children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
