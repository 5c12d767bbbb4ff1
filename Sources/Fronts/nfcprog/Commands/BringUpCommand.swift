import ArgumentParser
import Bench
import LibNFCReaders
import Readers

/// `bring-up`: what a board that nobody has seen before does, asked point by point.
struct BringUpCommand: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "bring-up",
    abstract: "Test how a new board and its tags behave.",
    discussion: """
        nfcprog bring-up
        nfcprog bring-up --apply

      Tests where data sheets do not say: it asks for one tag after another and compares what the board answers with what \
      nfcprog assumes. Exit status: 0 if \
      all answers are as expected, 76 if one is not; the report says what to do. It writes only to tags that you put on the \
      reader when it asks for a blank one, and puts back what they held. A simulated reader places its tags by itself: \
      --reader sim:ntag213,then=classic1k.
      """)

  @OptionGroup(title: "Points") var points: PointOptions

  @OptionGroup(title: "Reader") var line: BringUpReaderOptions

  @OptionGroup(title: "Output") var output: BringUpOutputOptions

  func run(_ preferences: Preferences) throws {
    let console = Console(json: output.json, quiet: output.quiet)
    try console.conclude("bring-up") { () throws(BenchError) in
      try BringUpRun(points, line, output, preferences, console).perform()
    }
  }
}
