import ArgumentParser
import TagProgramming

struct Info: ReelCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show everything that a tag says about itself.")

  @OptionGroup(title: "Tag") var reel: ReelOptions

  @OptionGroup var options: TagOptions

  var showsPhone: Bool { true }

  func job() -> Job { .info }
}
