import Provisioning
import Readers
import TagMemory
import TagProgramming

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `provision` from its options to its exit status.
struct ProvisionRun {
  private let command: Provision
  private let console: Console
  private let options: TagOptions
  private let progress: StartProgress

  init(_ command: Provision) {
    self.command = command
    options = command.options
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    progress = StartProgress(
      isShown: console.showsProgress && Console.environment("TERM") != "dumb")
  }

  func perform() -> ExitStatus {
    defer { progress.end() }
    do throws(CommandFailure) {
      return try run()
    } catch {
      progress.end()
      return console.fail("provision", error)
    }
  }

  private func run() throws(CommandFailure) -> ExitStatus {
    let write = try command.seal.writeOptions(overwrite: command.overwrite)
    let source = try command.list.source(
      locks: write.lock, arguments: Preferences.current.arguments)
    let list = try check(source)
    if options.dryRun {
      progress.end()
      return try plan(list, source, write)
    }
    let choices = try LineReaders.choices(
      options, all: command.allReaders, realtime: command.realtime)
    let names = try LineReaders.stationNames(command.names, count: choices.count)
    guard command.journal != nil || choices.allSatisfy(\.choice.isSimulated) else {
      throw CommandFailure(.usage, "Give --journal FILE: it keeps which job is on which tag.")
    }
    let scratch = try command.journal == nil ? ScratchFolder() : nil
    defer { scratch?.remove() }
    let journal = try open(
      command.journal ?? "\(scratch?.path ?? "")/journal", source, list.rowCount, write)
    return try journaled { () throws(JournalError) in
      try journal.begin(
        operator: command.operator ?? Self.loginName, command: Self.commandLine,
        version: NFCProg.configuration.version)
    }.run { session throws(CommandFailure) in
      try work(list, source, session, choices, names, write)
    }
  }

  // MARK: The list

  /// Looks the whole list through; lists its mistakes and fails where there are any.
  private func check(_ source: JobSource) throws(CommandFailure) -> JobReport {
    var check = JobCheck()
    progress.begin("Checking the list", "rows")
    check.progress = { [progress] in progress.advance(to: $0) }
    if command.claim.isGiven { check.wake = try command.claim.load().wakeCheck }
    let report: JobReport
    do throws(JobSourceError) {
      report = try check.report(on: source)
    } catch {
      throw CommandFailure(error)
    }
    guard report.isGood else {
      guard !report.lacksFilesOnly else {
        throw CommandFailure(
          .noInput, (["Nothing was written."] + report.lines).joined(separator: "\n"))
      }
      let count = report.problemCount == 1 ? "a mistake" : "\(report.problemCount) mistakes"
      throw CommandFailure(
        report.isUndecidedOnly ? .noTag : .badInput,
        (["The list has \(count); nothing was written."] + report.lines).joined(separator: "\n"))
    }
    ListRemarks(list: report).show(on: console)
    return report
  }

  /// `--dry-run`: the list, and the plan for the first tag where a reader is named.
  private func plan(
    _ list: JobReport, _ source: JobSource, _ write: WriteOptions
  ) throws(CommandFailure) -> ExitStatus {
    console.result(
      "The list is good: \(list.rowCount) \(list.rowCount == 1 ? "job" : "jobs"), the longest message has "
        + "\(list.longestLength) bytes. Nothing was written.")
    guard let job = list.first,
      options.reader != nil || Console.environment("NFCPROG_READER") != nil
    else { return .success }
    return try TagRun(command: "provision", options: options).plan { tag throws(CommandFailure) in
      let fields = TagFields(uid: tag.uid, number: job.number, secondsSince1970: Int64(time(nil)))
      var write = write
      write.lock = job.locks
      do {
        return .write(try job.message.message(for: fields, files: source.files), write)
      } catch {
        throw CommandFailure(.badInput, "\(error)")
      }
    }
  }

  // MARK: The journal

  private func open(
    _ path: String, _ source: JobSource, _ count: Int, _ write: WriteOptions
  ) throws(CommandFailure) -> Journal {
    progress.begin("Comparing the list with the journal", "rows", of: count)
    var rows = 0
    let description = command.list.description(
      locks: write.lock, arguments: Preferences.current.arguments)
    return try journaled { () throws(JournalError) in
      let journal = try Journal(at: path, access: .readWrite(creating: true))
      _ = try journal.adopt(description, extending: command.extend) { take throws(JournalError) in
        try source.forEachJob { row throws(JournalError) in
          rows += 1
          progress.advance(to: rows)
          switch row {
          case .success(let job): try take(job)
          case .failure(let problem): throw .sourceFailed("\(problem)")
          }
        }
      }
      return journal
    }
  }

  private func journaled<Value>(
    _ body: () throws(JournalError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(JournalError) {
      return try body()
    } catch {
      throw CommandFailure(error)
    }
  }

  // MARK: The line

  private func work(
    _ list: JobReport, _ source: JobSource, _ session: JournalSession,
    _ choices: [(name: String, choice: ReaderChoice)], _ stationNames: [String]?,
    _ write: WriteOptions
  ) throws(CommandFailure) -> ExitStatus {
    progress.end()
    try tidy(session)
    let labels = try command.label.map { path throws(CommandFailure) in
      try openLabels(path, session)
    }
    var line = LineOptions()
    (line.count, line.failureLimit) = (command.count, command.stopAfterFailures)
    line.timeout = .seconds(options.timeout)
    (line.overwrite, line.rewrite) = (command.overwrite, command.rewrite)
    line.protection = write.protection
    line.credentials = try options.credentials()

    let interruption = Interruption()
    let trace = try options.trace.map { path throws(CommandFailure) in try Trace(path: path) }
    var readers: [LineReader] = []
    defer { for reader in readers { try? reader.source.close() } }
    progress.begin("Opening the readers", "readers", of: choices.count)
    for (name, choice) in choices {
      readers.append(
        try LineReader(
          name, choice, speed: options.baud.speed, isVerbose: options.verbose, trace: trace))
      progress.advance(to: readers.count)
    }
    progress.end()
    let isInterrupted = interruption.question
    let interrupts = readers.map(\.source.interrupt)
    interruption.onSecond { for interrupt in interrupts { interrupt() } }

    let tally = try journaled { () throws(JournalError) in try session.journal.tally() }
    let names = readers.map(\.name)
    let view = LiveView(
      title: title(list), stations: stationNames ?? names,
      goal: command.count ?? tally.jobs, before: command.count == nil ? tally.written : 0,
      waiting: try waiting(session))
    let output = LineOutput(
      console, readers: names, names: stationNames, view: view,
      isSilent: command.silent || options.quiet)
    let hook = command.onResult.map {
      ResultCommand(
        $0, limit: .seconds(command.onResultTimeout), stations: names.count,
        isHeard: !output.isLive, complain: { output.complain($0) })
    }
    let summary = try journaled { () throws(JournalError) in
      try Line(
        readers: readers, session: session, source: source, options: line, labels: labels,
        tell: { event in
          output.take(event)
          guard case .finished(let outcome) = event.kind, let hook else { return }
          hook.start(
            event.station,
            ResultCommand.variables(outcome, reader: names[event.station], station: event.station))
        },
        // Also when nobody takes the results any more.
        shouldStop: { isInterrupted() || OutputFile.standardOutputIsLost }
      ).run()
    }
    hook?.finish()
    output.end()
    return conclude(summary, session, trace)
  }

  /// Tags of earlier runs that may hold an unfinished job.
  private func waiting(
    _ session: JournalSession
  ) throws(CommandFailure) -> [UID: LiveView.Waiting] {
    let tags = try journaled { () throws(JournalError) in try session.journal.reservations() }
    return Dictionary(
      tags.filter(\.holder.isAbsent).map {
        ($0.uid, LiveView.Waiting(text: "the tag of job \($0.job.number)"))
      }
    ) { $1 }
  }

  /// What was asked for to be done with jobs before the first tag.
  private func tidy(_ session: JournalSession) throws(CommandFailure) {
    try journaled { () throws(JournalError) in
      if command.releaseReserved {
        for tag in try session.release(.absent) {
          console.remark(
            "Released: job \(tag.job.number), \(tag.job.name). Tag \(tag.uid) must not be used.")
        }
      }
      if command.retryFailed {
        let count = try session.retryFailed()
        if count > 0 { console.remark("\(count) jobs that failed are tried again.") }
      }
    }
  }

  private func openLabels(
    _ path: String, _ session: JournalSession
  ) throws(CommandFailure) -> LabelFile {
    do throws(LabelError) {
      let file = try LabelFile(at: path, of: session)
      let mending = file.mending
      if mending.wasTorn { console.remark("\(path): a row that was cut short was taken away.") }
      if mending.added > 0 {
        console.remark("\(path): \(mending.added) rows were missing and were added.")
      }
      if mending.strangers > 0 {
        console.remark(
          "\(path): \(mending.strangers) rows are of tags that the journal does not have as finished."
        )
      }
      return file
    } catch {
      throw CommandFailure(error)
    }
  }

  private func title(_ list: JobReport) -> String {
    "nfcprog provision: \(list.rowCount) jobs. Ctrl-C ends the run, and it can go on later."
  }

  private func conclude(
    _ summary: LineSummary, _ session: JournalSession, _ trace: Trace?
  ) -> ExitStatus {
    let defective = (try? session.journal.tally().failed) ?? 0
    var conclusion = LineConclusion(
      summary, defective: defective, isAll: command.count == nil && !command.rewrite)
    do throws(CommandFailure) {
      try trace?.check()
    } catch {
      if conclusion.status == .success { conclusion = conclusion.failing(with: error) }
    }
    if console.json { console.json(JSONLine.text(LineJSON(summary, conclusion))) }
    if conclusion.status == .success {
      if !console.quiet { console.result(conclusion.sentence) }
    } else {
      console.complain("nfcprog: \(conclusion.sentence)")
    }
    if !console.quiet { for line in SummaryText.lines(summary) { console.result(line) } }
    return OutputFile.standardOutputIsLost ? .cannotCreate : conclusion.status
  }

  // MARK: Who and how

  private static var loginName: String {
    if let name = Console.environment("LOGNAME") ?? Console.environment("USER") { return name }
    guard let entry = unsafe getpwuid(getuid()) else { return "user \(getuid())" }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  /// The command line as it was given, secrets left out.
  private static var commandLine: String {
    maskingSecrets(CommandLine.arguments).joined(separator: " ")
  }

  static func maskingSecrets(_ arguments: [String]) -> [String] {
    let secrets = ["--key", "--password", "--set-password", "--pack"]
    var masksNext = false
    return arguments.map { argument in
      defer { masksNext = secrets.contains(argument) }
      if masksNext { return "**" }
      guard let name = secrets.first(where: { argument.hasPrefix($0 + "=") }) else {
        return argument
      }
      return name + "=**"
    }
  }
}

extension JournalSession {
  /// Runs `body` and ends the session, however that ends.
  fileprivate func run<Value>(
    _ body: (JournalSession) throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    defer { try? end() }
    return try body(self)
  }
}

/// A folder for a journal that nobody asked to keep.
private struct ScratchFolder {
  let path: String

  init() throws(CommandFailure) {
    let base = Console.environment("TMPDIR") ?? "/tmp"
    var name = Array("\(base)/nfcprog-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw CommandFailure(.cannotCreate, "No folder can be made in \(base).")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func remove() {
    for file in ["journal", "journal-wal", "journal-shm"] { _ = unsafe unlink("\(path)/\(file)") }
    _ = unsafe rmdir(path)
  }
}
