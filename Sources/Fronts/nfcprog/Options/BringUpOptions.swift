import ArgumentParser

/// Which questions are asked.
struct PointOptions: ParsableArguments {
  @Option(
    name: .customLong("point"),
    help: ArgumentHelp("Test this point only (repeatable).", valueName: "name"))
  var names: [String] = []

  @Flag(help: "List the points with what each needs; test none.")
  var list = false

  @Option(
    help: ArgumentHelp("Number of repetitions of the points that count misses.", valueName: "n"))
  var rounds = 100

  func validate() throws {
    guard (1...100_000).contains(rounds) else {
      throw ValidationError("--rounds takes 1 to 100000.")
    }
  }
}

/// The reader, and how long a person is waited for.
struct BringUpReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The reader: a libnfc connstring, a tty, or sim:TAG.",
      discussion: "Default: NFCPROG_READER, or the only reader found.", valueName: "reader"),
    completion: .readers)
  var reader: String?

  @Option(help: ArgumentHelp("Time to wait for each tag.", valueName: "seconds"))
  var timeout = 60.0

  @Flag(help: "Write the safe settings for this reader to the settings file.")
  var apply = false

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes 0 to 86400 seconds.")
    }
  }
}

/// What is printed and kept.
struct BringUpOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the report with all frames to this file.", valueName: "file"))
  var report: String?

  @Flag(help: "With --report: replace a file that exists.")
  var force = false

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print points that fail, and the conclusion.")
  var quiet = false
}
