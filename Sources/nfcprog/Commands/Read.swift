import ArgumentParser
import BenchKit
import TagProgramming

struct Read: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read a tag's message and decode its records.")

  @Option(
    help: ArgumentHelp("Save the NDEF message to this file, byte for byte.", valueName: "file"))
  var raw: String?

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup var options: TagOptions

  var showsPhone: Bool { true }

  func validate() throws {
    guard raw != "-" else {
      throw ValidationError("--raw takes a file; standard output carries the records.")
    }
  }

  func job() -> Job { .read }

  func finish(_ report: TagReport) throws(BenchError) {
    guard let raw else { return }
    guard let bytes = report.rawMessage else {
      throw BenchError(
        .badInput, "The tag holds no NDEF message, so nothing was saved to \(raw).")
    }
    try Files.write(bytes, to: raw)
  }
}
