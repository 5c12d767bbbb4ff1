import ArgumentParser
import JobLists
import LedgerSQLite
import Provisioning

struct Provision: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "provision",
    abstract: "Write a list of jobs to tags, each job to one tag.",
    discussion: """
        nfcprog provision jobs.csv
        nfcprog provision --range 1..100 --template 'https://example.com/t/{code}'

      Each reader writes the next job when a tag is there, and reads it back. After an interruption, run the same command: it \
      continues, with each job on one tag.
      """)

  @OptionGroup(title: "Series") var source: JobSourceOptions
  @OptionGroup(title: "Message", visibility: .hidden) var records: RecordOptions
  @OptionGroup(title: "Message", visibility: .hidden) var content: ContentOptions
  @OptionGroup(title: "Android app", visibility: .hidden) var android: AndroidOptions

  @OptionGroup(title: "Series") var record: JournalOptions

  @OptionGroup(title: "Series") var stations: StationOptions

  @OptionGroup(title: "Inspection", visibility: .hidden) var inspection: InspectionOptions

  @OptionGroup(title: "Scanner", visibility: .hidden) var scanner: ScannerOptions

  @OptionGroup(title: "Series") var results: ResultOptions

  @OptionGroup(title: "Tag") var replacing: ReplacingOptions

  @OptionGroup(title: "Tag", visibility: .hidden) var classic: SectorOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "NTAG 424 DNA", visibility: .hidden) var proof: ProofOptions

  @OptionGroup(title: "NTAG 424 DNA", visibility: .hidden) var export: KeyExportOptions

  @OptionGroup(title: "iPhone app", visibility: .hidden) var link: LinkOptions

  @OptionGroup(title: "Reader and output") var line: ReaderOptions
  @OptionGroup(title: "Tag", visibility: .hidden) var access: AccessOptions
  @OptionGroup(title: "Reader and output") var output: OutputOptions
  @OptionGroup(title: "Reader and output", visibility: .hidden) var files: FileOptions

  var list: JobListOptions { JobListOptions(source: source, records: records) }

  /// What options of several groups need of one another; each group checks its own.
  func validate() throws {
    try android.requireApp(recorded: records.androidApp)
    try link.requireFile(android.assetlinks != nil)
    try stations.requireOneChoice(options)
    guard source.isGiven || record.journal.map(PoolSeries.isPool) == true else {
      throw ValidationError(
        "Give a list of jobs: a CSV file, --codes FILE or --range FIRST..LAST. Only a batch that nfcprog-hub has made in a database has its list there."
      )
    }
    guard source.isGiven || (!list.hasSettings && !locking.lock && content.lint == nil) else {
      throw ValidationError(
        "Without a list, the jobs and their messages come from the batch in the database: leave out --template, --tag, --lock, --lint and the records."
      )
    }
    let isPool = record.journal.map(PoolSeries.isPool) == true
    guard !source.follow || isPool || source.jobs == "-" else {
      throw ValidationError(
        "--follow goes with - in place of a list's file, or with a pool's address.")
    }
    guard !source.follow || !isPool || !list.readsStandardInput else {
      throw ValidationError(
        "On a pool, --follow takes rows that others add to the batch, and none from standard input: give a file, or no list."
      )
    }
    guard scanner.scan.filter({ $0 == "-" }).count + (list.readsStandardInput ? 1 : 0) <= 1 else {
      throw ValidationError("Standard input can be the list or a scanner, not both.")
    }
    guard !proof.sdm || source.template != nil else {
      throw ValidationError("--sdm goes with --template, which has the places that a tag fills in.")
    }
    let hasJournal = record.journal != nil || source.path != nil
    guard export.exportKeys == nil || (proof.sdm && hasJournal) else {
      throw ValidationError("--export-keys goes with --sdm and --journal.")
    }
    guard !scanner.scanLabel || results.hasPrinter else {
      throw ValidationError("--scan-label goes with a printer, such as --label zpl:tcp://HOST.")
    }
    guard results.label.isEmpty || hasJournal else {
      throw ValidationError("--label goes with --journal.")
    }
  }
}
