import ArgumentParser
import BenchKit
import Bytes
import Provisioning
import TagMemory
import TagProgramming
import Wire

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Provision {
  func run(_ preferences: Preferences) throws {
    let console = Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
    let status: ExitStatus
    do throws(BenchError) {
      status = try perform(console, preferences)
    } catch {
      status = console.fail("provision", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func perform(
    _ console: Console, _ preferences: Preferences
  ) throws(BenchError) -> ExitStatus {
    let text = ProvisionText(
      console, isSilent: silent || options.quiet, hasKeys: !scan.contains("-"))
    defer { text.end() }
    let run = try ProvisioningRun(
      try settings(console, preferences), tell: { text.show($0) }, shouldStop: { text.shouldStop() }
    )
    let list = try run.check(wake: follow ? nil : try wakeCheck(), isDryRun: options.dryRun)
    if options.dryRun { return try plan(list, run, preferences, console) }
    var readers = try readers(preferences)
    readers.settings = options.readerSettings(try options.openTrace(), preferences)
    let outcome = try run.work(list, on: readers)
    text.end()
    if let failures = outcome.resultFailures {
      console.complain(
        "nfcprog: --on-result did not take \(failures.count) results: \(failures.last) The next run with --on-result sends the results of good tags again."
      )
    }
    let status = conclude(outcome, readers.settings.trace, console)
    return status == .success && outcome.refusedRows > 0 ? .badInput : status
  }

  private func conclude(
    _ outcome: ProvisioningRun.Outcome, _ trace: Trace?, _ console: Console
  ) -> ExitStatus {
    let summary = outcome.summary
    var conclusion = LineConclusion(
      summary, defective: outcome.defectiveJobs, isAll: outcome.isAll)
    do throws(BenchError) {
      try trace?.check()
    } catch {
      if conclusion.status == .success { conclusion = conclusion.failing(with: error) }
    }
    if console.json {
      console.json(LineJSON(summary, ending: conclusion.ending, failure: conclusion.failure))
    }
    if conclusion.status != .success {
      console.complain("nfcprog: \(conclusion.sentence)")
    } else if !console.quiet {
      console.result(conclusion.sentence)
    }
    if !console.quiet { for line in SummaryText.lines(summary) { console.result(line) } }
    return OutputFile.standardOutputIsLost ? .cannotCreate : conclusion.status
  }

  /// `--dry-run`: the list, and the plan for the first tag where a reader is named.
  private func plan(
    _ list: CheckedJobs, _ run: ProvisioningRun, _ preferences: Preferences, _ console: Console
  ) throws(BenchError) -> ExitStatus {
    let count = list.report.rowCount
    console.result(
      "The list is good: \(counted(count, "job")), the longest message has "
        + "\(list.report.longestLength) bytes. Nothing was written.")
    guard let job = list.report.first,
      preferences.readerName(options.reader) != nil
    else { return .success }
    return try CommandRun(
      "provision", options, preferences, tagType: job.tagType.flatMap(Product.named)
    ).plan { tag throws(BenchError) in
      try run.firstJob(of: list, for: tag, at: Int64(time(nil)))
    }
  }

  // MARK: What is asked for

  private func settings(
    _ console: Console, _ preferences: Preferences
  ) throws(BenchError) -> ProvisioningSettings {
    var write = try locking.writeOptions(overwrite: overwrite)
    write.sectors = classic.choice
    // Stand-ins in the places of the template that an NTAG 424 DNA fills in as it is read.
    var list = list
    if let template = list.template {
      let expanded = try proof.expand(template, hasList: true)
      list.template = expanded.text
      write.personalisation = expanded.personalisation
    }
    var choice = try list.choice(locks: write.lock, arguments: preferences.arguments)
    choice.settings.keyColumns = try proof.keyColumns()
    var settings = ProvisioningSettings(choice, Console.environment)
    (settings.journal, settings.labels, settings.write) = (journal, label, write)
    (settings.extends, settings.follows) = (extend, follow)
    (settings.scanners, settings.scannedColumn) = (scan, match ?? "code")
    (settings.releasesReserved, settings.retriesFailed) = (releaseReserved, retryFailed)
    settings.operatorName = self.operator ?? Self.loginName
    settings.commandLine = Self.commandLine
    settings.version = ProgramVersion.number
    let isLive = LineOutput.isLive(on: console)
    settings.onResult = onResult.map {
      ResultCommand.Settings($0, limit: .seconds(onResultTimeout), isHeard: !isLive)
    }
    var line = LineOptions()
    (line.count, line.failureLimit) = (count, stopAfterFailures)
    line.timeout = .seconds(options.timeout)
    (line.overwrite, line.rewrite) = (overwrite, rewrite)
    line.inspectEvery = inspect
    (line.protection, line.sectors) = (write.protection, write.sectors)
    (line.personalisation, line.mustBeGenuine) = (write.personalisation, write.mustBeGenuine)
    (settings.exportedKeys, settings.exportsMasterID) = (exportKeys, exportMasterId)
    (line.startsOver, line.follows) = (startOver, follow)
    line.credentials = try options.credentials()
    line.hold = .seconds(hold ?? (isLive ? 2 : 0))
    settings.line = line
    return settings
  }

  /// What the links are held to; nil where nobody asked.
  private func wakeCheck() throws(BenchError) -> WakeCheck? {
    let iphone = link.isGiven ? try link.load().wakeCheck : nil
    guard list.android.isGiven else { return iphone }
    guard list.records.androidApp.count == 1 else {
      throw BenchError(
        .usage,
        "--assetlinks and --manifest go with one --android-app, the app to wake.")
    }
    return try list.android.load(app: list.records.androidApp[0]).wakeCheck(beside: iphone)
  }

  /// The readers of the line, one for each `--reader`; with `--all-readers` each that is likely to
  /// be one.
  private func readers(_ preferences: Preferences) throws(BenchError) -> LineReaders {
    let aliases = preferences.readers
    var readers =
      if allReaders {
        try LineReaders(named: try ReaderChoice.likelyNames(), aliases: aliases)
      } else if !options.readers.isEmpty {
        try LineReaders(named: options.readers, aliases: aliases)
      } else {
        LineReaders(try ReaderChoice(options, preferences))
      }
    if let inspector { try readers.inspect(on: inspector, aliases: aliases) }
    if realtime { readers = readers.realtime }
    readers.stationNames = try Self.stationNames(names, count: readers.count)
    guard scan.isEmpty || scan.count == readers.count else {
      throw BenchError(
        .usage, "Give --scan once for each reader: there are \(readers.count) readers.")
    }
    guard journal != nil || readers.areSimulated else {
      throw BenchError(.usage, "Give --journal FILE: it records which job is on which tag.")
    }
    return readers
  }

  /// What people call the stations: as `--names` has it; nil without names.
  static func stationNames(_ given: [String], count: Int) throws(BenchError) -> [String]? {
    guard !given.isEmpty else { return nil }
    let names = given.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      String($0.drop { $0 == " " })
    }
    guard names.allSatisfy({ !$0.isEmpty }), Set(names).count == names.count else {
      throw BenchError(
        .usage, "--names gives each station its own name, such as left,right.")
    }
    guard names.count == count else {
      let readers = count == 1 ? "there is 1 reader" : "there are \(count) readers"
      throw BenchError(
        .usage, "--names gives \(counted(names.count, "name")), and \(readers).")
    }
    return names
  }

  // MARK: Who and how

  private static var loginName: String {
    if let name = Console.environment["LOGNAME"] ?? Console.environment["USER"] { return name }
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
