import ArgumentParser
import Bench
import TagProgramming

/// What a formatted MIFARE Classic gets: its directory, key B, and how many NFC sectors.
struct ClassicFormatOptions: ParsableArguments {
  /// Which application directory to write.
  enum Directory: String, ExpressibleByArgument, CaseIterable {
    case auto
    case mad1 = "1"
    case mad2 = "2"

    var choice: ClassicFormat.Directory {
      switch self {
      case .auto: .automatic
      case .mad1: .mad1
      case .mad2: .mad2
      }
    }
  }

  @Option(help: ArgumentHelp("MIFARE application directory.", valueName: "auto|1|2"))
  var mad = Directory.auto

  @Option(
    help: ArgumentHelp(
      "Key B, which may change keys, access bits and directory: 12 digits, ask, file:PATH or env:NAME. Without it sectors keep theirs, new ones get FFFFFFFFFFFF.",
      valueName: "hex"))
  var keyB: String?

  @Option(
    help: ArgumentHelp(
      "Sectors to format: all, or the fewest that take the message (all). An NDEF tag's own stay.",
      valueName: "all|fewest"))
  var sectors = SectorOptions.Choice.all

  func validate() throws {
    guard let keyB else { return }
    do { try SecretInput.check(keyB, Secret.key) } catch {
      throw ValidationError(error.description)
    }
  }
}
