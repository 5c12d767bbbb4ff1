import ArgumentParser
import PN532Simulator

/// What a board that plays a tag shows.
struct EmulationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A link, checked and written as by write-url.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "What a file holds: a message, the output of read --json, a virtual tag, or a dump (.bin, .mfd).",
      valueName: "file"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "A file with one URL, or an NDEF message: each tap gets what it holds then.",
      valueName: "file"))
  var follow: String?

  @Option(
    help: ArgumentHelp(
      "Let telephones write, and keep the message that one wrote last in this file.",
      valueName: "file"))
  var writable: String?

  @Option(help: ArgumentHelp("End after this many taps.", valueName: "n"))
  var count: Int?

  @Flag(help: "End after one tap.")
  var once = false

  /// How many taps there are to be; nil: until somebody ends it.
  var limit: Int? { once ? 1 : count }

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
    guard !once || count == nil else { throw ValidationError("Give --once or --count, not both.") }
    guard follow == nil || writable == nil else {
      throw ValidationError(
        "--writable goes without --follow: one file can say what the tag holds.")
    }
  }
}

/// Which board plays the tag, and how it is used.
struct EmulationReaderOptions: ParsableArguments {
  @Option(
    name: .customLong("reader"),
    help: ArgumentHelp(
      "The board: a libnfc connstring, a tty, or sim:phone=iphone+android.",
      discussion: "Default: NFCPROG_READER, or the only reader found.", valueName: "reader"),
    completion: .list(PhoneKind.allCases.map { "sim:phone=\($0.rawValue)" }))
  var readers: [String] = []

  @Option(
    help: ArgumentHelp(
      "Speed of a serial reader's line (default: the one it opens at, at which any program finds it).",
      valueName: "auto|N"))
  var baud: BaudArgument?

  @Option(
    help: ArgumentHelp("Write every PN532 frame to this file, as JSON Lines.", valueName: "file"))
  var trace: String?
}

/// What is printed of taps.
struct EmulationOutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON object per tap on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print less on standard error.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print more: each command of a tap.")
  var verbose = false

  func validate() throws {
    guard !quiet || !verbose else {
      throw ValidationError("Give --quiet or --verbose, not both.")
    }
  }
}
