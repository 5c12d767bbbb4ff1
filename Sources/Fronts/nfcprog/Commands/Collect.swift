import ArgumentParser
import Bench
import Line
import TagMemory
import TagProgramming

struct Collect: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Read tag after tag into a list, and check what came.",
    discussion: """
        nfcprog collect --csv reel.csv
        nfcprog collect --expect delivery.csv --tag ntag213 --genuine

      Names each tag that was read before, is of another type, is not genuine or cannot be read, and what is \
      missing of the tags that are expected. The list is one for nfcprog provision. Nothing is written to a tag, \
      and no password and no key of yours is sent that you do not give, only keys that everybody knows.

      Ends after --count good tags, or at Ctrl-C, or when no tag comes within --timeout. Exit status: 0 if each \
      tag is as wanted and none is missing, 65 for a tag of another type or one that is not expected, 74 for one \
      that was removed too early, 75 if tags are missing or none came, 76 for one that was read before or \
      whose content differs, 77 for one that cannot be read or is not genuine.
      """)

  /// What is done with the tags.
  struct Collected: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "A list that gets a row for each good tag; one that is there continues.",
        valueName: "file"),
      completion: .file())
    var csv: String?

    @Option(
      help: ArgumentHelp(
        "The tags that must come: a list of UIDs or addresses, a table with a column uid, url or message, or a journal.",
        valueName: "file|address"), completion: .file())
    var expect: String?

    @Option(
      help: ArgumentHelp(
        "The type that each tag must be of, such as ntag213; others are named.", valueName: "type"),
      completion: .tagTypes())
    var tag: String?

    @Flag(help: "Demand that the maker has signed each UID.")
    var genuine = false

    func validate() throws { try TagTypeOptions.check(tag) }
  }

  @OptionGroup(title: "Tags") var collected: Collected

  @OptionGroup(title: "Stations") var stations: StationOptions
  @OptionGroup(title: "Stations") var following: FollowOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tags") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  private var options: TagOptions {
    TagOptions(line: line, access: access, output: output, consent: files.consent)
  }

  func validate() throws {
    try stations.requireOneChoice(options)
    try following.requireOneEnd(stations)
    guard collected.csv != "-" else {
      throw ValidationError("- is standard output, which carries results. Name a file with --csv.")
    }
  }

  func run(_ preferences: Preferences) throws {
    try CollectingCommand(
      command: "collect", options: options, stations: stations, follows: following.follow,
      preferences: preferences
    ).run { () throws(BenchError) in
      var settings = CollectingRun.Settings()
      (settings.file, settings.expected) = (collected.csv, collected.expect)
      (settings.product, settings.mustBeGenuine) = (
        collected.tag.flatMap(Product.named), collected.genuine
      )
      settings.line.credentials = try options.credentials()
      return settings
    }
  }
}
