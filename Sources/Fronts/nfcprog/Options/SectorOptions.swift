import ArgumentParser
import TagProgramming

/// How much of a MIFARE Classic becomes NFC sectors.
struct SectorOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case all
    case fewest
  }

  @Option(
    help: ArgumentHelp(
      "Sectors of a MIFARE Classic to format: all, or the fewest that the message needs, which is faster (default: all; an NDEF tag keeps its own).",
      valueName: "all|fewest"))
  var sectors: Choice?

  /// For a command that writes a message.
  var choice: ClassicSectors {
    switch sectors {
    case nil: .usual
    case .all: .all
    case .fewest: .fewest
    }
  }
}
