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
    let failure = #expect(throws: CommandFailure.self) { try contents([option], [option: [value]]) }
    #expect(failure?.status == .badInput)
  }

  @Test("a Wi-Fi password that is refused is not repeated")
  func wifiPassword() {
    let failure = #expect(throws: CommandFailure.self) {
      try contents([.wifi], [.wifi: ["bench,password=sesame"]])
    }
    #expect(failure?.message.contains("sesame") == false)
  }
}
