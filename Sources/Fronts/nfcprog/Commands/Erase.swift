import ArgumentParser
import Bench
import TagProgramming

struct Erase: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Put an empty message in place of a tag's own.",
    discussion: """
        nfcprog erase --dry-run
        nfcprog erase

      Works on each type of tag; a blank one is formatted. The tag stays an NDEF tag that can be written again. The bytes \
      behind the empty message stay in its memory. After an interruption, run the same command again to finish.
      """)

  @OptionGroup(title: "Tag") var leave: ErasingOptions

  @OptionGroup(title: "Tag") var backups: BackupOptions

  @OptionGroup(title: "Tag") var classic: SectorOptions

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var backup: Backup? { backups.backup(byDefault: false) }

  func job() -> Job {
    var options = WriteOptions()
    options.overwrite = leave.overwrite
    options.sectors = classic.choice
    return .emptyMessage(options)
  }
}
