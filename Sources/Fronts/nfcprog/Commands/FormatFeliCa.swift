import ArgumentParser
import Bench
import TagProgramming

struct FormatFeliCa: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "format-felica", abstract: "Make a FeliCa Lite or Lite-S an NDEF tag.",
    discussion: """
        nfcprog format-felica --url https://example.com/t/1

      A tag that holds data and is not NDEF is refused; use --overwrite to replace them. A tag whose \
      memory configuration is closed is refused: it can never become an NDEF tag.
      """)

  @OptionGroup(title: "Tag") var unchecked: UncheckedOptions

  @OptionGroup(title: "Tag") var backups: BackupOptions

  @OptionGroup(title: "Message") var content: FirstMessageOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var backup: Backup? { backups.backup(byDefault: false) }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    var format = FeliCaFormat()
    let first = try content.message()
    format.message = first.message
    format.overwrite = unchecked.overwrite
    return Preparation(.formatFeliCa(format), first.remarks)
  }
}
