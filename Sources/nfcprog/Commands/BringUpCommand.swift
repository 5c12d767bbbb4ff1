import ArgumentParser
import BenchKit
import LibNFCReaders
import Readers
import Wire

/// `bring-up`: what a board that nobody has seen before does, asked point by point.
struct BringUpCommand: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "bring-up",
    abstract: "Test how a new board and its tags behave where data sheets do not say.",
    discussion: """
      It asks for one tag after another and compares what the board answers with what nfcprog assumes. Exit status: 0 if \
      all answers are as expected, 76 if one is not; the report says what to do. It writes only to tags that you put on the \
      reader when it asks for a blank one, and puts back what they held. A simulated reader places its tags by itself: \
      --reader sim:ntag213,then=classic1k.
      """)

  @OptionGroup(title: "Points") var points: PointOptions

  @OptionGroup(title: "Reader") var line: BringUpReaderOptions

  @OptionGroup(title: "Output") var output: BringUpOutputOptions

  func run(_ preferences: Preferences) throws {
    let console = Console(json: output.json, quiet: output.quiet)
    let status: ExitStatus
    do throws(BenchError) {
      status = try BringUpRun(self, preferences, console).perform()
    } catch {
      status = console.fail("bring-up", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

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
      discussion: "Default: NFCPROG_READER, or the only reader found.", valueName: "reader"))
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

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print points that fail, and the conclusion.")
  var quiet = false
}
