import AppLinks
import Dispatch
import NDEF
import Provisioning
import Readers
import Synchronization
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
      throw CommandFailure(
        .usage, "Give --scan once for each reader: there are \(choices.count) readers.")
    }
    guard command.journal != nil || choices.allSatisfy(\.choice.isSimulated) else {
      throw CommandFailure(.usage, "Give --journal FILE: it keeps which job is on which tag.")
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
              "nfcprog: nothing can be written beside the list or in the state directory: if the journal is deleted, nobody will know that the list had one."
            )
          }
        })
    }.run { session throws(CommandFailure) in
      try work(list, source, session, choices, names, write, followed)
    }
  }

  // MARK: The list

  /// The list as it was found good and adopted by an earlier run with this journal; nil where anything is different.
  private func knownList(
    _ source: JobSource, _ write: WriteOptions
  ) throws(CommandFailure) -> JobReport? {
    guard let path = command.journal, !command.claim.isGiven, !command.list.android.isGiven,
      !options.dryRun
    else { return nil }
    progress.begin("Comparing the list with the journal", "rows")
    guard let known = try? Journal(at: path, access: .readOnly).checkedList(),
      let digest = try digest(source, write), digest == known.digest
    else { return nil }
    return JobReport(known)
  }

  private func digest(
    _ source: JobSource, _ write: WriteOptions
  ) throws(CommandFailure) -> [UInt8]? {
    do throws(JobSourceError) {
      return try source.digest(
        command.list.description(locks: write.lock, arguments: Preferences.current.arguments),
        version: NFCProg.configuration.version)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// What lies beside the list's file; nil where the list is none.
  private var marker: ListMarker? {
    let home = Console.environment("HOME") ?? "/"
    return command.list.path.map {
      ListMarker(
        ofList: $0, state: Console.environment("XDG_STATE_HOME") ?? "\(home)/.local/state")
    }
  }

  /// Refuses a new journal for a list that was used with another one.
  private func guardList(_ journal: Journal, _ marker: ListMarker?) throws(JournalError) {
    guard let marker else { return }
    if try journal.isUntouched() {
      if !command.startOver { try marker.check(journal) }
    } else {
      _ = try marker.add(journal)
    }
  }

  /// What the links are held to; nil where nobody asked.
  private func wakeCheck() throws(CommandFailure) -> WakeCheck? {
    let iphone = command.claim.isGiven ? try command.claim.load().wakeCheck : nil
    guard command.list.android.isGiven else { return iphone }
    guard command.list.records.androidApp.count == 1 else {
      throw CommandFailure(
        .usage,
        "--assetlinks and --manifest go with one --android-app, the app that is to be woken.")
    }
    let claim = try command.list.android.load(app: command.list.records.androidApp[0])
    let android = { (message: Message) in
      let check = claim.check(message)
      return WakeCheck.Verdict(
        refusal: check.refusal, findings: check.findings, isUndecided: check.isUndecided)
    }
    guard let iphone else { return WakeCheck(android: android) }
    iphone.android = android
    return iphone
  }

  /// Looks the whole list through; lists its mistakes and fails where there are any.
  private func check(_ source: JobSource) throws(CommandFailure) -> JobReport {
    var check = JobCheck()
    progress.begin("Checking the list", "rows")
    check.progress = { [progress] in progress.advance(to: $0) }
    check.wake = try wakeCheck()
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
    _ path: String, _ source: JobSource, _ list: JobReport, _ isKnown: Bool, _ write: WriteOptions
  ) throws(CommandFailure) -> Journal {
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
    _ write: WriteOptions, _ followed: FollowedList?
  ) throws(CommandFailure) -> ExitStatus {
    progress.end()
    try tidy(session)
    let labels = try command.label.map { path throws(CommandFailure) in
      try openLabels(path, session, source)
    }
    var line = LineOptions()
    (line.count, line.failureLimit) = (command.count, command.stopAfterFailures)
    line.timeout = .seconds(options.timeout)
    (line.overwrite, line.rewrite) = (command.overwrite, command.rewrite)
    line.protection = write.protection
    (line.startsOver, line.follows) = (command.startOver, command.follow)
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
        "nfcprog: --on-result did not take \(failures.count) results: \(failures.last) What became of good tags is handed on again by the next run with --on-result."
      )
    }
    let status = conclude(summary, session, trace)
    return status == .success && refused.load(ordering: .relaxed) > 0 ? .badInput : status
  }

  /// Opens a list whose rows come as the line works.
  private func follow(
    _ write: WriteOptions, _ arguments: [String]
  ) throws(CommandFailure) -> FollowedList {
    do throws(JobSourceError) {
      return try FollowedList(
        0, command.list.settings(locks: write.lock, arguments: arguments))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Takes rows up as they come, on a thread of their own.
  private func take(
    _ list: FollowedList, _ journal: Journal, _ line: Line,
    refusing complain: @escaping @Sendable (String) -> Void
  ) {
    DispatchQueue(label: "list").async {
      do {
        try list.follow(into: journal) { row in
          switch row {
          case .added: line.noteAdded(1)
          case .known: break
          case .refused(let problem): complain("\(problem)")
          }
        }
      } catch let error as JournalError {
        line.end(error)
      } catch {
        complain("\(error)")
      }
      line.noteListEnd()
    }
  }

  /// The label file knows of all rows, where it could be written.
  private func finish(_ labels: LabelFile?, _ summary: LineSummary) throws(CommandFailure) {
    switch summary.ending {
    case .labels, .journal: return
    default: break
    }
    do throws(LabelError) { try labels?.finish() } catch { throw CommandFailure(error) }
  }

  /// Hands on what became of good tags of earlier runs, where nobody has taken it. A command that keeps failing is not
  /// run for all of them.
  private func handOn(
    _ hook: ResultCommand, _ session: JournalSession, _ isInterrupted: () -> Bool
  ) throws(CommandFailure) {
    let due = try journaled { () throws(JournalError) in
      try session.journal.resultsDue(for: session)
    }
    guard !due.isEmpty else { return }
    console.remark("\(due.count) results of earlier runs are handed on again.")
    var misses = 0
    for written in due where misses < 3 && !isInterrupted() {
      guard hook.perform(ResultCommand.variables(written)) else {
        misses += 1
        continue
      }
      misses = 0
      try journaled { () throws(JournalError) in
        try session.journal.noteResultTaken(ofJob: written.job.number)
      }
    }
  }

  /// The column that scanned codes are found in, as the list writes it; nil without a scanner.
  private func scannedColumn(_ source: JobSource) throws(CommandFailure) -> String? {
    guard !command.scan.isEmpty else { return nil }
    let wanted = command.match ?? "code"
    guard let column = source.columns.first(where: { $0.lowercased() == wanted.lowercased() })
    else {
      throw CommandFailure(
        .usage,
        "The list has no column \(wanted); it has \(source.columns.joined(separator: ", "))."
      )
    }
    return column
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
    _ path: String, _ session: JournalSession, _ source: JobSource
  ) throws(CommandFailure) -> LabelFile {
    do throws(LabelError) {
      let file = try LabelFile(
        at: path, of: session,
        columns: command.follow ? source.columns.filter { $0.lowercased() != "password" } : nil,
        startingOver: command.startOver)
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
