import ArgumentParser
import Bench
import TagMemory
import TagProgramming

struct Info: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show everything that a tag, or a file with its memory, says.",
    discussion: """
        nfcprog info
        nfcprog info --reader sim:ntag213
        nfcprog info tag.bin                 # what a tag with this memory says

      Of a file (every format that restore reads, and the file of a virtual tag) the same is said as of the tag; what it does not hold is \
      not known. Where a raw image does not say which chip it is of, --tag does.
      """)

  @Argument(help: ArgumentHelp("A dump in place of a tag; - is standard input.", valueName: "file"))
  var file: String?

  @Flag(help: "Also show the tag's counters, such as how often an NTAG 21x was read.")
  var count = false

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var showsPhone: Bool { true }

  var readsCounters: Bool { count }

  func job() -> Job { .info }

  func run(_ preferences: Preferences) throws {
    guard let file else { return try runOnTag(preferences) }
    let status = CommandRun("info", options, preferences).show(
      dump: file, of: tagType.product, counters: count)
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
