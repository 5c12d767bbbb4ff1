import ArgumentParser
import Bench
import TagProgramming

struct FormatClassic: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "format-classic", abstract: "Make a MIFARE Classic Mini, 1K or 4K an NDEF tag.",
    discussion: """
        nfcprog format-classic
        nfcprog format-classic --url https://example.com/t/1 --sectors fewest

      A tag that is neither as delivered nor NDEF is refused. Use --overwrite to replace \
      its content.
      """)

  @OptionGroup(title: "Tag") var card: ClassicFormatOptions

  @OptionGroup(title: "Tag") var unchecked: UncheckedOptions

  @OptionGroup(title: "Tag") var backups: BackupOptions

  @OptionGroup(title: "Message") var content: FirstMessageOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var backup: Backup? { backups.backup(byDefault: false) }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    var format = ClassicFormat()
    format.directory = card.mad.choice
    format.sectors = card.sectors == .fewest ? .fewest : .all
    if let keyB = card.keyB {
      format.keyB = try SecretInput(option: "--key-b", isNew: true).value(keyB, Secret.key)
    }
    let first = try content.message()
    format.message = first.message
    format.overwrite = unchecked.overwrite
    return Preparation(.formatClassic(format), first.remarks)
  }
}
