import ArgumentParser

/// What is copied, and how often.
struct CopyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("End after this many good tags.", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Copy what a file holds: a message, the output of read --json, a virtual tag, or a dump (.bin, .mfd).",
      valueName: "file"))
  var from: String?

  @Flag(help: "Copy any message, even one that does not wake an app.")
  var anyContent = false

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
  }
}
