import ArgumentParser
import TagProgramming

struct Info: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show everything that a tag says about itself.")

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup var options: TagOptions

  var showsPhone: Bool { true }

  func job() -> Job { .info }
}
