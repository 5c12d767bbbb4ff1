import Readers
import TagMemory
import TagProgramming

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One reader of a line: tag after tag, until the line's work is over.
final class Station {
  let number: Int
  let place: any StationReader
  let line: StationLine
  /// Is true if it only inspects what the others have finished.
  let isInspector: Bool
  /// How every tag is dealt with.
  let runOptions: RunOptions
  private let relay = Relay()
  private lazy var worker = programmer(runOptions)
  lazy var watch = StepWatch(clock)
  /// Good tags that it has finished in this run.
  private(set) var goodTags = 0
  /// Its tag that is to come back for its inspection before another is begun.
  var awaited: Inspection?
  /// Tags of earlier runs that are to come back behind that.
  var awaitedNext: [Inspection] = []
  /// The numbers of the tags that came, by UID.
  private var numbers: [UID: Int] = [:]
  /// The last tag's outcome, and when it had gone.
  private var last: (outcome: TagOutcome, gone: Duration)?
  /// Since when a verdict waits for a hand; that of `last`.
  private var standingSince: Duration?

  init(_ number: Int, _ place: any StationReader, on line: StationLine, isInspector: Bool = false) {
    (self.number, self.place, self.line) = (number, place, line)
    self.isInspector = isInspector
    var options = RunOptions()
    options.credentials = line.options.credentials
    options.refusedPasswords = line.refusedPasswords
    options.patience = line.options.patience
    options.expected = line.options.expected
    // The list has a word for a tag that it has no job for.
    options.refusesOtherTypes = false
    if case .reading = line.work { options.readsCounters = true }
    if let series = line.series, series.opensTags {
      options.listedSecret = { series.oldPassword(of: $0) }
    }
    if case .list(let source)? = line.series?.source { options.surveysMemory = source.writesImages }
    runOptions = options
    relay.take = { [unowned self] progress in
      watch.note(progress)
      line.tell(number, .progress(progress))
    }
  }

  /// What the journal calls it.
  var name: String { line.name(ofStation: number) }

  /// Returns what works on this station's tags, with `options`. `first` is asked before the first
  /// write to a tag.
  func programmer(_ options: RunOptions, asking first: FirstWrite? = nil) -> Programmer {
    Programmer(
      reader: place.reader, options: options,
      progress: { [relay] progress in
        if case .step(_, _, let step) = progress, step.isWrite { first?.ask() }
        relay.take?(progress)
      }, shouldStop: { [line] in first?.isRefused == true || line.isInterrupted() })
  }

  /// Hands on what the programmer tells, which is made before the station is.
  private final class Relay {
    var take: ((JobProgress) -> Void)?
  }

  /// How long to wait before it is asked again whether the line's work is over.
  private var slice: Duration { min(.seconds(1), line.options.timeout) }

  func run() {
    askForEarlierInspections()
    while !line.isOver() {
      do throws(ReaderError) {
        try serveNext()
      } catch .interrupted {
        // Somebody asked for the end, or the work is over.
        continue
      } catch .noTag {
        line.state.endIfIdle()
        if line.options.timeout == .zero { break }
      } catch .severalTags(let uids) {
        severalTags(uids)
      } catch {
        waitForReader(error)
      }
    }
    waitForLastLabels()
    line.tell(number, .ended)
  }

  /// Waits for a tag, does its job and sees it off.
  private func serveNext() throws(ReaderError) {
    if standingSince == nil { try waitForPrinter() }
    if line.takeAnswer(number) {
      standingSince = nil
      line.tell(number, .answered)
    }
    if standingSince != nil, let last {
      line.tell(number, .stands(last.outcome))
    } else {
      line.tell(number, .ready)
    }
    while true {
      do throws(ReaderError) {
        let tag = try place.reader.waitForTag(timeout: slice) {
          line.isOver() || standingSince != nil && line.isAnswered(number)
            || standingSince == nil && isPrinterAway
        }
        if let last, last.outcome.uid == tag.uid, last.outcome.isFinal,
          awaited?.uid != tag.uid, clock.now() - last.gone < TagReader.slip
        {
          line.tell(number, .same(last.outcome))
          return try seeOff(tag, last.outcome)
        }
        line.checkJournal()
        guard mayServe(tag), !line.isOver() else { return }
        guard !isPrinterAway else {
          // The verdict that stood is answered. The tag is looked for again.
          standingSince = nil
          return
        }
        guard let tag = try proven(tag) else { return }
        return try serve(tag)
      } catch .noTag {
        line.state.endIfIdle()
        line.checkJournal()
        guard !line.isOver(), line.options.timeout > .zero else { throw .noTag }
      }
    }
  }

  /// Returns whether a tag answers the verdict that stands. Another tag than that of the verdict
  /// does so only when it has stood long enough: whoever lays tags down without looking gets to see
  /// it.
  private func mayServe(_ tag: Target) -> Bool {
    guard let since = standingSince, let last, last.outcome.uid != tag.uid,
      clock.now() - since < line.options.hold, !line.isAnswered(number)
    else { return true }
    line.tell(number, .early(tag.uid, after: last.outcome))
    while clock.now() - since < line.options.hold, !line.isAnswered(number), !line.isOver() {
      pause()
    }
    // It may have gone meanwhile: whatever lies there now is looked for again.
    standingSince = nil
    return false
  }

  /// The tag, by a UID that lasts if it has one; nil when it has gone meanwhile.
  private func proven(_ tag: Target) throws(ReaderError) -> Target? {
    do throws(ReaderError) {
      return try place.reader.provingUID(of: tag)
    } catch .tagLost {
      return nil
    }
  }

  private func serve(_ tag: Target) throws(ReaderError) {
    _ = line.takeAnswer(number)
    standingSince = nil
    let count = numbers[tag.uid] ?? numbers.count + 1
    numbers[tag.uid] = count
    line.tell(number, .found(tag.uid, number: count))
    if var inspection = inspection(of: tag) {
      inspection.number = count
      line.endIfDone()
      line.tell(number, .inspection(inspection))
      return try seeOff(tag, nil)
    }
    guard let done = work(on: tag, number: count) else { return }
    let (isPrinted, checked) = scanLabel(of: done)
    var outcome = checked
    outcome.number = count
    line.state.finish(outcome)
    if outcome.verdict == .passed { goodTags += 1 }
    if let written = outcome.written, outcome.verdict == .passed {
      do throws(LabelError) {
        try line.series?.labels?.append(written)
      } catch {
        line.state.end(.labels(error))
      }
      if !isPrinted { line.series?.printer?.print(written, at: number) }
    }
    if outcome.needsInspection { line.state.noteDue(outcome.uid) }
    line.endIfDone()
    if outcome.foundNoJob { line.state.endIfIdle() }
    line.tell(number, .finished(outcome))
    askForInspection(of: outcome)
    if outcome.wantsHand { standingSince = clock.now() }
    last = (outcome, clock.now())
    if let error = outcome.readerFailure { throw error }
    try seeOff(tag, outcome)
  }

  /// Works on a tag until it is known, and the journal of a series has, what became of it; nil when
  /// the line's work was over before it was begun.
  private func work(on tag: Target, number count: Int) -> TagOutcome? {
    while !line.isOver() {
      guard line.state.begin() else {
        pause()
        continue
      }
      watch = StepWatch(clock)
      let series: LineSeries
      switch line.work {
      case .reading(let collection):
        return collection.read(tag, number: count, on: self, with: worker)
      case .jobs(let jobs): series = jobs
      }
      let attempt = Attempt(tag, of: series, on: self, watch: watch)
      let outcome = attempt.run(with: worker)
      guard outcome.foundNoJob else { return outcome }
      // The last jobs are in the hands of other stations: one may come back.
      var pauses = 0
      while line.state.mayGetJobs, !line.isOver() {
        pause()
        pauses += 1
        // A row may have come in the moment in which none was found.
        if line.options.follows, pauses % 25 == 0 { line.noteExhausted() }
      }
      guard line.state.hasJobs else { return attempt.recorded(outcome) }
      line.state.cancel()
    }
    return nil
  }

  private func seeOff(_ tag: Target, _ outcome: TagOutcome?) throws(ReaderError) {
    while try place.reader.waitForRemoval(of: tag, timeout: slice, shouldStop: line.isOver) {
      line.state.endIfIdle()
    }
    last = outcome.map { ($0, clock.now()) }
    line.state.noteGone(outcome)
  }

  private func severalTags(_ uids: [UID]) {
    line.state.enterSeveralTags()
    line.tell(number, .severalTags(uids))
    do throws(ReaderError) {
      while try place.reader.waitForChange(from: uids, timeout: slice, shouldStop: line.isOver) {
        line.state.endIfIdle()
      }
    } catch .interrupted {
      return
    } catch {
      waitForReader(error)
    }
  }

  /// The reader failed: it is waited for, however long it takes; the other stations go on.
  private func waitForReader(_ error: ReaderError) {
    line.state.noteLost(place.name)
    line.tell(number, .lost(error.description))
    do throws(ReaderError) {
      try place.reopen(shouldStop: { [line] in
        line.state.endIfIdle()
        return line.isOver()
      })
      line.state.noteBack(place.name)
      // The tag that was read may lie there still: it has not come again.
      if case .reading = line.work { last?.gone = clock.now() }
      line.tell(number, .back)
    } catch {
      // The work is over; or it cannot be waited for, and is tried again.
      if error != .interrupted { pause() }
    }
  }

  /// Waits until a code was scanned for the tag that lies here; nil when the work is over, or none
  /// came in time.
  func waitForScan(_ picks: JobPicks) -> Int? {
    if let job = picks.begin(number) { return job }
    line.tell(number, .scanWanted)
    let patience = max(.seconds(1), line.options.timeout)
    let deadline = clock.now() + patience
    while !line.isOver(), clock.now() < deadline {
      if let job = picks.begin(number) { return job }
      pause()
    }
    return nil
  }

  /// The time that it is for this station, and how it waits: its reader's.
  var clock: HostClock { place.reader.clock }

  func pause() { clock.sleep(.milliseconds(20)) }
}
