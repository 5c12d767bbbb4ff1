import Bench
import LibNFCReaders
import Readers
import TagMemory
import TagProgramming
import UniversalLinks

/// One command on one tag, from its options to its report and exit status.
struct CommandRun {
  let command: String
  let options: TagOptions
  let preferences: Preferences
  let console: Console
  /// The type of tag that comes; nil: any, and every technology is looked for.
  let tagType: Product?
  /// Is true if `info` asks for counters, too.
  var readsCounters = false
  /// The password or key that a list has for a tag.
  var listedSecret: (@Sendable (UID) -> [UInt8]?)?
  /// Is true if a decision goes by the whole memory of the tag.
  var surveysMemory = false
  /// What the tag loses for good.
  var loss: Loss?
  /// What saves the tag's memory before it is lost.
  var backup: Backup?

  init(
    _ command: String, _ options: TagOptions, _ preferences: Preferences, tagType: Product? = nil
  ) {
    (self.command, self.options, self.preferences) = (command, options, preferences)
    self.tagType = tagType
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  /// Makes the job, opens the reader, does the job, and prints what became of the tag.
  func perform(
    _ prepare: () throws(BenchError) -> Preparation, showsPhone: Bool,
    finish: (TagReport) throws(BenchError) -> NamedFile.Saved?
  ) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let preparation = try prepare()
      preparation.remarks.show(on: console)
      let ending = try carryOut(preparation.job, demand: preparation.demand)
      var remarks = preparation.remarks
      if let found = preparation.demand?.verdicts {
        remarks.take(found)
        if ending.report.failure == nil { InputRemarks(found).show(on: console) }
      }
      return conclude(ending, remarks, showsPhone: showsPhone, finish)
    } catch {
      return console.fail(command, error)
    }
  }

  /// Opens the reader and does the job; for a tag that could be read, `show` prints and says how
  /// the command ends.
  func perform(
    _ job: Job,
    showing show: (TagReport) throws(BenchError) -> ExitStatus
  ) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let ending = try carryOut(job)
      if ending.report.failure == nil {
        try ending.closing.get()
        let status = try show(ending.report)
        say(ending.trace)
        return status
      }
      return conclude(ending, showsPhone: false) { _ in nil }
    } catch {
      return console.fail(command, error)
    }
  }

  private func carryOut(
    _ job: Job, demand: LinkDemand? = nil
  ) throws(BenchError) -> TagWork.Ending<TagReport> {
    let interruption = Interruption()
    var work = try work(interruption, try runOptions())
    if let demand { work.options.refusal = { demand.refusal(of: $0, on: $1) } }
    // `info` shows everything that was found.
    work.namesEverything = command == "info"
    let line = ProgressLine(isShown: console.showsProgress)
    defer { line.clear() }
    let text = ProgressText(console: console, line: line)
    if let backup {
      work.keepMemory = { [console, options] memory in
        line.clear()
        backup.keep(memory, isDryRun: options.dryRun)
        backup.outcome?.show(on: console)
      }
      work.shouldStop = { interruption.isRequested || backup.obstacle != nil }
    }
    return try carryOut(job, work, interruption, line, text)
  }

  /// Does the job, after the person at the terminal has said yes where the tag loses something for
  /// good.
  private func carryOut(
    _ job: Job, _ given: TagWork, _ interruption: Interruption, _ line: ProgressLine,
    _ text: ProgressText
  ) throws(BenchError) -> TagWork.Ending<TagReport> {
    var work = given
    guard let loss, !options.yes, !options.dryRun, Prompt.isPossible else {
      return try work.run(job, progress: text.show)
    }
    let confirmation = Confirmation(loss, line) { interruption.isRequested }
    work.shouldStop = { given.shouldStop() || confirmation.isDeclined }
    let ending = try work.run(job) { progress in
      text.show(progress)
      confirmation.hear(progress)
    }
    guard !confirmation.isDeclined || interruption.isRequested else {
      throw Confirmation.refusal
    }
    return ending
  }

  /// Waits for a tag and shows what the job that is made for it would do. `change`: what becomes of
  /// its link; `check`: what a run would come to all the same.
  func plan(
    _ makeJob: (TagFound) throws(BenchError) -> Job, change: () -> String? = { nil },
    check: () throws(BenchError) -> Void = {}
  ) throws(BenchError) -> ExitStatus {
    let ending = try work(Interruption(), try runOptions()).run(making: makeJob)
    return conclude(ending, showsPhone: false, change: change()) { _ throws(BenchError) in
      try check()
      return nil
    }
  }

  /// The reader that the options name, and how it is used; a second interruption ends an exchange
  /// with it.
  func work(
    _ interruption: Interruption, _ runOptions: RunOptions
  ) throws(BenchError) -> TagWork {
    var settings = options.readerSettings(try options.openTrace(preferences), preferences)
    if !options.noAgent {
      settings.agents = Agents(Console.environment) { [console] process in
        console.detail("Through the agent (process \(process)), which holds the reader open.")
      }
      settings.agents?.shouldStop = interruption.question
    }
    return TagWork(
      on: try ReaderChoice(options, preferences), settings, options: runOptions,
      shouldStop: { interruption.isRequested }, opened: interruption.onSecond)
  }

  /// Prints the report. What goes wrong afterwards (a file cannot be written) is told, too, unless
  /// the tag has failed already.
  private func conclude(
    _ ending: TagWork.Ending<TagReport>,
    _ remarks: InputRemarks = InputRemarks(), showsPhone: Bool, change: String? = nil,
    _ finish: (TagReport) throws(BenchError) -> NamedFile.Saved?
  ) -> ExitStatus {
    let report = ending.report
    let phone = showsPhone ? BackgroundReading(ofDone: report) : nil
    var object = TagJSON(command, report, remarks, phone, backup)
    object.change = change
    if let change { console.result(change) }
    var late = backup?.obstacle
    // The run ended because of the backup.
    let isStopped = late != nil
    var saved: NamedFile.Saved?
    do throws(BenchError) {
      if report.failure == nil { saved = try finish(report) }
      try ending.closing.get()
    } catch {
      late = late ?? error
    }
    if let late, isStopped || object.error == nil {
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
    if !isStopped {
      TagText(
        console: console, phone: phone, proved: remarks.link,
        isForReading: ["info", "read"].contains(command), removesPassword: command == "unprotect",
        changesPassword: ["protect", "unprotect"].contains(command)
      ).show(report)
    }
    if let blindness { console.complain(blindness) }
    if let late { console.complain("nfcprog: \(late.message)") }
    if let saved { console.saved(saved) }
    say(ending.trace)
    let code =
      isStopped
      ? late?.status.rawValue ?? 0 : report.failure?.exitCode ?? late?.status.rawValue ?? 0
    return ExitStatus(rawValue: code) ?? .bug
  }

  /// Says what a trace has become.
  func say(_ trace: NamedFile.Saved?) { if let trace { console.remark(trace.sentence) } }

  /// Returns what holds for every job. Fails where a key file does.
  func runOptions() throws(BenchError) -> RunOptions {
    var runOptions = RunOptions()
    runOptions.timeout = .seconds(options.timeout)
    runOptions.dryRun = options.dryRun
    runOptions.credentials = try options.credentials()
    runOptions.expected = tagType
    runOptions.readsCounters = readsCounters
    runOptions.listedSecret = listedSecret
    runOptions.surveysMemory = surveysMemory
    runOptions.refusedPasswords = RefusedPasswords()
    return runOptions
  }
}
