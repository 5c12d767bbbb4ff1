import ArgumentParser
import Bench

/// Where what a tag holds is saved before a command destroys it.
struct BackupOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Save the tag's memory in this folder before the first write; none: do not.",
      valueName: "folder"))
  var backup: String?

  func validate() throws {
    guard backup != "" else { throw ValidationError("--backup takes a folder, or none.") }
  }

  /// The backup that the options ask for. `byDefault`: one is made where they say nothing, in this
  /// person's folder, or in the current one without a home.
  func backup(byDefault: Bool) -> Backup? {
    switch backup {
    case "none"?: return nil
    case let folder?: return Backup(in: folder, isRequired: true)
    case nil where byDefault:
      let folder = Console.environment.stateHome.map { "\($0)/nfcprog/backups" }
      return Backup(in: folder ?? "nfcprog-backups", isRequired: false)
    case nil: return nil
    }
  }
}
