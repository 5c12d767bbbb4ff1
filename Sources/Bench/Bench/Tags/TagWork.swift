import Readers
import TagMemory
import TagProgramming

/// Work on one tag: the reader is opened, a job or raw commands are carried out, the reader is
/// closed.
package struct TagWork {
  /// What became of the tag, and whether the reader could be closed in order: a virtual tag's file
  /// or a trace may be one that cannot be written.
  package struct Ending<Report> {
    package let report: Report
    package let closing: Result<Void, BenchError>
    /// The trace that was written.
    package let trace: NamedFile.Saved?
  }

  /// Which reader, and how it is opened.
  package var reader: ReaderChoice
  package var settings: ReaderSession.Settings
  /// The options hold for the job; `expected` is the type of tag that comes.
  package var options: RunOptions
  /// Is true if all that lies on the reader is to be named, of every technology.
  package var namesEverything = false
  /// Is true if somebody has asked for the end; asked between steps.
  package var shouldStop: () -> Bool
  /// Gets what a tag holds right before the first write to it (`Programmer.keepMemory`).
  package var keepMemory: ((KeptMemory) -> Void)?
  /// Gets what ends an exchange that blocks, once the reader is open.
  package var opened: (@escaping @Sendable () -> Void) -> Void

  package init(
    on reader: ReaderChoice, _ settings: ReaderSession.Settings = ReaderSession.Settings(),
    options: RunOptions = RunOptions(), shouldStop: @escaping () -> Bool = { false },
    opened: @escaping (@escaping @Sendable () -> Void) -> Void = { _ in }
  ) {
    (self.reader, self.settings, self.options) = (reader, settings, options)
    (self.shouldStop, self.opened) = (shouldStop, opened)
  }

  /// The open reader, which looks for the type of tag that comes. Fails as `ReaderSession` does.
  package func open() throws(BenchError) -> ReaderSession {
    let session = try ReaderSession(opening: reader, settings)
    opened(session.interrupt)
    session.reader.look(for: options.expected)
    return session
  }

  /// Waits for a tag and does `job`. Fails where the reader cannot be opened; all else is in the
  /// report.
  package func run(
    _ job: Job, progress: @escaping (JobProgress) -> Void = { _ in }
  ) throws(BenchError) -> Ending<TagReport> {
    let session = try open()
    return ending(session.run(job, self.job, progress: progress), session)
  }

  /// The settings say how the one job is done.
  private var job: ReaderSession.JobSettings {
    var job = ReaderSession.JobSettings(options, shouldStop: shouldStop)
    (job.namesEverything, job.keepMemory) = (namesEverything, keepMemory)
    return job
  }

  /// Waits for a tag, looks at it, and does the job that `makeJob` makes for it. Fails as that
  /// does, with the tag only read.
  package func run(
    making makeJob: (TagFound) throws(BenchError) -> Job
  ) throws(BenchError) -> Ending<TagReport> {
    let session = try open()
    var failure: BenchError?
    let programmer = Programmer(
      reader: session.reader, options: options, shouldStop: shouldStop)
    let report = programmer.runSurveyed { tag in
      do throws(BenchError) {
        return try makeJob(tag)
      } catch {
        failure = error
        return .read
      }
    }
    let ending = ending(report, session)
    if let failure { throw failure }
    return ending
  }

  /// Waits for a tag and sends it raw commands.
  package func run(_ series: RawSeries) throws(BenchError) -> Ending<RawReport> {
    let session = try open()
    let report = series.run(
      on: session.reader, timeout: options.timeout, dryRun: options.dryRun, shouldStop: shouldStop)
    return ending(report, session)
  }

  private func ending<Report>(_ report: Report, _ session: ReaderSession) -> Ending<Report> {
    let closing = Result { () throws(BenchError) in try session.close() }
    return Ending(report: report, closing: closing, trace: settings.trace?.saved)
  }
}
