import ArgumentParser
import Bench
import TagProgramming

struct Protect: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "protect",
    abstract: "Give a tag a password, without which nobody writes it.",
    discussion: """
        nfcprog protect --set-password A1B2C3D4
        nfcprog protect --set-password A1B2C3D4 --read-too  # reading needs it, too
        nfcprog protect --set-password A1B2C3D4 --auth0 20 --authlim 5 --counter on --dry-run

      An NTAG21x or Ultralight EV1 has a password, an Ultralight C or AES a key. Give the new one with --set-password or NFCPROG_SET_PASSWORD; --password is the one that the tag \
      has. The program checks that the tag accepts the new one and refuses a write without it. After an interruption, run the same command again to finish.

      With --authlim every wrong password counts, whoever sends it: at the limit what is protected is closed permanently, even to the right one, \
      and nobody can undo it. It is set once the password has proven itself. From then on the tag gets a password only with \
      --password. --freeze-config can never be undone.
      """)

  @OptionGroup(title: "Tag") var password: PasswordOptions

  @OptionGroup(title: "Tag") var settings: ChipSettingOptions

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var loss: Loss? {
    let limit = settings.authlim.flatMap { $0 == 0 ? nil : $0 }
    return limit == nil && !settings.freezeConfig
      ? nil : .settings(limit: limit, isFrozen: settings.freezeConfig)
  }

  func validate() throws {
    guard password.isGiven || Console.environment["NFCPROG_SET_PASSWORD"] != nil else {
      throw ValidationError(
        "Give the password: --set-password or NFCPROG_SET_PASSWORD.")
    }
  }

  func job() throws(BenchError) -> Job {
    guard var protection = try password.protection(usesEnvironment: true) else {
      throw BenchError(.bug, "The password to set was lost.")
    }
    protection.settings = settings.settings
    return .protect(protection)
  }
}

struct Unprotect: TypedTagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "unprotect",
    abstract: "Remove a tag's password: everyone can write it again.",
    discussion: """
        nfcprog unprotect --password A1B2C3D4

      Needs the password: --password or NFCPROG_PASSWORD.
      """)

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func job() -> Job { .unprotect }
}
