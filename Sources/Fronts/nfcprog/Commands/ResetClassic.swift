import ArgumentParser
import TagProgramming

struct ResetClassic: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-classic",
    abstract: "Reset a MIFARE Classic to its delivered state.",
    discussion: """
        nfcprog reset-classic --dry-run
        nfcprog reset-classic

      All sectors get the delivered keys and an empty memory. After an interruption, run the same command again to finish.
      """)

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Tag") var leave: ErasingOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var loss: Loss? { .content }

  func job() -> Job { leave.overwrite ? .eraseClassic : .resetClassic }
}
