import ArgumentParser
import RecordText

/// The options that make records; their order on the command line is the order of the records.
struct RecordOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A URI record.", valueName: "uri"))
  var uri: [String] = []

  @Option(help: ArgumentHelp("A text record.", valueName: "text"))
  var text: [String] = []

  @Option(
    help: ArgumentHelp(
      "The language of the texts and titles that follow (default: en).", valueName: "code"))
  var lang: [String] = []

  @Option(
    help: ArgumentHelp(
      "The ID of the record before it; other records can refer to it.", valueName: "text"))
  var id: [String] = []

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

  var values: [RecordOption: [String]] {
    [
      .uri: uri, .text: text, .lang: lang, .id: id, .mime: mime,
      .external: external, .androidApp: androidApp, .smartPoster: smartPoster, .wifi: wifi,
      .vcard: vcard, .ndef: ndef,
    ]
  }

  /// Is true if there is a record to make.
  var isGiven: Bool { values.contains { $0.key.makesRecord && !$0.value.isEmpty } }
}
