import ArgumentParser

/// What is made of each finished tag: a row of a label file, a call of a command.
struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A CSV file that gets one row for every finished tag.", valueName: "file"))
  var label: String?

  @Option(
    help: ArgumentHelp(
      "A shell command to run after each tag, with the result in NFCPROG_RESULT and other variables.",
      valueName: "command"))
  var onResult: String?

  @Option(help: ArgumentHelp("Time limit of the command.", valueName: "seconds"))
  var onResultTimeout = 10.0

  func validate() throws {
    guard onResultTimeout > 0, onResultTimeout <= 3600 else {
      throw ValidationError("--on-result-timeout takes up to 3600 seconds.")
    }
  }
}
