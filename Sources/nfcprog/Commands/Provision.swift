import ArgumentParser

struct Provision: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "provision",
    abstract: "Write a list of jobs to tags, each job to one tag, at one reader or many.",
    discussion: """
      Each reader is a station: it takes the next job when a tag is there, writes and verifies it, records it in the journal and \
      waits for the next tag. After an interruption at any moment, run the same command to continue: no job is lost, and none is on two tags.

      The exit status is 0 if every job is on a tag (or --count tags passed). Try it:
      nfcprog provision --range 1..100 --template 'https://example.com/t/{code}' --reader 'sim:ntag213*110,bad=2%'
      """)

  @OptionGroup var list: JobListOptions

  @Option(
    help: ArgumentHelp(
      "The record of which job is on which tag; created if missing. Only simulated readers work without one.",
      valueName: "file"))
  var journal: String?

  @Flag(help: "Take up rows added to the end of the list.")
  var extend = false

  @Flag(help: "Take rows from standard input (-) as they arrive, until it ends.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "A CSV file that gets one row for every finished tag.", valueName: "file"))
  var label: String?

  @Flag(help: "Use one station for every reader found.")
  var allReaders = false

  @Option(
    help: ArgumentHelp(
      "Names of the stations, in the order of the readers: left,right.", valueName: "names"))
  var names: [String] = []

  @Flag(
    help:
      "Put the jobs on new tags, even if another journal was used with this list or label file.")
  var startOver = false

  @Option(
    help: ArgumentHelp(
      "Read codes from a scanner: a serial device, or - for standard input. Each code selects the row of the next tag. Give one per reader, in their order.",
      valueName: "device"))
  var scan: [String] = []

  @Option(
    help: ArgumentHelp("The column of the scanned code (default: code).", valueName: "column"))
  var match: String?

  @Option(
    help: ArgumentHelp(
      "Time that a result stays before the next tag is accepted (default: 2 with the live view, else 0).",
      valueName: "seconds"))
  var hold: Double?

  @Option(help: ArgumentHelp("End after this many good tags.", valueName: "n"))
  var count: Int?

  @Option(help: ArgumentHelp("End after this many tags that failed.", valueName: "n"))
  var stopAfterFailures: Int?

  @Option(
    help: ArgumentHelp(
      "Inspect the first good tag of each reader and every n-th: it is taken away, put on again and read anew.",
      discussion:
        "No other tag is written at that reader until then. A tag that is not as it was written ends the run with exit status 76.",
      valueName: "n"))
  var inspect: Int?

  @Option(
    help: ArgumentHelp(
      "With --inspect: a further reader where these tags are inspected; the others go on.",
      valueName: "reader"))
  var inspector: String?

  @Option(help: ArgumentHelp("Operator name (default: login name).", valueName: "name"))
  var `operator`: String?

  @Flag(help: "Replace other messages and data on tags; they are lost.")
  var overwrite = false

  @Flag(
    help:
      "Write tags again that are in the journal: each gets its own job. Tags set aside get the next job."
  )
  var rewrite = false

  @Flag(
    help:
      "Give the jobs of lost tags to other tags; never use the lost tags.")
  var releaseReserved = false

  @Flag(help: "Try failed jobs again.")
  var retryFailed = false

  @Option(
    help: ArgumentHelp(
      "A shell command to run after each tag, with the result in NFCPROG_RESULT and other variables.",
      valueName: "command"))
  var onResult: String?

  @Option(help: ArgumentHelp("Time limit of the command.", valueName: "seconds"))
  var onResultTimeout = 10.0

  @Flag(help: "Run simulated readers at a real board's pace.")
  var realtime = false

  @Flag(help: "No bell.")
  var silent = false

  @OptionGroup(title: "Tag") var classic: SectorOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "Proof") var proof: ProofOptions

  @Option(
    help: ArgumentHelp(
      "With --sdm: write what a server needs there at the end, each tag's own keys, readable by you alone.",
      valueName: "file"))
  var exportKeys: String?

  @Flag(help: "In place of the keys: the master key's id, for a server that has the master.")
  var exportMasterId = false

  @OptionGroup(title: "iPhone app") var link: LinkOptions

  @OptionGroup var options: TagOptions

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
    guard stopAfterFailures ?? 1 >= 1 else {
      throw ValidationError("--stop-after-failures takes 1 or more.")
    }
    guard inspect ?? 1 >= 1 else { throw ValidationError("--inspect takes 1 or more.") }
    guard inspector == nil || inspect != nil else {
      throw ValidationError("--inspector goes with --inspect.")
    }
    guard onResultTimeout > 0, onResultTimeout <= 3600 else {
      throw ValidationError("--on-result-timeout takes up to 3600 seconds.")
    }
    guard !allReaders || options.readers.isEmpty else {
      throw ValidationError("Give --reader or --all-readers, not both.")
    }
    guard hold ?? 0 >= 0, hold ?? 0 <= 60 else {
      throw ValidationError("--hold takes 0 to 60 seconds.")
    }
    guard !follow || list.jobs == "-" else {
      throw ValidationError("--follow goes with - in place of a list's file.")
    }
    guard match == nil || !scan.isEmpty else { throw ValidationError("--match goes with --scan.") }
    guard scan.filter({ $0 == "-" }).count + (list.readsStandardInput ? 1 : 0) <= 1 else {
      throw ValidationError("Standard input can be the list or a scanner, not both.")
    }
    guard !proof.sdm || list.template != nil else {
      throw ValidationError("--sdm goes with --template, which has the places that a tag fills in.")
    }
    guard exportKeys == nil || (proof.sdm && journal != nil) else {
      throw ValidationError("--export-keys goes with --sdm and --journal.")
    }
    guard !exportMasterId || exportKeys != nil else {
      throw ValidationError("--export-master-id goes with --export-keys.")
    }
    guard label == nil || journal != nil else {
      throw ValidationError("--label goes with --journal.")
    }
  }
}
