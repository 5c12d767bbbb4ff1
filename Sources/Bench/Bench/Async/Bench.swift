import Readers
import Synchronization
import TagMemory
import TagProgramming

/// A reader and the tags that are put on it, for programs that are written with `async`.
///
///     let bench = try await Bench("sim:ntag213*3")
///     for try await tag in bench.tags {
///       let report = try await bench.run(.write(try .url("https://example.com/t/1")), on:
///       tag).get()
///       print(tag.uid, report.result)
///     }
///     try await bench.close()
///
/// The actor works on a thread of its own, so that no task waits for the reader but those that ask
/// it. Any task may use it; jobs are done one after another, each whole. A task that is cancelled
/// gets its job ended at the next point from which the same job goes on; the bench stays open for
/// the next one.
public actor Bench {
  /// People call the reader by this name.
  public nonisolated let name: String
  /// The options hold for every job.
  let options: RunOptions
  private let thread: BenchThread
  /// Is true once somebody wants the bench closed: the job under way ends at its next safe point.
  nonisolated let isClosing = Atomic(false)
  /// Nil before it is opened and once it is closed.
  private var session: ReaderSession?
  /// The tag that `tags` has found and that lies on the reader; nil: none.
  private var lying: Lying?
  /// The last tag that has gone, and when.
  private var last: (uid: UID, gone: Duration)?

  /// A tag that was handed out and has not gone yet.
  private struct Lying {
    var target: Target
    /// Is true until something else was sent to the reader than the look that has found it.
    var isSelected: Bool
  }

  /// The actor runs here alone.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens the reader called `name`: `sim:` and a virtual tag, a libnfc connection string, a device
  /// file, or a USB socket. `options` hold for every job; their `timeout` counts for none,
  /// since a job begins with a tag that is there.
  ///
  /// Fails with `usage` for a name that names no reader, and with `unavailable` where the reader
  /// cannot be opened.
  public init(
    _ name: String, options: RunOptions = RunOptions(),
    settings: ReaderSession.Settings = ReaderSession.Settings()
  ) async throws(BenchError) {
    try await self.init(
      opening: ReaderChoice(named: name), options: options, settings: settings)
  }

  /// Opens the reader of `choice`. Fails with `unavailable` where it cannot be opened, and where a
  /// virtual tag's file is no image of it with `badInput` or `noInput`.
  public init(
    opening choice: ReaderChoice, options: RunOptions = RunOptions(),
    settings: ReaderSession.Settings = ReaderSession.Settings()
  ) async throws(BenchError) {
    (name, self.options, thread) = (choice.name, options, BenchThread(choice.name))
    try open(choice, settings)
  }

  private func open(_ choice: ReaderChoice, _ settings: ReaderSession.Settings) throws(BenchError) {
    let session = try ReaderSession(opening: choice, settings)
    session.reader.look(for: options.expected)
    self.session = session
  }

  /// Closes the reader, then saves what virtual tags hold: a job under way ends at its next safe
  /// point first, `tags` has no more of them, and every later job fails with `interrupted`. A bench
  /// that is closed already stays so.
  ///
  /// Fails with `cannotCreate` where the file of a virtual tag cannot be written.
  public nonisolated func close() async throws(BenchError) {
    isClosing.store(true, ordering: .relaxed)
    try await shut()
  }

  private func shut() throws(BenchError) {
    let open = session
    (session, lying) = (nil, nil)
    try open?.close()
  }

  /// Waits at most `patience` until a reader that was unplugged is there again, and goes on with
  /// it. Throws why it could not: `readerUnavailable`, or `interrupted` where the task was
  /// cancelled or the bench closed.
  public func reopen(within patience: Duration) throws(JobFailure) {
    guard let session else { throw JobFailure(.reader(.interrupted)) }
    // A tag that lies there still is none that comes.
    lying?.isSelected = false
    do throws(ReaderError) {
      try session.reopen(patience: patience, shouldStop: isToStop)
    } catch {
      throw JobFailure(waiting: error)
    }
  }

  /// Asked between steps, on the bench's thread, as a part of the task that wants something.
  private var isToStop: () -> Bool {
    { [unowned self] in Task.isCancelled || isClosing.load(ordering: .relaxed) }
  }

  // MARK: Jobs

  /// Returns what `job` would do to `tag`: `program` has every step. Nothing is written.
  ///
  ///     let report = try await bench.plan(.lock(force: false), on: tag).get()
  ///     print(report.program?.irreversibleSteps ?? [])
  public func plan(_ job: Job, on tag: Tag) -> TagReport {
    var options = options
    options.dryRun = true
    return perform(job, on: tag, options) { _ in }
  }

  /// Does `job` on `tag` and returns what became of it; `progress` hears of each step, on the
  /// bench's thread. Never throws: a failure is in the report, and `get()` throws it.
  ///
  /// No other tag is ever written in its place: where `tag` has gone, the report has a failure of
  /// the kind `tagTrouble`. Where the task is cancelled, or the bench is closed, the job ends at
  /// the next point from which the same job goes on, with `interrupted`.
  public func run(
    _ job: Job, on tag: Tag, progress: @escaping @Sendable (JobProgress) -> Void = { _ in }
  ) -> TagReport {
    perform(job, on: tag, options, progress)
  }

  private func perform(
    _ job: Job, on tag: Tag, _ options: RunOptions, _ progress: @escaping (JobProgress) -> Void
  ) -> TagReport {
    guard let session, !isToStop() else {
      return TagReport(unreached: tag.target, JobFailure(waiting: .interrupted))
    }
    // A virtual tag of another bench may have its UID.
    guard tag.bench == ObjectIdentifier(self) else {
      return TagReport(
        unreached: tag.target,
        JobFailure(waiting: .tagLost(expected: tag.uid, found: lying?.target.uid)))
    }
    let isSelected = lying.map { $0.isSelected && $0.target == tag.target } ?? false
    lying?.isSelected = false
    if !isSelected {
      session.reader.beginLook()
      do throws(ReaderError) {
        try session.reader.reselect(tag.target)
      } catch {
        return TagReport(unreached: tag.target, JobFailure(waiting: error))
      }
    }
    return Programmer(
      reader: session.reader, options: options, progress: progress, shouldStop: isToStop
    ).run(job, on: tag.target)
  }

  // MARK: Tags

  /// The result of a short look for the next tag.
  enum Find {
    case tag(Tag)
    case nothing
    /// No tag will come any more.
    case over
  }

  /// A task that waits for the bench gets it after so long a look for another one's next tag.
  private static let turn = Duration.milliseconds(150)
  /// No look is longer.
  private static let longestLook = Duration.seconds(3600)

  /// Looks for the next tag until one is there, none will come, or another task wants the bench.
  func look() throws(JobFailure) -> Find {
    guard let session, !isToStop() else { return .over }
    let (reader, isToStop, thread) = (session.reader, isToStop, thread)
    let begun = reader.clock.now()
    let shouldStop = {
      isToStop()
        || reader.clock.now() - begun >= Self.turn && (thread.isAwaited || session.isSpent)
    }
    do throws(ReaderError) {
      if let gone = lying?.target {
        lying?.isSelected = false
        if session.isSpent { return .over }
        let isThere = try reader.waitForRemoval(
          of: gone, timeout: Self.longestLook, shouldStop: shouldStop)
        if isThere { return .nothing }
        (lying, last) = (nil, (gone.uid, reader.clock.now()))
      }
      let target = try reader.waitForTag(timeout: Self.longestLook, shouldStop: shouldStop)
      lying = Lying(target: target, isSelected: true)
      // One that slipped was not put on the reader again.
      if let last, last.uid == target.uid, reader.clock.now() - last.gone < TagReader.slip {
        return .nothing
      }
      return .tag(Tag(target: target, bench: ObjectIdentifier(self)))
    } catch .noTag {
      return .nothing
    } catch .interrupted {
      return isToStop() || session.isSpent && lying == nil ? .over : .nothing
    } catch {
      throw JobFailure(waiting: error)
    }
  }
}

/// A simulated reader's tags are no affair of a log.
extension Bench: CustomReflectable {
  /// Has no children but its name.
  public nonisolated var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
