import ArgumentParser
import TagProgramming

struct Info: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show everything that a tag says about itself.",
    discussion: """
        nfcprog info
        nfcprog info --reader sim:ntag213
      """)

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
}
