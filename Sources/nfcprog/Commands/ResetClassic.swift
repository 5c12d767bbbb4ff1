import ArgumentParser
import TagProgramming

struct ResetClassic: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-classic",
    abstract: "Reset a MIFARE Classic to factory keys and empty memory.")

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Tag") var leave: ErasingOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func job() -> Job { leave.overwrite ? .eraseClassic : .resetClassic }
}
