import ArgumentParser
import Bench
import TagMemory
import TagProgramming

struct Diff: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show where two dumps, or a dump and a tag, differ.",
    discussion: """
        nfcprog diff before.nfc after.nfc
        nfcprog diff tag.bin                 # and the tag on the reader

      Reads every format that restore reads. Each page, block or run of bytes in a file that differs is named with what stands there: UID, message, lock bits, \
      configuration, key. Keys and passwords are compared and not shown; what one side does not hold is not compared, and is \
      named. Exit status: 0 if nothing differs that both hold, 76 if something does.
      """)

  @Argument(help: ArgumentHelp("A dump; - is standard input.", valueName: "file"))
  var file: String

  @Argument(
    help: ArgumentHelp("Another dump (default: the tag on the reader).", valueName: "other"))
  var other: String?

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    guard file != "-" || other != "-" else {
      throw ValidationError("Standard input (-) can be one of the two.")
    }
  }

  func run(_ preferences: Preferences) throws {
    let run = CommandRun("diff", options, preferences, tagType: tagType.product)
    let status: ExitStatus
    do throws(BenchError) {
      let first = try ComparedDump(file: file, of: tagType.product)
      if let other {
        status = run.compare(first, try ComparedDump(file: other, of: tagType.product))
      } else {
        status = run.perform(.dump) { report throws(BenchError) in
          guard let dump = report.dump else { throw BenchError(.bug, "The tag's memory was lost.") }
          return run.compare(first, ComparedDump(dump, of: report.product))
        }
      }
    } catch {
      status = run.console.fail("diff", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
