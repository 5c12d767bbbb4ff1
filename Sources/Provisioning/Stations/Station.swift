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
  let line: Line
  private let programmer: Programmer
  private var watch = StepWatch()

  init(_ number: Int, _ place: any StationReader, on line: Line) {
    (self.number, self.place, self.line) = (number, place, line)
    var options = RunOptions()
    options.credentials = line.options.credentials
    options.patience = line.options.patience
    let relay = Relay()
    programmer = Programmer(
      reader: place.reader, options: options, progress: { relay.take?($0) },
      shouldStop: line.isInterrupted)
    relay.take = { [unowned self] progress in
      watch.note(progress)
      line.tell(number, .progress(progress))
    }
  }

  /// Hands on what the programmer tells, which is made before the station is.
  private final class Relay {
    var take: ((Progress) -> Void)?
  }

  /// How long to wait before it is asked again whether the line's work is over.
  private var slice: Duration { min(.seconds(1), line.options.timeout) }

  func run() {
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
        crowd(uids)
      } catch {
        waitForReader(error)
      }
    }
    line.tell(number, .ended)
  }

  /// Waits for a tag, does its job and sees it off.
  private func serveNext() throws(ReaderError) {
    line.tell(number, .ready)
    while true {
      do throws(ReaderError) {
        let tag = try place.reader.waitForTag(timeout: slice, shouldStop: line.isOver)
        return try serve(tag)
      } catch .noTag {
        line.state.endIfIdle()
        guard !line.isOver(), line.options.timeout > .zero else { throw .noTag }
      }
    }
  }

  private func serve(_ tag: Activation) throws(ReaderError) {
    line.tell(number, .found(tag.uid))
    guard let outcome = program(tag) else { return }
    line.state.finish(outcome)
    if let written = outcome.written, outcome.verdict == .passed, let labels = line.labels {
      do throws(LabelError) {
        try labels.append(written)
      } catch {
        line.state.end(.labels(error))
      }
    }
    line.endIfDone()
    line.tell(number, .finished(outcome))
    if outcome.kind == .readerUnavailable { throw .boardLost(reader: place.name) }
    try seeOff(tag)
  }

  /// Works on a tag until the journal has what became of it; nil when the line's work was over before it was begun.
  private func program(_ tag: Activation) -> TagOutcome? {
    while !line.isOver() {
      guard line.state.begin() else {
        pause()
        continue
      }
      watch = StepWatch()
      let outcome = Attempt(tag, on: self, watch: watch).run(with: programmer)
      guard outcome.foundNoJob else { return outcome }
      // The last jobs are in the hands of other stations: one may come back.
      while line.state.mayGetJobs, !line.isOver() { pause() }
      guard line.state.hasJobs else { return outcome }
      line.state.cancel()
    }
    return nil
  }

  private func seeOff(_ tag: Activation) throws(ReaderError) {
    while try place.reader.waitForRemoval(of: tag, timeout: slice, shouldStop: line.isOver) {
      line.state.endIfIdle()
    }
    line.state.noteActivity()
  }

  private func crowd(_ uids: [UID]) {
    line.state.enterCrowd()
    line.tell(number, .crowd(uids))
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
      line.tell(number, .back)
    } catch {
      // The work is over; or it cannot be waited for, and is tried again.
      if error != .interrupted { pause() }
    }
  }

  private func pause() { usleep(20_000) }
}
