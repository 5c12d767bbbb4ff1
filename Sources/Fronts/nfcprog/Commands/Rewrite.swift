import ArgumentParser
import Bench
import JobLists
import Provisioning

struct Rewrite: PreferringCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrite",
    abstract: "Change the links of tags from the field, and put them back.",
    discussion: """
        nfcprog rewrite --from old.example --to 'https://new.org{rest}' --journal j1
        nfcprog rewrite changes.csv --journal j2
        nfcprog rewrite --undo --journal j1

      Each tag's first link is changed, and all else of it stays. {id} takes one part of the path or one value of \
      the query, {name:rest} at the end all that is left; a host alone takes all its web links, with what stands \
      behind it as {rest}. A list has the columns from and to; the first row that takes a link counts.

      The journal has both messages of each tag before the tag is written. After an interruption, run the same \
      command: it finishes a tag that was cut off, and writes no tag twice. --undo puts back, byte for byte, what \
      each tag held. Tags that no rule takes, that are locked, cannot be read, or were changed since are named \
      and left as they are.

      Ends after --count good tags, or at Ctrl-C, or when no tag comes within --timeout; --undo also when each tag \
      of the journal is put back. Exit status: 0 if each tag was good, else that of the most frequent cause: 65 \
      for a tag that no rule takes, 74 for one that is not finished, 76 for one that was changed since, 77 for one \
      that is locked or cannot be read; 75 if no tag came.
      """)

  /// What is changed.
  struct Changes: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        "A CSV file or workbook (.xlsx) with the columns from and to.", valueName: "changes.csv"),
      completion: .file())
    var list: String?

    @Option(
      help: ArgumentHelp(
        "The links to change: an address with places such as {id}, or a host.", valueName: "pattern"
      ))
    var from: String?

    @Option(
      help: ArgumentHelp(
        "The new link, with the places of the pattern, {uid} or {date}.", valueName: "template"))
    var to: String?

    @Flag(help: "Put back what the tags of the journal held before.")
    var undo = false

    @Option(
      help: ArgumentHelp("The journal of these tags.", valueName: "file"), completion: .file())
    var journal: String

    @Option(
      help: ArgumentHelp(
        "Operator name (default: login name).", valueName: "name", visibility: .hidden))
    var `operator`: String?

    func validate() throws {
      guard (from == nil) == (to == nil) else {
        throw ValidationError("--from PATTERN and --to TEMPLATE go together.")
      }
      guard [list != nil, from != nil, undo].filter({ $0 }).count == 1 else {
        throw ValidationError("Give --from and --to, a list of changes, or --undo.")
      }
    }

    /// The rules; nil: tags get back what they held.
    func rules() throws(BenchError) -> ChangeRules? {
      do throws(JobSourceError) {
        if let list { return try ChangeRules(at: list) }
        guard let from, let to else { return nil }
        return try ChangeRules(from: from, to: to)
      } catch {
        throw BenchError(error)
      }
    }
  }

  @OptionGroup(title: "Tags") var changes: Changes

  @OptionGroup(title: "Stations") var stations: StationOptions
  @OptionGroup(title: "Stations") var following: FollowOptions

  @OptionGroup(title: "iPhone app", visibility: .hidden) var link: LinkOptions
  @OptionGroup(title: "Android app", visibility: .hidden) var android: AndroidOptions

  @OptionGroup(title: "Reader and output") var line: ReaderOptions
  @OptionGroup(title: "Tag", visibility: .hidden) var access: AccessOptions
  @OptionGroup(title: "Reader and output") var output: OutputOptions
  @OptionGroup(title: "Reader and output", visibility: .hidden) var files: FileOptions

  func validate() throws {
    try stations.requireOneChoice(options)
    try following.requireOneEnd(stations)
    try android.requireApp()
    try link.requireFile(android.assetlinks != nil)
    guard !changes.undo || !link.isGiven && !android.isGiven else {
      throw ValidationError("--undo makes no links that could be held to an app.")
    }
  }
}
