import ArgumentParser
import Bench
import TagProgramming

struct Lock: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Make a tag permanently read-only, with its message.",
    discussion: """
        nfcprog lock --dry-run
        nfcprog lock

      Ultralight and NTAG: capability container and lock bits, block-locking bits included. MIFARE Classic: the access bits \
      of every NFC sector. Type 4: the chip's own command, if it has one (a DESFire needs its application's --key). This cannot be undone; --dry-run shows the steps. After an interruption, run the same command again to finish.
      """)

  /// The operator's permission.
  struct Leave: ParsableArguments {
    @Flag(help: "Lock the tag even if it has no message, or an unreadable one.")
    var force = false
  }

  @OptionGroup(title: "Tag") var leave: Leave

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  var loss: Loss? { .writeAccess }

  func job() -> Job { .lock(force: leave.force) }
}
