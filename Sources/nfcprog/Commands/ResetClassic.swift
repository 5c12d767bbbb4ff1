import ArgumentParser
import TagProgramming

struct ResetClassic: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-classic",
    abstract: "Reset a MIFARE Classic to factory keys and empty memory.")

  @OptionGroup var options: TagOptions

  func job() -> Job { .resetClassic }
}
