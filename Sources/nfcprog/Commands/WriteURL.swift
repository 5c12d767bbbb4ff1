import ArgumentParser
import NDEF
import TagProgramming

struct WriteURL: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-url", abstract: "Write one URL, formatting a blank tag on the way.")

  @Argument(help: "The URL; characters that may not stand in one are percent-encoded.")
  var url: String

  @OptionGroup var options: TagOptions

  func job() throws(CommandFailure) -> Job {
    .write(Message(try LinkArgument.record(url).record), WriteOptions())
  }
}
