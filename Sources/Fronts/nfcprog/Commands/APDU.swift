import ArgumentParser
import Bench
import TagMemory
import TagProgramming

struct APDU: RawCommandLine, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "apdu", abstract: "Send APDUs to a card (ISO/IEC 7816-4).",
    discussion: """
        nfcprog apdu 00A4040007D276000085010100 00A4000C02E103 00B000000F

      Each argument is one APDU, sent over ISO-DEP; an argument of fewer than four bytes makes all of them parts of one. Lengths that do not match the \
      bytes are refused before anything is sent. The exit status is 77 if the card does not answer 9000, 61xx, 9100 or 91AF.
      """)

  @Argument(help: ArgumentHelp("The APDUs in hexadecimal.", valueName: "hex"))
  var hex: [String] = []

  /// How the card is spoken to.
  struct Card: ParsableArguments {
    @Option(help: ArgumentHelp("Select this application first.", valueName: "hex"))
    var aid: String?

    @Flag(help: "After 61xx, fetch the rest; after 6Cxx, repeat with the right Le.")
    var follow = false
  }

  @OptionGroup(title: "Tag") var card: Card

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  func validate() throws {
    guard !hex.isEmpty || card.aid != nil else {
      throw ValidationError("Give an APDU in hexadecimal, such as 00A4040007D276000085010100.")
    }
  }

  func series() throws(BenchError) -> RawSeries {
    var commands: [RawCommand] = []
    if let aid = card.aid {
      let name = try RawArguments.bytes(aid)
      guard 5...16 ~= name.count else {
        throw BenchError(
          .badInput,
          "An application identifier has 5 to 16 bytes; \(name.count) were given. Nothing was sent."
        )
      }
      commands.append(.apdu(CommandAPDU(0x00, 0xA4, 0x04, 0x00, data: name, expectedLength: 0x100)))
    }
    for bytes in try RawArguments.commands(hex, shortest: 4) where !bytes.isEmpty {
      commands.append(.apdu(try RawArguments.apdu(bytes)))
    }
    return RawSeries(commands, following: card.follow)
  }
}
