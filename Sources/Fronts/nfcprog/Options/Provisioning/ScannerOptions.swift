import ArgumentParser

/// Scanners that say which row the next tag gets.
struct ScannerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read codes from a scanner: a serial device, or - for standard input. Each code selects the row of the next tag. Give one per reader, in their order.",
      valueName: "device"))
  var scan: [String] = []

  @Option(
    help: ArgumentHelp(
      "The column of the scanned code (default: code); uid without a scanner: the tag's own UID selects its row.",
      valueName: "column"))
  var match: String?

  @Flag(
    help: ArgumentHelp(
      "After printing, read the label with the scanner: it must show the tag's link, UID or job. Without --match the scanner is for that alone."
    ))
  var scanLabel = false

  /// Is true if rows are for the tags that they name.
  var matchesTags: Bool { scan.isEmpty && match?.lowercased() == "uid" }

  func validate() throws {
    guard !scanLabel || !scan.isEmpty else {
      throw ValidationError("--scan-label goes with --scan, which names the scanner.")
    }
    guard match == nil || !scan.isEmpty || matchesTags else {
      throw ValidationError("--match goes with --scan; --match uid goes without it.")
    }
  }
}
