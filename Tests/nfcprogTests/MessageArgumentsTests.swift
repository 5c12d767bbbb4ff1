import Bench
import NDEF
import RecordText
import Testing

@testable import nfcprog

@Suite("Records on the command line")
struct MessageArgumentsTests {
  private func contents(
    _ order: [RecordOption], _ values: [RecordOption: [String]]
  ) throws -> [RecordContent] {
    try MessageArguments.message(order: order.map(\.rawValue), values: values).message.records
      .map(\.content)
  }

  @Test("records stand in the order of the options, texts in the language named before them")
  func order() throws {
    let records = try contents(
      [.text, .uri, .lang, .text, .androidApp],
      [
        .uri: ["https://example.com/"], .text: ["Hello", "Hallo"], .lang: ["de"],
        .androidApp: ["com.example.app"],
      ])
    #expect(
      try records == [
        .text(TextRecord("Hello", language: "en")), .uri(URIRecord("https://example.com/")),
        .text(TextRecord("Hallo", language: "de")),
        .androidApplication(AndroidApplicationRecord("com.example.app")),
      ])
  }

  @Test("a Smart Poster takes titles, action, size and type behind its URL")
  func smartPoster() throws {
    let value = "https://example.com/,title=Hi,title:de=Hallo,action=save,size=12,type=text/html"
    let poster = try SmartPosterRecord(
      uri: URIRecord("https://example.com/"),
      titles: [TextRecord("Hi", language: "en"), TextRecord("Hallo", language: "de")],
      action: .save, size: 12, mediaType: "text/html")
    #expect(try contents([.smartPoster], [.smartPoster: [value]]) == [.smartPoster(poster)])
  }

  @Test("an ID goes to the record before it; an empty one takes it away")
  func identifiers() throws {
    let values: [RecordOption: [String]] = [
      .uri: ["https://example.com/"], .text: ["Hello", "Hallo"],
      .id: ["url", "x", "", "caf\u{E9}"],
    ]
    let message = try MessageArguments.message(
      order: [.uri, .id, .text, .id, .id, .text, .id].map(\RecordOption.rawValue), values: values
    ).message
    #expect(message.records.map(\.id) == [Array("url".utf8), nil, Array("caf\u{E9}".utf8)])
    #expect(message.records.map { RecordJSON($0).id } == ["75726c", "", "636166c3a9"])
    // The flag byte says that there is an ID length (NFC Forum NDEF 1.0, 3.2.4).
    #expect(message.serialize().starts(with: [0x99, 1, 13, 3] + Array("Uurl".utf8)))
    #expect(
      message.records.map(\.summary) == [
        "URI https://example.com/, ID \u{201C}url\u{201D}", "text \u{201C}Hello\u{201D}, en",
        "text \u{201C}Hallo\u{201D}, en, ID \u{201C}caf\u{E9}\u{201D}",
      ])
  }

  @Test("an ID without a record before it, or longer than 255 bytes, is bad input")
  func badIdentifiers() {
    for (order, id) in [
      ([RecordOption.id, .text], "a"), ([.text, .id], String(repeating: "a", count: 256)),
    ] {
      let failure = #expect(throws: BenchError.self) {
        try contents(order, [.text: ["Hello"], .id: [id]])
      }
      #expect(failure?.status == .badInput && failure?.message.contains("--id") == true)
    }
  }

  @Test("bytes stand in place behind the type")
  func inPlace() throws {
    let records = try contents(
      [.mime, .external], [.mime: ["text/plain=a=b"], .external: ["example.com:x=1"]])
    #expect(
      try records == [
        .mime(MIMERecord(type: "text/plain", payload: Array("a=b".utf8))),
        .external(ExternalRecord(domain: "example.com", name: "x", payload: Array("1".utf8))),
      ])
  }

  @Test(
    "what makes no record is bad input",
    arguments: [
      (RecordOption.uri, "example.com"), (.mime, "text/plain"), (.mime, "text=ok"),
      (.external, "example.com=1"), (.androidApp, "app"),
      (.smartPoster, "https://a.b/,action=jump"),
      (.smartPoster, "https://a.b/,title=A,title=B"), (.wifi, "bench,password=short"),
      (.vcard, "no card"),
    ])
  func badInput(_ option: RecordOption, _ value: String) {
    let failure = #expect(throws: BenchError.self) { try contents([option], [option: [value]]) }
    #expect(failure?.status == .badInput)
  }

  @Test("a Wi-Fi password that is refused is not repeated")
  func wifiPassword() {
    let failure = #expect(throws: BenchError.self) {
      try contents([.wifi], [.wifi: ["bench,password=sesame"]])
    }
    #expect(failure?.message.contains("sesame") == false)
  }
}
