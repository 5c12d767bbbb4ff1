import Bytes
import Testing

@testable import NDEF

/// The error that `make` throws, as a sentence; empty when it throws none.
func refusal(_ make: () throws -> some Any) -> String {
  do { _ = try make() } catch { return "\(error)" }
  return ""
}

@Suite("Text records, Text RTD 1.0, 3.2")
struct TextRecordTests {
  @Test("reads UTF-16 by its byte-order mark, high byte first without one")
  func byteOrder() throws {
    for payload in ["82656E 0068 0069", "82656E FEFF 0068 0069", "82656E FFFE 6800 6900"] {
      let record = try Record(.wellKnown, type: "T".utf8, payload: Hex.bytes(payload))
      let text = try TextRecord(parsing: record)
      #expect(text.text == "hi")
      #expect(text.language == "en")
      #expect(try text.record.payload == Hex.bytes("82656E 0068 0069"))
    }
  }

  @Test(
    "writes UTF-16 so that it reads back",
    arguments: ["", "hi", "\u{1F642}", "\u{FEFF}x", "\u{FFFE}x"])
  func utf16(_ text: String) throws {
    let record = try TextRecord(text, language: "en", encoding: .utf16).record
    #expect(try Array(TextRecord(parsing: record).text.utf16) == Array(text.utf16))
  }

  @Test("reads a record without a language, and does not write one")
  func noLanguage() throws {
    let record = try Record(.wellKnown, type: "T".utf8, payload: [0, 0x68, 0x69])
    let text = try TextRecord(parsing: record)
    #expect((text.text, text.language) == ("hi", ""))
    #expect(record.content.summary == "text “hi”, language not named")
    #expect(text.record == record)
    #expect(refusal { try TextRecord("hi", language: "") }.hasPrefix("a language code is"))
  }

  @Test("takes language codes of 63 bytes and refuses 64 and other characters")
  func languages() throws {
    let most = String(repeating: "x", count: 63)
    #expect(try TextRecord("", language: most).record.payload.first == 63)
    #expect(refusal { try TextRecord("", language: most + "x") } != "")
    #expect(
      refusal { try TextRecord("", language: "d\u{E9}") }
        == "a language code is 1 to 63 letters, digits and hyphens, not “d\u{E9}”")
  }
}

@Suite("Media, external, Android and absolute URI records")
struct TypedRecordTests {
  @Test("compares media types without case and parameters")
  func essence() throws {
    #expect(try MIMERecord(type: "Text/Plain; charset=utf-8", payload: []).essence == "text/plain")
    #expect(try MIMERecord(type: "image/svg+xml ;a=b", payload: []).essence == "image/svg+xml")
  }

  @Test(
    "refuses what is no media type",
    arguments: ["", "text", "/", "a/", "/a", "a/b/c", "a b/c", "a/b c", "a/\u{E9}", "a/b\n"])
  func mediaTypes(_ type: String) {
    #expect(
      refusal { try MIMERecord(type: type, payload: []) }.hasSuffix(
        "is not a media type (type/subtype)"))
  }

  @Test("writes external types in lower case and reads them in any")
  func externalCase() throws {
    let written = try ExternalRecord(domain: "Example.COM", name: "My:Type", payload: [1])
    #expect(written.record.typeName == "example.com:my:type")
    let read = try ExternalRecord(
      parsing: Record(.external, type: "EXAMPLE.com:MY:type".utf8, payload: [1]))
    #expect(read == written)
    let application = try Record(.external, type: "Android.com:PKG".utf8, payload: "a.b".utf8)
    #expect(try application.content == .androidApplication(AndroidApplicationRecord("a.b")))
  }

  @Test(
    "refuses what is no external type",
    arguments: [
      ("", "a"), ("a..b", "a"), ("a b", "a"), ("a:b", "a"), ("a.b", ""), ("a.b", "c d"),
      ("a.b", "\u{E9}"),
    ])
  func externalTypes(_ domain: String, _ name: String) {
    #expect(
      refusal { try ExternalRecord(domain: domain, name: name, payload: []) }
        == "“\(domain):\(name)” is not an external type (domain:name)")
  }

  @Test(
    "refuses what is no package name",
    arguments: ["", "app", "com.", ".com", "com.1a", "com.a-b", "com._a", "com.\u{E9}"])
  func packageNames(_ name: String) {
    #expect(
      refusal { try AndroidApplicationRecord(name) } == "“\(name)” is not an Android package name")
  }

  @Test("asks absolute URIs that are written for a scheme, not those that are read")
  func absoluteURI() throws {
    #expect(
      refusal { try AbsoluteURIRecord("example.com/a") }
        == "an absolute URI begins with a scheme and a colon")
    #expect(refusal { try AbsoluteURIRecord("1a:b") } != "")
    #expect(refusal { try AbsoluteURIRecord("") } != "")
    #expect(
      refusal { try AbsoluteURIRecord("https://a/ b") }
        == "a record type is printable US-ASCII, not 20h")
    #expect(
      refusal { try AbsoluteURIRecord("a:" + String(repeating: "b", count: 254)) }
        == "the type has 256 bytes, 255 is the most")
    let read = try AbsoluteURIRecord(
      parsing: Record(.absoluteURI, type: "windows.com/LaunchApp".utf8))
    #expect(read.uri == "windows.com/LaunchApp")
  }

  @Test("every typed record refuses records of another type and IDs of 256 bytes")
  func otherTypes() throws {
    let other = try Record(.wellKnown, type: "Hs".utf8)
    let id = [UInt8](repeating: 1, count: 256)
    let readings: [(String, () throws -> Any)] = [
      ("a URI record", { try URIRecord(parsing: other) }),
      ("a Text record", { try TextRecord(parsing: other) }),
      ("a Smart Poster", { try SmartPosterRecord(parsing: other) }),
      ("a media record", { try MIMERecord(parsing: other) }),
      ("an external record", { try ExternalRecord(parsing: other) }),
      ("an Android application record", { try AndroidApplicationRecord(parsing: other) }),
      ("an absolute URI record", { try AbsoluteURIRecord(parsing: other) }),
      ("a vCard", { try VCard(parsing: other) }),
      ("a Wi-Fi credential", { try WiFiCredential(parsing: other) }),
    ]
    for (name, read) in readings {
      #expect(refusal(read) == "byte 0 of the record type: the record is not \(name)")
    }
    let writings: [() throws -> Any] = [
      { try URIRecord("a:b", id: id) }, { try TextRecord("", language: "en", id: id) },
      { try SmartPosterRecord(uri: URIRecord("a:b"), id: id) },
      { try MIMERecord(type: "a/b", payload: [], id: id) },
      { try ExternalRecord(domain: "a", name: "b", payload: [], id: id) },
      { try AndroidApplicationRecord("a.b", id: id) }, { try AbsoluteURIRecord("a:b", id: id) },
      { try VCard("BEGIN:VCARD\nEND:VCARD".utf8, id: id) },
      { try WiFiCredential(ssid: "a", passphrase: nil, id: id) },
    ]
    for write in writings { #expect(refusal(write) == "the ID has 256 bytes, 255 is the most") }
  }
}

@Suite("Smart Posters, Smart Poster RTD 1.0, 3")
struct SmartPosterTests {
  @Test("writes every part and reads it back")
  func allParts() throws {
    let poster = try SmartPosterRecord(
      uri: URIRecord("https://a.b", id: [1]),
      titles: [
        TextRecord("Hi", language: "en"), TextRecord("Hallo", language: "de", encoding: .utf16),
      ],
      action: .edit, size: 0x0102_0304, mediaType: "text/html",
      icons: [
        MIMERecord(type: "image/png", payload: [1, 2]), MIMERecord(type: "Video/mp4", payload: []),
      ],
      id: [2])
    #expect(try SmartPosterRecord(parsing: poster.record) == poster)
  }

  @Test("passes over records that it does not know and keeps them")
  func others() throws {
    let inner = try SmartPosterRecord(uri: URIRecord("https://c.d")).record
    let unknown = try Record(.media, type: "text/plain".utf8, payload: [1])
    let message = try Message(URIRecord("https://a.b").record, inner, unknown)
    let record = try Record(.wellKnown, type: "Sp".utf8, payload: message.serialize())
    let poster = try SmartPosterRecord(parsing: record)
    #expect(poster.others == [inner, unknown])
    #expect(poster.record == record)
  }

  @Test("does not descend into posters inside posters")
  func nesting() throws {
    var record = try SmartPosterRecord(uri: URIRecord("https://a.b")).record
    for _ in 0..<1000 {
      let message = try Message(URIRecord("https://a.b").record, record)
      record = try Record(.wellKnown, type: "Sp".utf8, payload: message.serialize())
    }
    let poster = try SmartPosterRecord(parsing: record)
    #expect(poster.others.count == 1)
    #expect(record.content.summary == "Smart Poster https://a.b")
  }

  @Test("reports the place of a fault behind a chunked record inside")
  func offsetBehindChunks() throws {
    let payload = try Hex.bytes("B1 01 02 55 0461 16 00 02 2E62 51 03 01 616374 09")
    let record = try Record(.wellKnown, type: "Sp".utf8, payload: payload)
    let cause = NDEFError(.reservedAction(9), in: .payload)
    #expect(throws: NDEFError(.nested(position: 2, cause), in: .payload, at: 11)) {
      try SmartPosterRecord(parsing: record)
    }
  }

  @Test("refuses two titles in one language, other icons and other media types")
  func refusals() throws {
    let uri = try URIRecord("https://a.b")
    let titles = try [TextRecord("a", language: "en"), TextRecord("b", language: "EN")]
    let icon = try MIMERecord(type: "text/plain", payload: [])
    #expect(
      refusal { try SmartPosterRecord(uri: uri, titles: titles) }
        == "a Smart Poster holds one title per language, “EN” stands twice")
    #expect(
      refusal { try SmartPosterRecord(uri: uri, icons: [icon]) }
        == "an icon is an image or a video, not “text/plain”")
    #expect(
      refusal { try SmartPosterRecord(uri: uri, mediaType: "html") }
        == "“html” is not a media type (type/subtype)")
  }
}
