import ArgumentParser
import TagProgramming

struct Info: ReelCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Say everything about a tag that can be read from it.")

  @OptionGroup var reel: ReelOptions

  @OptionGroup var options: TagOptions

  var showsPhone: Bool { true }

  func job() -> Job { .info }
}
