import ArgumentParser

/// What a server needs to check tags that prove themselves.
struct KeyExportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --sdm: at the end, write each tag's own keys to this file for a server; only you can read it.",
      valueName: "file"))
  var exportKeys: String?

  @Flag(
    help:
      "With --export-keys: write the master key's id in place of the keys, for a server that has the master."
  )
  var exportMasterId = false

  func validate() throws {
    guard !exportMasterId || exportKeys != nil else {
      throw ValidationError("--export-master-id goes with --export-keys.")
    }
  }
}
