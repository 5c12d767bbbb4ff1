import NDEF
import TagMemory
import Testing

@testable import JobLists

@Suite("A template")
struct TemplateTests {
  private let fields = TagFields(
    uid: UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]), number: 42,
    secondsSince1970: 1_795_289_999)

  private func template(_ records: (String, String)...) -> MessageTemplate {
    MessageTemplate(records: records.map { .init(option: $0.0, text: $0.1) })
  }

  /// The text of the record that `option` and `text` make of a row with these columns.
  private func row(_ option: String, _ text: String, _ columns: KeyValuePairs<String, String>)
    throws -> MessageTemplate
  {
    let quoted = columns.map { "\"\($0.value.replacing("\"", with: "\"\""))\"" }
    let list = columns.map(\.key).joined(separator: ",") + "\n" + quoted.joined(separator: ",")
    return try #require(try JobFile(list).table((option, text)).jobs.first).message
  }

  @Test("is filled in for a tag with its UID, the job's number and the day")
  func tagFields() throws {
    let message = try template(
      ("uri", "https://example.com/{uid}/{uid:lower}?n={counter}&m={counter:6}&d={date}"),
      ("text", "{{{counter}}}")
    ).message(for: fields)
    #expect(
      try message
        == Message(
          URIRecord(
            "https://example.com/04A1B2C3D4E5F6/04a1b2c3d4e5f6?n=42&m=000042&d=2026-11-21"
          ).record, TextRecord("{42}", language: "en").record))
  }

  @Test("has check digits right behind the field that they prove")
  func checkDigits() throws {
    let link = "https://example.com/{counter:6}{check:luhn}/{counter}{check:mod97}"
    #expect(
      try template(("uri", link)).message(for: fields) == .url("https://example.com/0000422/4269"))
    let row = try row(
      "uri", "https://id.gs1.org/01/{gtin}{check:gs1}/21/{n}",
      ["gtin": "0950600013435", "n": "a{b"])
    #expect(row.records.first?.text == "https://id.gs1.org/01/09506000134352/21/a%7Bb")
    #expect(try !template(("uri", link)).isUniqueForEachTag())
    for wrong in ["{n}-{check:luhn}", "{check:luhn}{n}", "{n}{check:luhn}-{check:gs1}"] {
      #expect(throws: (any Error).self) {
        try self.row("uri", "https://e.com/\(wrong)", ["n": "1"])
      }
    }
    for wrong in [
      "https://example.com/{check:luhn}", "https://example.com/{uid}{check:gs1}",
      "{uid}-{check:mod97}",
    ] {
      #expect(throws: (any Error).self) { try template(("uri", wrong)).message(for: fields) }
    }
  }

  @Test("gives the record before it an ID that is filled in, too")
  func identifier() throws {
    let message = try template(("uri", "https://example.com/"), ("id", "tag-{counter:3}"))
      .message(for: fields)
    #expect(message.records.map(\.id) == [Array("tag-042".utf8)])
    #expect(template(("id", "a"), ("text", "Hello")).title == "Hello")
  }

  @Test(
    "knows the days of the calendar",
    arguments: [
      (0, "1970-01-01"), (951_782_400, "2000-02-29"), (951_868_800, "2000-03-01"),
      (1_795_305_599, "2026-11-21"), (1_795_305_600, "2026-11-22"), (4_107_542_400, "2100-03-01"),
      (-1, "1969-12-31"), (253_402_300_799, "9999-12-31"),
    ] as [(Int64, String)])
  func days(_ seconds: Int64, day: String) {
    #expect(TagFields(uid: UID([]), number: 1, secondsSince1970: seconds).date == day)
  }

  @Test(
    "percent-encodes a column's value as its place in a URL needs",
    arguments: [
      ("https://example.com/t/{v}", "a/b c?d#e%&+\u{FC}", "/t/a%2Fb%20c%3Fd%23e%25&+%C3%BC"),
      ("https://example.com/?q={v}", "a/b c?d#e%&+=;", "/?q=a/b%20c?d%23e%25%26%2B%3D%3B"),
      ("https://example.com/#{v}", "a&b", "/#a%26b"),
      ("https://example.com/{v:raw}", "a/b?c=d", "/a/b?c=d"),
      ("https://example.com/{v:raw}?{v}", "a/b?c", "/a/b?c?a/b?c"),
      ("{v}", "https://example.com/a/b?c=d&e#f", "/a/b?c=d&e#f"),
      ("{v}/x", "https://example.com", "/x"),
      ("https://{v}/x", "example.com", "/x"),
      ("https://example.com/{{{v}}}", "1", "/%7B1%7D"),
      ("https://example.com/{v}", "{uid}", "/%7Buid%7D"),
    ])
  func encoding(_ template: String, value: String, expected: String) throws {
    let message = try row("uri", template, ["v": value]).message(for: fields)
    #expect(
      message.records[0].content == .uri(try URIRecord("https://example.com" + expected)))
  }

  @Test(
    "leaves alone what stands in a telephone number or an address of mail",
    arguments: [
      ("tel:{v}", "+49 30 123", "tel:+49%2030%20123"),
      ("mailto:{v}?subject={v}", "a@b.example", "mailto:a@b.example?subject=a@b.example"),
    ])
  func opaque(_ template: String, value: String, expected: String) throws {
    #expect(try row("uri", template, ["v": value]).records[0].text == expected)
  }

  @Test("lets no value become a host, a file or another part")
  func injection() throws {
    let host = try row("uri", "https://{v}.example.com/", ["v": "evil.example/"])
    #expect(throws: (any Error).self) { try host.message(for: fields) }
    let mime = try row("mime", "text/plain={v}", ["v": "@/etc/passwd"]).message(for: fields)
    #expect(
      mime.records[0].content
        == .mime(try MIMERecord(type: "text/plain", payload: "@/etc/passwd".utf8)))
    let title = "Hi, {you},action=save,title:de=x"
    let poster = try row(
      "smart-poster", "{u},title={t}",
      [
        "u": "https://example.com/a,title=b", "t": title,
      ]
    ).message(for: fields)
    #expect(
      poster.records[0].content
        == .smartPoster(
          try SmartPosterRecord(
            uri: URIRecord("https://example.com/a,title=b"),
            titles: [TextRecord(title, language: "en")])))
    let card = try row("vcard", "{v}", ["v": "@/etc/passwd"])
    #expect(throws: (any Error).self) { try card.message(for: fields) }
    let wifi = try row("wifi", "{s},password={p}", ["s": "a,password=b", "p": "secret,1=2"])
    #expect(
      try wifi.message(for: fields).records[0]
        == WiFiCredential(ssid: "a,password=b", passphrase: "secret,1=2").record)
  }

  @Test("takes the language of texts from a column, too")
  func language() throws {
    let source = try JobFile("t,l\nHallo,de\nHello,en\n").table(("lang", "{l}"), ("text", "{t}"))
    let messages = try source.jobs.map { try $0.message.message(for: fields) }
    #expect(
      try messages
        == [("Hallo", "de"), ("Hello", "en")].map {
          Message(try TextRecord($0, language: $1).record)
        })
  }

  @Test("reads files that its own text names, with fields in their paths")
  func files() throws {
    let file = try JobFile("logo")
    let text = "image/png=@" + String(file.path.dropLast(4)) + ".{ext}"
    let message = try row("mime", text, ["ext": "csv"]).message(for: fields)
    #expect(
      message.records[0].content
        == .mime(try MIMERecord(type: "image/png", payload: "logo".utf8)))
    #expect(throws: (any Error).self) {
      try row("mime", text, ["ext": "png"]).message(for: fields)
    }
  }

  @Test(
    "with a mistake is refused before the first row",
    arguments: [
      (
        "{cod}",
        "There is no field {cod}. The columns are code, note, uid, password; uid, counter, date, random and hmac are also fields."
      ),
      ("{code", "do not pair"), ("code}", "do not pair"), ("{}", "do not pair"),
      ("{{code}", "do not pair"), ("{a{b}}", "do not pair"), ("{code:upper}", ":raw and :optional"),
      ("{counter:0}", "width"), ("{counter:x}", "width"), ("{uid:upper}", "{uid:lower}"),
      ("{date:us}", "{date} alone"),
      ("{password}", "secret"), ("{U+110000}", "U+"),
    ])
  func mistakes(_ text: String, reason: String) throws {
    let file = try JobFile("code,note,uid,password\n")
    let error = #expect(throws: JobSourceError.self) { try file.table(("text", text)) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(throws: JobSourceError.self) { try file.table(("no-option", "x")) }
    let counter = #expect(throws: JobSourceError.self) {
      try JobFile("counter\n").table(("text", "{counter}"))
    }
    #expect(counter?.message.contains("rename the column of that name") == true)
    let plain = try JobFile("code\n")
    #expect(throws: JobSourceError.self) { try plain.table(("text", "{uid:upper}")) }
  }

  @Test("insists on a value unless the field is optional")
  func empty() throws {
    let file = try JobFile("code,note\nA1,\n")
    #expect(
      try file.table(("text", "{code}{note}")).problems == ["line 2, column note: It is empty."])
    #expect(try file.table(("text", "{Code}{note:optional}")).texts == ["A1"])
  }

  @Test("says how long its message can become")
  func longest() throws {
    let template = template(("uri", "https://example.com/{uid}"))
    #expect(try template.longestLength(uidByteCount: 7) == 5 + 12 + 14)
    #expect(try template.longestLength() == 5 + 12 + 20)
  }
}
