import Bench
import Dispatch
import JobLists
import LedgerSQLite
import Provisioning
import Readers
import Synchronization
import TagMemory
import TagProgramming

/// A run over a job list: the list is checked, the journal opened, the line of stations works,
/// labels and results are kept.
///
/// A front end makes one of its settings, calls `check` and then `work`, and renders the events:
///
///     let run = try ProvisioningRun(ProvisioningSettings(list)) { event in … }
///     let outcome = try run.work(run.check(), on: LineReaders(named: ["sim:ntag213*5"]))
///
/// One thread at a time calls it, but for `events`, which has a thread of its own.
public final class ProvisioningRun: Sendable {
  /// The settings say what the run was asked for.
  public let settings: ProvisioningSettings
  /// The jobs.
  package let source: JobSource
  /// The list is kept here where its rows come by and by; nil: it is whole, or in a database.
  let followed: FollowedList?
  private static let secretRows =
    "--follow takes rows from the database, which has no passwords and no keys of tags, and this list has such a column. Leave --follow out, and give the list with its added rows and --extend."

  /// What a printer prints for each tag.
  let label: LabelTemplate?
  /// The list is kept here where the batch's pool has it; nil: it was given otherwise.
  let pooled: PooledList?
  let tell: @Sendable (ProvisioningEvent) -> Void
  let shouldStop: @Sendable () -> Bool
  /// Who hears of events beside `tell`.
  let listening = Listening()

  /// Opens the list. `tell` gets all events, those of stations from their threads; `shouldStop` is
  /// asked between steps. Fails as the list does, and with `usage` where its columns of keys are of
  /// no use to the line, or rows are to come that nobody can send.
  public init(
    _ settings: ProvisioningSettings,
    tell: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(BenchError) {
    self.tell = { [listening] event in
      tell(event)
      listening.tell(event)
    }
    self.shouldStop = { [listening] in shouldStop() || listening.isStopping }
    if settings.takesPoolsList, let address = settings.journal {
      let list = try BenchError.journaled(PooledList(at: address))
      if let missing = list.description.given.subtracting(settings.line.given)
        .sorted(by: { $0.rawValue < $1.rawValue }).first
      {
        throw BenchError(.badInput, missing.reproach)
      }
      (pooled, followed, source) = (list, nil, list.source)
      try Self.checkTagNames(source, settings)
      var settings = settings
      settings.list.description = list.description
      settings.line.follows = true
      self.settings = settings
      label = try Self.label(settings, source)
      return
    }
    pooled = nil
    try Self.checkKeyColumns(settings)
    guard settings.line.count ?? 1 >= 1 else {
      throw BenchError(
        .usage, "A run is for one tag or more, and not for \(settings.line.count ?? 0).")
    }
    let waitsForRows = settings.follows && settings.journal.map(PoolSeries.isPool) != true
    guard !waitsForRows || settings.list.input == .table("-") else {
      throw BenchError(
        .usage,
        "Rows come as the line works from standard input, a table with the name -, or from a pool's batch. This list is another."
      )
    }
    do throws(JobSourceError) {
      if waitsForRows {
        let list = try FollowedList(0, settings.list.settings)
        (followed, source) = (list, list.source)
      } else {
        followed = nil
        source = try JobSource(settings.list.input, settings.list.settings)
      }
    } catch {
      throw BenchError(error)
    }
    try Self.checkTagNames(source, settings)
    guard !settings.follows || followed != nil || !source.hasSecrets else {
      throw BenchError(.usage, Self.secretRows)
    }
    var settings = settings
    settings.line.follows = settings.line.follows || settings.follows
    settings.list.description = settings.list.description.written(in: source.dialect)
      .giving(settings.line.given)
    self.settings = settings
    label = try Self.label(settings, source)
  }

  /// Keys that stand in a list go on tags, or are refused: none is read for nothing.
  private static func checkKeyColumns(_ settings: ProvisioningSettings) throws(BenchError) {
    let (list, personalisation) = (settings.list.settings, settings.line.personalisation)
    for (columns, ring) in [
      (list.keyColumns, personalisation?.keys), (list.oldKeyColumns, personalisation?.before),
    ] where !columns.isEmpty {
      let isUsed =
        if case .list(_, let used)? = ring?.scheme { used == columns } else { false }
      guard isUsed, columns.count == KeyRing.keyNumbers.count else {
        throw BenchError(
          .usage,
          "The list names columns of keys: five of them go on tags or are on them, with a personalisation of the line whose keys are those of the list."
        )
      }
    }
  }

  /// Rows that name their tags are chosen by those, and by nothing else.
  private static func checkTagNames(
    _ source: JobSource, _ settings: ProvisioningSettings
  ) throws(BenchError) {
    guard source.namesTags || !settings.matchesTags else {
      throw BenchError(
        .usage, "The list has no column uid; it has \(source.columns.joined(separator: ", ")).")
    }
    guard !source.namesTags || settings.scanners.isEmpty else {
      throw BenchError(
        .usage,
        "The list's column uid says which row each tag gets, so no code can. Leave the scanner out, or give the column another name."
      )
    }
  }

  /// Returns what a printer prints for each tag of `source`; nil: there is no printer.
  private static func label(
    _ settings: ProvisioningSettings, _ source: JobSource
  ) throws(BenchError) -> LabelTemplate? {
    do throws(LabelTemplateError) {
      let columns = source.openColumns
      return try settings.printer.map { printer throws(LabelTemplateError) in
        try LabelTemplate(printer.text, columns: columns)
      }
    } catch {
      let path = settings.printer?.path ?? ""
      throw BenchError(
        .badInput, "\(path) cannot be used as a label. \(error) No tag was written.")
    }
  }

  /// The result of a run.
  public struct Outcome: Sendable {
    /// How many tags passed and failed, and why the line ended.
    public let summary: LineSummary
    /// Jobs that no message could be made of.
    public let defectiveJobs: Int
    /// Rows of a followed list that were refused.
    public let refusedRows: Int
    /// How often the result command failed, and how the last time.
    public let resultFailures: (count: Int, last: String)?
    /// What is known of printed labels; nil without a printer.
    package let prints: OpenPrints?
    /// Is true if all jobs of the list were asked for.
    package let isAll: Bool
    /// How many jobs of a pool's batch that was closed are on no tag; nil where it was not closed.
    package let leftWhenClosed: Int?
    /// How many jobs of a pool's batch are on tags that are not finished, at whatever bench.
    package let begun: Int
    /// The file of keys that was written.
    package let exported: NamedFile.Saved?
    /// How many tags were set aside because the pool contradicts this bench.
    package internal(set) var conflicts = 0
  }

  /// Works through the list that `check` gave, with a station for each of `readers`.
  public func work(
    _ list: CheckedJobs, on readers: LineReaders
  ) throws(BenchError) -> Outcome {
    let scratch = try settings.journal == nil ? ScratchFolder(settings.temporaryFolder) : nil
    defer { scratch?.remove() }
    let marker = settings.journal == nil ? nil : settings.marker
    // A rehearsal uses no list up.
    let marks = !readers.areSimulated
    let pool = try openPool(list, marker, marks: marks, stations: readers.count)
    let journal: Journal
    if let pool {
      journal = pool.journal
    } else {
      journal = try open(settings.journal ?? "\(scratch?.path ?? "")/journal", list)
      try BenchError.journaled(guardList(journal, marker, marks: marks))
    }
    let trail = try BenchError.journaled(
      pool == nil && settings.journal != nil ? settings.trail(of: journal, marks: marks) : nil)
    let session = try BenchError.journaled { () throws(JournalError) in
      try journal.begin(
        operator: settings.operatorName, command: settings.commandLine,
        version: settings.version, deliveringResults: settings.onResult != nil,
        printingLabels: settings.printer != nil, scanningLabels: settings.scansLabels,
        beforeFirst: { [tell, shownPool] in
          if marks, let marker, (try? marker.add(journal, of: shownPool)) != true {
            tell(.remark(.listUnmarked))
          }
        }, afterEach: { trail?.note($0) })
    }
    if let pool { sayLeft(beside: pool) }
    let result = Result { () throws(BenchError) in
      try work(list.report, session, pool, readers)
    }
    try? session.end()
    if let pool {
      sayUntold(pool)
      sayLeft(beside: pool)
    }
    var outcome = try result.get()
    // Some are found when the pool hears of the last tags.
    outcome.conflicts = pool?.conflicts ?? 0
    return outcome
  }

  private func work(
    _ list: JobReport, _ session: JournalSession, _ pool: PoolBench?, _ choices: LineReaders
  ) throws(BenchError) -> Outcome {
    tell(.workEnded)
    try tidy(session)
    let labels = try settings.labels.map { path throws(BenchError) in
      try openLabels(path, session)
    }
    let printer = try openPrinter(session)
    defer { printer?.finish { true } }
    var options = settings.line
    options.expected = try expected(session.journal)
    options.stationNames = choices.stationNames
    tell(.prepared)

    tell(.workBegan("Opening the readers", unit: "readers", count: choices.count))
    let readers = try choices.open { [tell] in tell(.workAdvanced($0)) }
    defer { for reader in readers { try? reader.session.close() } }
    tell(.workEnded)
    for reader in readers { reader.reader.look(for: options.expected) }

    let journal = session.journal
    let tally = try BenchError.journaled(journal.tally())
    let names = readers.map(\.name)
    let hasInspector = choices.inspector != nil
    tell(
      .opened(
        ProvisioningOverview(
          jobs: list.rowCount, readers: names,
          stationNames: choices.stationNames.map { $0 + (hasInspector ? ["inspector"] : []) },
          goal: options.count ?? tally.jobs, done: options.count == nil ? tally.written : 0,
          waiting: try waiting(session), interrupts: readers.map(\.session.interrupt))))
    let stations = names.count - (hasInspector ? 1 : 0)
    let hook = settings.onResult.map {
      ResultCommand(
        $0, environment: settings.environment, stations: names.count, isEnding: shouldStop,
        complain: { [tell] in tell(.complaint($0)) })
    }
    if let hook { try handOn(hook, session) }
    let picks = try scannedColumn().map { JobPicks(column: $0, of: journal) }
    let line = try BenchError.journaled { () throws(JournalError) in
      try StationLine(
        readers: hasInspector ? readers.dropLast() : readers, session: session, source: source,
        options: options,
        inspector: hasInspector ? readers.last : nil, labels: labels,
        printer: printer, picks: picks, scansLabels: settings.scansLabels,
        tell: { [tell, options] event in
          tell(.line(event))
          guard let hook else { return }
          let reader = names[event.station]
          let station = options.stationName(event.station, of: stations)
          switch event.kind {
          case .finished(let outcome):
            let variables = ResultCommand.variables(outcome, reader: reader, station: station)
            let written = outcome.written?.job.number
            hook.start(event.station, variables) {
              if let written { try? journal.noteResultTaken(ofJob: written) }
            }
          case .inspection(let inspection) where inspection.verdict == .bad:
            hook.start(
              event.station,
              ResultCommand.variables(inspection, reader: reader, station: station))
          default: break
          }
        },
        shouldStop: shouldStop)
    }
    for (number, device) in settings.scanners.enumerated() {
      let take: @Sendable (ScanInput.Happening) -> Void = { happening in
        switch happening {
        case .code(let code): line.scan(code, station: number)
        case .lost(let reason): line.noteScanner(lost: reason, station: number)
        case .back: line.noteScanner(lost: nil, station: number)
        }
      }
      try ScanInput(device).start(isOver: { line.isOver() }, take: take)
    }
    let refused = RefusedRows()
    if let followed { take(followed, journal, line, refused) }
    if settings.line.follows, let pool { takeRows(of: pool, line) }
    tell(.started(line))
    let summary = line.run()
    tell(.ended)
    printer?.finish(isHurried: shouldStop)
    hook?.finish()
    let exported = try exportKeys(journal)
    try finish(labels, summary)
    return Outcome(
      summary: summary, defectiveJobs: (try? journal.tally().failed) ?? 0,
      refusedRows: refused.count.load(ordering: .relaxed), resultFailures: hook?.failures,
      prints: try printer.map { printer throws(BenchError) in try prints(of: printer, session) },
      isAll: options.count == nil && !options.rewrite, leftWhenClosed: pool?.leftWhenClosed,
      begun: pool?.tally()?.reserved ?? 0, exported: exported)
  }

  /// The type of tag that all jobs are for: nothing else is looked for then. Rows that are yet to
  /// come may be for any.
  private func expected(_ journal: Journal) throws(BenchError) -> Product? {
    guard !settings.line.follows else { return nil }
    return try BenchError.journaled(journal.onlyTagType())
      .flatMap(Product.named)
  }
}

/// How many rows of a followed list were refused.
final class RefusedRows: Sendable {
  let count = Atomic(0)
}
