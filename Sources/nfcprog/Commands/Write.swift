import ArgumentParser
import NDEF
import RecordText
import TagProgramming

struct Write: TagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write a message of records, in the order of the options.",
    discussion: """
      Bytes stand in place (TYPE=text) or in a file (TYPE=@FILE). A blank tag is formatted on the way.
      """)

  @Option(help: ArgumentHelp("A URI record.", valueName: "uri"))
  var uri: [String] = []

  @Option(help: ArgumentHelp("A text record.", valueName: "text"))
  var text: [String] = []

  @Option(
    help: ArgumentHelp(
      "The language of the texts and titles that follow; en without it.", valueName: "code"))
  var lang: [String] = []

  @Option(help: ArgumentHelp("A media record.", valueName: "type=@file"))
  var mime: [String] = []

  @Option(help: ArgumentHelp("An external record.", valueName: "domain:type=@file"))
  var external: [String] = []

  @Option(help: ArgumentHelp("An Android application record.", valueName: "package"))
  var androidApp: [String] = []

  @Option(
    help: ArgumentHelp(
      "A Smart Poster; behind the URL ,title=TEXT ,title:LANG=TEXT ,action=open|save|edit ,size=N ,type=MIME ,icon=TYPE=@FILE.",
      valueName: "url,…"))
  var smartPoster: [String] = []

  @Option(
    help: ArgumentHelp("A Wi-Fi network: SSID[,password=TEXT].", valueName: "ssid,…"))
  var wifi: [String] = []

  @Option(help: ArgumentHelp("A contact.", valueName: "@file"))
  var vcard: [String] = []

  @Option(help: ArgumentHelp("The records of an NDEF message in a file.", valueName: "file"))
  var ndef: [String] = []

  @Flag(help: "Write even where the tag holds data that is neither blank nor NDEF; they are lost.")
  var overwrite = false

  @OptionGroup var seal: SealOptions

  @OptionGroup var options: TagOptions

  private var values: [RecordOption: [String]] {
    [
      .uri: uri, .text: text, .lang: lang, .mime: mime, .external: external,
      .androidApp: androidApp, .smartPoster: smartPoster, .wifi: wifi, .vcard: vcard, .ndef: ndef,
    ]
  }

  func validate() throws {
    guard values.contains(where: { $0.key != .lang && !$0.value.isEmpty }) else {
      throw ValidationError("Give at least one record, such as --uri https://example.com/.")
    }
  }

  func job() throws(CommandFailure) -> Job {
    let order = RecordOrder.names(of: RecordOption.names, in: Preferences.current.arguments)
    return .write(
      try MessageArguments.message(order: order, values: values),
      try seal.writeOptions(overwrite: overwrite))
  }
}
