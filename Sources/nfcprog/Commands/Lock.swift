import ArgumentParser
import TagProgramming

struct Lock: ReelCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a tag read-only for good, with the message that it holds.",
    discussion: """
      Ultralight and NTAG: capability container and lock bits, block-locking bits included. MIFARE Classic: the access bits \
      of every NFC sector. Type 4: the chip's own command, where it has one (a DESFire needs its application's --key). Not to be undone; --dry-run shows the steps. Cut short, the same command finishes it.
      """)

  @Flag(help: "Lock a tag, too, that holds no message or one that cannot be read.")
  var force = false

  @OptionGroup var reel: ReelOptions

  @OptionGroup var options: TagOptions

  func job() -> Job { .lock(force: force) }
}
