import BenchKit
import Dispatch
import Provisioning
import Readers
import Synchronization
import TagMemory
import TagProgramming
import Wire

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `provision` from its options to its exit status.
struct ProvisionRun {
  let command: Provision
  let console: Console
  let options: TagOptions
  let progress: StartProgress

  init(_ command: Provision) {
    self.command = command
    options = command.options
    console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    progress = StartProgress(
      isShown: console.showsProgress && Console.environment("TERM") != "dumb")
  }

  func perform() -> ExitStatus {
    defer { progress.end() }
    do throws(BenchError) {
      return try run()
    } catch {
      progress.end()
      return console.fail("provision", error)
    }
  }

  func run() throws(BenchError) -> ExitStatus {
    var write = try command.seal.writeOptions(overwrite: command.overwrite)
    write.sectors = command.classic.choice
    let arguments = Preferences.current.arguments
    let followed = command.follow ? try follow(write, arguments) : nil
    let source: JobSource
    if let followed {
      source = followed.source
    } else {
      source = try command.list.source(locks: write.lock, arguments: arguments)
    }
    // Rows that are yet to come are checked one by one.
    let known =
      followed == nil
      ? try knownList(source, write) : JobReport(CheckedList(digest: [], jobs: 0, longest: 0))
    let list: JobReport
    if let known { list = known } else { list = try check(source) }
    if options.dryRun {
      progress.end()
      return try plan(list, source, write)
    }
    let choices = try LineReaders.choices(
      options, all: command.allReaders, realtime: command.realtime)
    let names = try LineReaders.stationNames(command.names, count: choices.count)
    guard command.scan.isEmpty || command.scan.count == choices.count else {
      throw BenchError(
        .usage, "Give --scan once for each reader: there are \(choices.count) readers.")
    }
    guard command.journal != nil || choices.allSatisfy(\.choice.isSimulated) else {
      throw BenchError(.usage, "Give --journal FILE: it records which job is on which tag.")
    }
    let scratch = try command.journal == nil ? ScratchFolder() : nil
    defer { scratch?.remove() }
    let journal = try open(
      command.journal ?? "\(scratch?.path ?? "")/journal", source, list,
      known != nil && followed == nil, write)
    let marker = command.journal == nil ? nil : self.marker
    return try journaled { () throws(JournalError) in
      try guardList(journal, marker)
      return try journal.begin(
        operator: command.operator ?? Self.loginName, command: Self.commandLine,
        version: NFCProg.configuration.version, deliveringResults: command.onResult != nil,
        beforeFirst: { [console] in
          guard let marker else { return }
          if (try? marker.add(journal)) != true {
            console.complain(
              "nfcprog: neither the list's folder nor the state directory can be written: if the journal is deleted, nothing shows that the list had one."
            )
          }
        })
    }.run { session throws(BenchError) in
      try work(list, source, session, choices, names, write, followed)
    }
  }

  // MARK: The journal

  func open(
    _ path: String, _ source: JobSource, _ list: JobReport, _ isKnown: Bool, _ write: WriteOptions
  ) throws(BenchError) -> Journal {
    progress.begin("Comparing the list with the journal", "rows", of: list.rowCount)
    var rows = 0
    let description = command.list.description(
      locks: write.lock, arguments: Preferences.current.arguments)
    let digest = try command.follow ? nil : digest(source, write)
    return try journaled { () throws(JournalError) in
      let journal = try Journal(at: path, access: .readWrite(creating: true))
      if isKnown { return journal }
      if command.follow {
        try journal.adopt(following: description)
        return journal
      }
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
      if let digest {
        try journal.note(
          CheckedList(digest: digest, jobs: list.rowCount, longest: list.longestLength))
      }
      return journal
    }
  }

  func journaled<Value>(
    _ body: () throws(JournalError) -> Value
  ) throws(BenchError) -> Value {
    do throws(JournalError) {
      return try body()
    } catch {
      throw BenchError(error)
    }
  }

  // MARK: The line

  func work(
    _ list: JobReport, _ source: JobSource, _ session: JournalSession,
    _ choices: [(name: String, choice: ReaderChoice)], _ stationNames: [String]?,
    _ write: WriteOptions, _ followed: FollowedList?
  ) throws(BenchError) -> ExitStatus {
    progress.end()
    try tidy(session)
    let labels = try command.label.map { path throws(BenchError) in
      try openLabels(path, session, source)
    }
    var line = LineOptions()
    (line.count, line.failureLimit) = (command.count, command.stopAfterFailures)
    line.timeout = .seconds(options.timeout)
    (line.overwrite, line.rewrite) = (command.overwrite, command.rewrite)
    line.protection = write.protection
    line.sectors = write.sectors
    (line.startsOver, line.follows) = (command.startOver, command.follow)
    line.credentials = try options.credentials()
    line.expected = try reel(session.journal)

    let interruption = Interruption()
    let trace = try options.trace.map { path throws(BenchError) in try Trace(path: path) }
    var readers: [LineReader] = []
    defer { for reader in readers { try? reader.source.close() } }
    progress.begin("Opening the readers", "readers", of: choices.count)
    for (name, choice) in choices {
      readers.append(
        try LineReader(name, choice, options.readerSettings(trace)))
      progress.advance(to: readers.count)
    }
    progress.end()
    for reader in readers { reader.reader.look(for: line.expected) }
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
    line.hold = .seconds(command.hold ?? (output.isLive ? 2 : 0))
    let hook = command.onResult.map {
      ResultCommand(
        $0, limit: .seconds(command.onResultTimeout), stations: names.count,
        isHeard: !output.isLive, isEnding: isInterrupted, complain: { output.complain($0) })
    }
    if let hook { try handOn(hook, session, isInterrupted) }
    let journal = session.journal
    let picks = try scannedColumn(source).map { JobPicks(column: $0, of: journal) }
    let stations = try journaled { () throws(JournalError) in
      try Line(
        readers: readers, session: session, source: source, options: line, labels: labels,
        picks: picks,
        tell: { event in
          output.take(event)
          guard case .finished(let outcome) = event.kind, let hook else { return }
          let variables = ResultCommand.variables(
            outcome, reader: names[event.station], station: event.station)
          let written = outcome.written?.job.number
          hook.start(event.station, variables) {
            if let written { try? journal.noteResultTaken(ofJob: written) }
          }
        },
        // Also when nobody takes the results any more.
        shouldStop: { isInterrupted() || OutputFile.standardOutputIsLost })
    }
    for (number, device) in command.scan.enumerated() {
      try ScanInput(device).start { code in stations.scan(code, station: number) }
    }
    let refused = Atomic(0)
    if let followed {
      take(followed, journal, stations) { problem in
        refused.add(1, ordering: .relaxed)
        output.complain("The list: \(problem)")
      }
    }
    let keys = output.isLive && !command.scan.contains("-") ? AnswerKeys() : nil
    keys?.start { stations.answer(station: $0) }
    let summary = stations.run()
    keys?.end()
    hook?.finish()
    try finish(labels, summary)
    output.end()
    if let failures = hook?.failures {
      console.complain(
        "nfcprog: --on-result did not take \(failures.count) results: \(failures.last) The next run with --on-result sends the results of good tags again."
      )
    }
    let status = conclude(summary, session, trace)
    return status == .success && refused.load(ordering: .relaxed) > 0 ? .badInput : status
  }

  func conclude(
    _ summary: LineSummary, _ session: JournalSession, _ trace: Trace?
  ) -> ExitStatus {
    let defective = (try? session.journal.tally().failed) ?? 0
    var conclusion = LineConclusion(
      summary, defective: defective, isAll: command.count == nil && !command.rewrite)
    do throws(BenchError) {
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

  /// The type of tag that all jobs are for: nothing else is looked for then. Rows that are yet to come may be for any.
  private func reel(_ journal: Journal) throws(BenchError) -> Product? {
    guard !command.follow else { return nil }
    return try journaled { () throws(JournalError) in try journal.onlyTagType() }.flatMap(
      Product.named)
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
    _ body: (JournalSession) throws(BenchError) -> Value
  ) throws(BenchError) -> Value {
    defer { try? end() }
    return try body(self)
  }
}

/// A folder for a journal that nobody asked to keep.
private struct ScratchFolder {
  let path: String

  init() throws(BenchError) {
    let base = Console.environment("TMPDIR") ?? "/tmp"
    var name = Array("\(base)/nfcprog-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw BenchError(.cannotCreate, "The folder \(base) does not allow new folders.")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func remove() {
    for file in ["journal", "journal-wal", "journal-shm"] { _ = unsafe unlink("\(path)/\(file)") }
    _ = unsafe rmdir(path)
  }
}
