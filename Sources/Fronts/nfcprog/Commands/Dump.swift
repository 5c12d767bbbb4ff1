import ArgumentParser
import Bench
import TagDumps
import TagProgramming

struct Dump: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Save a tag's whole memory to a file.",
    discussion: """
        nfcprog dump tag.bin
        nfcprog dump card.mct --key A1B2C3D4E5F6

      The format follows the file's name: .mfd or .bin (raw), .json (Proxmark3), .nfc (Flipper Zero), .mct (MIFARE Classic \
      Tool). The file contains the known keys and passwords. Unknown bytes are reported; they are ?? in .nfc files of a \
      MIFARE Classic and -- in .mct. Other formats have no mark for blocks and pages that could not be read: then nothing is \
      saved (exit status 77) without --force.
      """)

  @Argument(help: ArgumentHelp("The file.", valueName: "file"))
  var file: String

  /// The operator's permission.
  struct Leave: ParsableArguments {
    @Flag(
      help:
        "Replace a file that exists, and save zeros for blocks and pages that could not be read.")
    var force = false
  }

  @OptionGroup(title: "Tag") var leave: Leave

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .files(leave.force) }

  func validate() throws {
    guard DumpFormat(path: file) != nil else {
      throw ValidationError("The file's name must end in .mfd, .bin, .json, .nfc or .mct.")
    }
  }

  /// The tag is read only for a file that can be written.
  func job() throws(BenchError) -> Job {
    _ = try NamedFile(file, consent)
    return .dump
  }

  func finish(_ report: TagReport) throws(BenchError) -> NamedFile.Saved? {
    let bytes = try bytes(of: report.dump)
    guard !options.dryRun else { return nil }
    return try NamedFile(file, consent).write(bytes, isSecret: true)
  }

  /// The tag's memory in the format that the file's name asks for.
  func bytes(of dump: TagDump?) throws(BenchError) -> [UInt8] {
    guard let dump, let format = DumpFormat(path: file) else {
      throw BenchError(.bug, "The tag's memory was lost.")
    }
    let unmarked = leave.force ? [] : dump.unreadRows(withoutMarkIn: format)
    guard unmarked.isEmpty else {
      throw BenchError(
        .refused,
        """
        \(dump.image.rowName)s \(NumberRuns.list(unmarked)) could not be read, and in this format they would look like zeros. Nothing \
        was saved. Give the password or the keys, or use --force to save zeros.
        """)
    }
    do throws(DumpError) {
      return try dump.serialize(as: format)
    } catch {
      throw BenchError(.badInput, sentence(error.description))
    }
  }
}
