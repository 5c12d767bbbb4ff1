import ArgumentParser
import Bench
import TagProgramming

struct Read: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read a tag's message and decode its records.",
    discussion: """
        nfcprog read
        nfcprog read --raw message.ndef
      """)

  struct Saving: ParsableArguments {
    @Option(
      help: ArgumentHelp("Save the NDEF message to this file, byte for byte.", valueName: "file"))
    var raw: String?

    func validate() throws {
      guard raw != "-" else {
        throw ValidationError("--raw takes a file; standard output carries the records.")
      }
    }
  }

  @OptionGroup(title: "Output") var saving: Saving

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var showsPhone: Bool { true }

  func job() throws(BenchError) -> Job {
    if let raw = saving.raw { _ = try NamedFile(raw, consent) }
    return .read
  }

  func finish(_ report: TagReport) throws(BenchError) -> NamedFile.Saved? {
    guard let raw = saving.raw else { return nil }
    guard let held = report.content.held else {
      throw BenchError(
        .badInput, "The tag holds no NDEF message, so nothing was saved to \(raw).")
    }
    return try NamedFile(raw, consent).write(held.shown ?? held.stored, isSecret: false)
  }
}
