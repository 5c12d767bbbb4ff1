import ArgumentParser

/// Which finished tags are read once more, and where.
struct InspectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inspect the first good tag of each reader and every n-th: remove it and put it on again, and it is read once more.",
      discussion:
        "No other tag is written at that reader until then. A tag that is not as it was written ends the run with exit status 76.",
      valueName: "n"))
  var inspect: Int?

  @Option(
    help: ArgumentHelp(
      "With --inspect: a separate reader that inspects these tags; the others continue.",
      valueName: "reader"))
  var inspector: String?

  func validate() throws {
    guard inspect ?? 1 >= 1 else { throw ValidationError("--inspect takes 1 or more.") }
    guard inspector == nil || inspect != nil else {
      throw ValidationError("--inspector goes with --inspect.")
    }
  }
}
