import ArgumentParser
import Bench
import TagProgramming

struct ResetClassic: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-classic",
    abstract: "Reset a MIFARE Classic to its delivered state.",
    discussion: """
        nfcprog reset-classic --dry-run
        nfcprog reset-classic

      All sectors get the delivered keys and an empty memory. What the tag held is saved first, in \
      ~/.local/state/nfcprog/backups. After an interruption, run the same command again to finish.
      """)

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Tag") var leave: ErasingOptions

  @OptionGroup(title: "Tag") var backups: BackupOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var loss: Loss? { .content }

  var backup: Backup? { backups.backup(byDefault: true) }

  func job() -> Job { leave.overwrite ? .eraseClassic : .resetClassic }
}
