import ArgumentParser
import TagProgramming

struct ResetClassic: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-classic",
    abstract: "Give a MIFARE Classic the keys and the empty memory it was delivered with.")

  @OptionGroup var options: TagOptions

  func job() -> Job { .resetClassic }
}
