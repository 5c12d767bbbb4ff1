import ArgumentParser

/// A guided test of one's own telephone.
struct PhoneTestOptions: ParsableArguments {
  @Flag(
    help:
      "Test a telephone with one message after another; a table says what it read."
  )
  var phoneTest = false

  @Option(
    help: ArgumentHelp(
      "With --phone-test: write the table, and what was asked in which order, to this file.",
      valueName: "file", visibility: .hidden))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "With --phone-test: time to wait for the telephone at each message (default: 60).",
      valueName: "seconds", visibility: .hidden))
  var timeout: Double?

  /// How long it is waited for.
  var patience: Duration { .seconds(timeout ?? 60) }

  func validate() throws {
    guard phoneTest || (report == nil && timeout == nil) else {
      throw ValidationError("--report and --timeout go with --phone-test.")
    }
    guard (0...86_400).contains(timeout ?? 60) else {
      throw ValidationError("--timeout takes 0 to 86400 seconds.")
    }
  }
}
