import ArgumentParser
import Bench
import TagDumps
import TagProgramming

struct RestoreDump: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a tag's memory from a file.",
    discussion: """
        nfcprog restore tag.bin --dry-run
        nfcprog restore tag.bin

      Reads the formats of dump, libnfc's programs, Proxmark3, Flipper Zero and MIFARE Classic Tool; the program finds the format \
      from the content. Never written: UID and manufacturer block, counters, sector trailers without both keys. The program \
      reports what it leaves out, and reads back everything that it writes. With --force it first saves what the tag \
      holds, in ~/.local/state/nfcprog/backups.
      """)

  @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
  var file: String

  /// The operator's permission.
  struct Leave: ParsableArguments {
    @Flag(
      help: ArgumentHelp(
        "Also write what can never be undone or can close the tag: lock bits, capability container, configuration, trailers that freeze."
      ))
    var force = false
  }

  @OptionGroup(title: "Tag") var leave: Leave

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Tag") var backups: BackupOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  var loss: Loss? { leave.force ? .contentAndWriteAccess : nil }

  var backup: Backup? { backups.backup(byDefault: leave.force) }

  func job() throws(BenchError) -> Job {
    .restore(Restore(try TagDump(file: file), force: leave.force))
  }
}
