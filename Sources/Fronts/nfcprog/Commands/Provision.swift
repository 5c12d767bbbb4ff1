import ArgumentParser
import JobLists
import LedgerSQLite
import Provisioning

struct Provision: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "provision",
    abstract: "Write a list of jobs to tags, each job to one tag.",
    discussion: """
        nfcprog provision jobs.csv --journal jobs.sqlite
        nfcprog provision --range 1..100 --template 'https://example.com/t/{code}'

      Each reader is a station: it takes the next job when a tag is there, writes and verifies it, records it in the journal and \
      waits for the next tag. After an interruption at any moment, run the same command to continue: no job is lost, and none is on two tags.

      The exit status is 0 if every job is on a tag (or --count tags passed). Try it:
      nfcprog provision --range 1..100 --template 'https://example.com/t/{code}' --reader 'sim:ntag213*110,bad=2%'
      """)

  @OptionGroup(title: "Jobs") var source: JobSourceOptions
  @OptionGroup(title: "Message") var records: RecordOptions
  @OptionGroup(title: "Android app") var android: AndroidOptions

  @OptionGroup(title: "Journal") var record: JournalOptions

  @OptionGroup(title: "Stations") var stations: StationOptions

  @OptionGroup(title: "Inspection") var inspection: InspectionOptions

  @OptionGroup(title: "Scanner") var scanner: ScannerOptions

  @OptionGroup(title: "Results") var results: ResultOptions

  @OptionGroup(title: "Tag") var replacing: ReplacingOptions

  @OptionGroup(title: "Tag") var classic: SectorOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "NTAG 424 DNA") var proof: ProofOptions

  @OptionGroup(title: "NTAG 424 DNA") var export: KeyExportOptions

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var list: JobListOptions { JobListOptions(source: source, records: records) }

  /// What options of several groups need of one another; each group checks its own.
  func validate() throws {
    try android.requireApp(recorded: records.androidApp)
    try link.requireFile(android.assetlinks != nil)
    guard !stations.allReaders || options.readers.isEmpty else {
      throw ValidationError("Give --reader or --all-readers, not both.")
    }
    guard source.isGiven || record.journal.map(PoolSeries.isPool) == true else {
      throw ValidationError(
        "Give a list of jobs: a CSV file, --codes FILE or --range FIRST..LAST. Only a batch that nfcprog-hub has made in a database has its list there."
      )
    }
    guard source.isGiven || (!list.hasSettings && !locking.lock) else {
      throw ValidationError(
        "Without a list, the jobs and their messages come from the batch in the database: leave out --template, --tag, --lock and the records."
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
    guard export.exportKeys == nil || (proof.sdm && record.journal != nil) else {
      throw ValidationError("--export-keys goes with --sdm and --journal.")
    }
    guard results.label.isEmpty || record.journal != nil else {
      throw ValidationError("--label goes with --journal.")
    }
  }
}
