import BenchKit
import LibNFCReaders
import Readers
import TagMemory
import TagProgramming
import UniversalLinks
import Wire

/// One command on one tag, from its options to its report and exit status.
struct TagRun {
  let command: String
  let options: TagOptions
  let console: Console
  /// The type of tag that comes; nil: any, and every technology is looked for.
  let tagType: Product?

  init(command: String, options: TagOptions, tagType: Product? = nil) {
    self.command = command
    self.options = options
    self.tagType = tagType
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  /// Makes the job, opens the reader, does the job, and prints what became of the tag.
  func perform(
    _ prepare: () throws(BenchError) -> Preparation, showsPhone: Bool,
    finish: (TagReport) throws(BenchError) -> Void
  ) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let preparation = try prepare()
      preparation.remarks.show(on: console)
      let (report, closing) = try carryOut(preparation.job)
      return conclude(
        report, closing, preparation.remarks, showsPhone: showsPhone, finish)
    } catch {
      return console.fail(command, error)
    }
  }

  /// The same, but for a tag that could be read `show` prints and says how the command ends.
  func perform(
    _ job: Job,
    showing show: (TagReport) throws(BenchError) -> ExitStatus
  ) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let (report, closing) = try carryOut(job)
      if report.failure == nil {
        try closing.get()
        return try show(report)
      }
      return conclude(report, closing, showsPhone: false) { _ in }
    } catch {
      return console.fail(command, error)
    }
  }

  private func carryOut(_ job: Job) throws(BenchError) -> (
    TagReport, closing: Result<Void, BenchError>
  ) {
    let runOptions = try self.runOptions()
    let interruption = Interruption()
    let source = try open(interruption)
    // Who asks what lies there is told all of it, and what is written must be what was meant; who
    // reads need not wait for that.
    if command == "info" {
      source.reader.beside = .everything
    } else if job.onlyLooks || job.isForTypeA {
      source.reader.beside = .nothing
    }
    let report = run(job, on: source.reader, runOptions, interruption)
    return (report, Result { () throws(BenchError) in try source.close() })
  }

  /// Waits for a tag and shows what the job that is made for it would do.
  func plan(
    _ makeJob: (Target) throws(BenchError) -> Job
  ) throws(BenchError) -> ExitStatus {
    let runOptions = try self.runOptions()
    let interruption = Interruption()
    let source = try open(interruption)
    var failure: BenchError?
    let programmer = Programmer(
      reader: source.reader, options: runOptions, shouldStop: { interruption.isRequested })
    let report = programmer.run { tag in
      do throws(BenchError) {
        return try makeJob(tag)
      } catch {
        failure = error
        return .read
      }
    }
    let closing = Result { () throws(BenchError) in try source.close() }
    if let failure { throw failure }
    return conclude(report, closing, showsPhone: false) { _ in }
  }

  /// Opens the reader that the options name; a second interruption ends an exchange with it.
  func open(_ interruption: Interruption) throws(BenchError) -> ReaderSession {
    let source = try ReaderSession(
      opening: ReaderChoice(options: options), options.readerSettings(try options.openTrace()))
    interruption.onSecond(source.interrupt)
    source.reader.look(for: tagType)
    return source
  }

  private func run(
    _ job: Job, on reader: TagReader, _ runOptions: RunOptions, _ interruption: Interruption
  ) -> TagReport {
    let line = ProgressLine(isShown: console.showsProgress)
    let progress = ProgressText(console: console, line: line)
    let programmer = Programmer(
      reader: reader, options: runOptions, progress: progress.show,
      shouldStop: { interruption.isRequested })
    let report = programmer.run(job)
    line.clear()
    return report
  }

  /// Prints the report. What goes wrong afterwards (a file cannot be written) is told, too, unless
  /// the tag has failed already.
  private func conclude(
    _ report: TagReport, _ closing: Result<Void, BenchError>,
    _ remarks: InputRemarks = InputRemarks(), showsPhone: Bool,
    _ finish: (TagReport) throws(BenchError) -> Void
  ) -> ExitStatus {
    // Before a plan is carried out the tag says nothing of what it is planned to be.
    let phone = showsPhone && report.result != .planned ? BackgroundReading(report) : nil
    var object = TagJSON(command: command, report: report, asking: RemedyText.option)
    object.iphone = phone.map { PhoneJSON($0) }
    object.altered = AlteredJSON.list(remarks.altered)
    object.link = LinkJSON(remarks.link, android: remarks.android)
    var late: BenchError?
    do throws(BenchError) {
      if report.failure == nil { try finish(report) }
      try closing.get()
    } catch {
      late = error
    }
    if let late, object.error == nil {
      object.result = TagReport.Result.failed.rawValue
      object.error = FailureJSON(late)
    }
    // Whoever asks what lies there is told what such a reader is blind to.
    let blindness =
      command == "info" && report.failure?.kind == .noTag && tagType == nil
      ? "A reader of this kind cannot see ISO 15693 tags (NFC-V: ICODE, HID, long-range labels)."
      : nil
    if let blindness { object.error?.message += " " + blindness }
    if options.json { console.json(object) }
    TagText(console: console, phone: phone).show(report)
    if let blindness { console.complain(blindness) }
    if let late { console.complain("nfcprog: \(late.message)") }
    let code = report.failure?.exitCode ?? late?.status.rawValue ?? 0
    return ExitStatus(rawValue: code) ?? .bug
  }

  /// What holds for every job. Fails where a key file does.
  func runOptions() throws(BenchError) -> RunOptions {
    var runOptions = RunOptions()
    runOptions.timeout = .seconds(options.timeout)
    runOptions.dryRun = options.dryRun
    runOptions.credentials = try options.credentials()
    runOptions.expected = tagType
    return runOptions
  }
}
