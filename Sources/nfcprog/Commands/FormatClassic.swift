import ArgumentParser
import BenchKit
import NDEF
import TagMemory
import TagProgramming

struct FormatClassic: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "format-classic", abstract: "Make a MIFARE Classic Mini, 1K or 4K an NDEF tag.",
    discussion: """
      A tag that is neither as delivered nor NDEF is refused. Use --overwrite to replace \
      its content.
      """)

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

  @Option(help: ArgumentHelp("Write this URL in the same pass.", valueName: "url"))
  var url: String?

  @Flag(help: "Do not check for data on the tag; any data are lost.")
  var overwrite = false

  @OptionGroup var options: TagOptions

  func validate() throws {
    guard let keyB else { return }
    do { try SecretInput.check(keyB, Secret.key) } catch {
      throw ValidationError(error.description)
    }
  }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    var format = ClassicFormat()
    format.directory = mad.choice
    format.sectors = sectors == .fewest ? .fewest : .all
    if let keyB {
      format.keyB = try SecretInput(option: "--key-b", isNew: true).value(keyB, Secret.key)
    }
    var remarks = InputRemarks()
    if let url {
      let link = try MessageArguments.link(url)
      format.message = Message(link.record.record)
      remarks = link.remarks
    }
    format.overwrite = overwrite
    return Preparation(.formatClassic(format), remarks)
  }
}
