import ArgumentParser
import Bench
import TagProgramming

struct FormatType4: TagCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "format-type4",
    abstract: "Make a blank DESFire an NDEF tag (Type 4).",
    discussion: """
        nfcprog format-type4 --url https://example.com/t/1

      For a DESFire EV1, EV2 or EV3. Creates the NDEF application with its two files; applications that are on the card stay. --key or --key-file gives \
      the card's master key where it is not the delivered one: 16 hexadecimal digits for DES, 32 for AES or triple DES, 48 for \
      triple DES with three keys. After an interruption, run the same command again to finish.
      """)

  /// What a formatted card gets beside its message.
  struct Card: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "File with the application's own key, 32 hexadecimal digits (AES); ask and env:NAME work, too. Without it the key stays all zeros, and anyone with a reader can change what the application allows.",
        valueName: "file"))
    var newKey: String?

    @Flag(help: "Make the message read-only after it is verified.")
    var lock = false
  }

  @OptionGroup(title: "Tag") var card: Card

  @OptionGroup(title: "Message") var content: FirstMessageOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var files: FileOptions

  var loss: Loss? { card.lock ? .writeAccess : nil }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    var format = Type4Format()
    if let newKey = card.newKey {
      let source = SecretSource(newKey) == nil ? "file:\(newKey)" : newKey
      format.newKey = try SecretInput(option: "--new-key", isNew: true)
        .value(source, Secret.applicationKey)
    }
    let first = try content.message()
    format.message = first.message
    format.lock = card.lock
    return Preparation(.formatType4(format), first.remarks)
  }
}
