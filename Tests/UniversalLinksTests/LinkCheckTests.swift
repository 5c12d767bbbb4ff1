import NDEF
import Testing

@testable import UniversalLinks

@Suite("What an iPhone does with a tag")
struct LinkCheckTests {
  @Test(
    "takes the record and opens what each vector says",
    arguments: try VectorCase.load("readings", columns: 6))
  func reading(_ vector: VectorCase) throws {
    let bytes = try #require(hexBytes(vector.cells[1]))
    let message = bytes.isEmpty ? nil : try Message(parsing: bytes)
    let facts = vector.list(2)
    let reading = BackgroundReading(
      message,
      carrier: BackgroundReading.Carrier(
        isForumTag: !facts.contains("classic"), mirrorOverlapsURI: facts.contains("mirror"),
        wasChunked: facts.contains("chunked"), isNDEF: !facts.contains("raw")))
    #expect(reading.recordIndex.map(String.init) ?? "-" == vector.cells[3])
    let handler =
      switch reading.handler {
      case nil: "-"
      case .webLink: "web"
      case .system(let name): name
      }
    #expect(handler == vector.cells[4])
    #expect(reading.findings.map(\.code.rawValue) == vector.list(5))
  }

  @Test("an app that was asked for by its bundle ID alone is told what an app ID is")
  func bundleID() throws {
    let check = LinkCheck(
      url: "https://example.com/t/1",
      association: LinkCheck.Association(parsing: siteAssociation(#"components [{"/":"*"}]"#).utf8),
      appIDs: ["com.example.app"])
    let finding = try #require(check.findings.first { $0.code == .appNotListed })
    #expect(finding.message.contains("application identifier prefix"))
    #expect(check.findings.count { $0.message.contains("application identifier prefix") } == 1)
  }

  @Test("what is no app ID is reported whatever is on the tag, and where no file is checked")
  func noAppID() {
    let readings = [BackgroundReading(nil), BackgroundReading(uri: "tel:+15551234567")]
    for reading in readings + [BackgroundReading(uri: "https://example.com/t/1")] {
      let check = LinkCheck(reading, association: nil, appIDs: ["nonsense"])
      #expect(check.findings.contains { $0.code == .appIDWithoutPrefix }, "\(reading)")
      #expect(check.findings.allSatisfy { $0.place != .appID || $0.message.contains("nonsense") })
    }
  }

  @Test(
    "wakes the apps that each vector says", arguments: try VectorCase.load("checks", columns: 8))
  func check(_ vector: VectorCase) throws {
    let file = vector.cells[1] == "-" ? nil : siteAssociation(vector.cells[1])
    let check = LinkCheck(
      url: vector.cells[3],
      association: file.map { LinkCheck.Association(parsing: $0.utf8, host: "Example.com") },
      appIDs: vector.list(2).map(appIdentifier))
    #expect("\(check.wakesApp)" == vector.cells[4])
    #expect(check.opens.rawValue == vector.cells[5])
    #expect(check.appIDs == vector.list(6).map(appIdentifier))
    #expect(check.findings.map(\.code.rawValue) == vector.list(7))
    #expect(check.wakesApp || !check.findings.isEmpty, "a no needs a reason")
  }

  private static let file = """
    {"applinks": {"details": [
      {"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [
        {"/": "/t/secret", "exclude": true},
        {"/": "/t/*", "?": {"v": "?"}}]}]}}
    """
  private static let app = ["Q7K2M9P4ZX.com.example.app"]

  private func check(
    _ url: String, host: String? = "example.com", entitlement: [String]? = nil
  ) -> LinkCheck {
    LinkCheck(
      url: url, association: LinkCheck.Association(parsing: Self.file.utf8, host: host),
      appIDs: Self.app, entitlement: entitlement)
  }

  @Test("an excluding rule decides, and its place is named")
  func excluded() {
    let excluded = check("https://example.com/t/secret?v=1")
    #expect(excluded.decidedBy?.outcome == .excluded)
    #expect(
      excluded.findings.map { "\($0.place)" } == ["$.applinks.details[0].components[0] (line 3)"])
  }

  @Test("a file is for the host that it is from")
  func otherHost() {
    let check = check("https://www.example.com/t/1?v=2")
    #expect(!check.wakesApp)
    #expect(check.findings.map(\.code) == [.otherHost])
    #expect(self.check("https://www.example.com/t/1?v=2", host: nil).wakesApp)
  }

  @Test(
    "the app's entitlement must have the host",
    arguments: [
      ("example.com", ["applinks:example.com"], []),
      ("example.com", ["applinks:Example.com?mode=developer"], [.entitlementMode]),
      ("example.com", ["applinks:example.com?mode=developer", "applinks:example.com"], []),
      ("example.com", ["webcredentials:example.com"], [Finding.Code.notEntitled]),
      ("www.example.com", ["applinks:example.com"], [.notEntitled]),
      ("www.example.com", ["applinks:*.example.com"], []),
      ("a.b.example.com", ["applinks:*.example.com?mode=managed"], [.entitlementMode]),
      ("example.com", ["applinks:*.example.com"], [.notEntitled]),
      ("badexample.com", ["applinks:*.example.com"], [.notEntitled]),
      ("example.com", ["applinks:https://example.com"], [.entitlementMalformed, .notEntitled]),
      ("example.com", ["applinks:example.com/t"], [.entitlementMalformed, .notEntitled]),
      ("example.com", ["applinks:example.com:443"], [.entitlementMalformed, .notEntitled]),
      ("example.com", ["applinks:example.com?mode=x"], [.entitlementMalformed, .notEntitled]),
      ("example.com", ["example.com", "applinks:example.com"], [.entitlementMalformed]),
      ("example.com", [], [.notEntitled]),
    ] as [(String, [String], [Finding.Code])])
  func entitlement(host: String, lines: [String], codes: [Finding.Code]) {
    // TN3155: by a wildcard the file is the parent's.
    let isWildcard =
      lines.first?.hasPrefix("applinks:*.") == true && host.hasSuffix(".example.com")
    let check = check(
      "https://\(host)/t/1?v=2", host: isWildcard ? "example.com" : host, entitlement: lines)
    #expect(check.findings.map(\.code) == codes)
    #expect(check.wakesApp == Set(codes).isDisjoint(with: [.notEntitled, .entitlementMode]))
  }

  @Test("a file that cannot be had, or is too large, wakes nothing")
  func unusable() {
    let missing = LinkCheck(
      url: "https://example.com/t/1",
      association: LinkCheck.Association(unavailable: "The server redirects (301)."))
    #expect(missing.opens == .browser)
    #expect(missing.findings.map(\.message) == ["The server redirects (301)."])
    let large = Self.file + String(repeating: " ", count: SiteAssociation.byteLimit)
    let check = LinkCheck(
      url: "https://example.com/t/1?v=2", association: LinkCheck.Association(parsing: large.utf8))
    #expect(check.opens == .browser)
    #expect(check.findings.map(\.code) == [.fileTooLarge])
  }

  @Test("a message is read from its bytes, chunks and faults noticed")
  func bytes() throws {
    let uri = Array("\u{4}example.com/".utf8)
    let whole = [0xD1, 0x01, 0x0D, 0x55] + uri
    #expect(BackgroundReading(parsing: whole).handler == .webLink)
    let chunks = [0xB1, 0x01, 0x01, 0x55] + uri.prefix(1) + [0x56, 0x00, 0x0C] + uri.dropFirst()
    #expect(BackgroundReading(parsing: chunks).uri == "https://example.com/")
    #expect(BackgroundReading(parsing: chunks).findings.map(\.code) == [.chunked])
    #expect(
      BackgroundReading(parsing: whole.dropLast()).findings.map(\.code) == [.malformedMessage])
    #expect(BackgroundReading(parsing: whole.dropLast()).handler == nil)
    #expect(BackgroundReading(parsing: []).findings.map(\.code) == [.emptyTag])
  }

  @Test("a URI that cannot be written opens nothing")
  func unwritable() {
    let check = LinkCheck(url: "https://example.com/\n", association: nil)
    #expect(check.opens == .nothing)
    #expect(check.findings.map(\.code) == [.notAURL])
  }

  @Test("the sentence says what opens")
  func sentences() {
    #expect(
      "\(check("https://example.com/t/1?v=2"))"
        == "https://example.com/t/1?v=2 wakes Q7K2M9P4ZX.com.example.app.")
    #expect(
      "\(LinkCheck(BackgroundReading(nil), association: nil))"
        == "The tag wakes no app; an iPhone does nothing with it.")
  }

  private func hexBytes(_ text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test(
    "a damaged message is damaged, not empty, and shows the link that it still has",
    arguments: [
      ("D1010D55046578616D706C652E63", nil),
      ("91010D55046578616D706C652E636F6D2F51010D5504", "https://example.com/"),
      ("91010D55046578616D706C652E636F6D2F50010078", "https://example.com/"),
      ("D1010D55046578616D706C652E636F6D2F00", "https://example.com/"),
      ("FFFFFF", nil),
    ] as [(String, String?)])
  func damaged(_ hex: String, uri: String?) throws {
    let reading = BackgroundReading(parsing: try #require(hexBytes(hex)))
    #expect(reading.findings.first?.code == .malformedMessage)
    #expect(!reading.findings.contains { $0.code == .emptyTag })
    #expect(reading.uri == uri && reading.handler == nil)
  }

  @Test("empty, not formatted, unreadable, damaged and somebody's data have each a code")
  func states() {
    func codes(_ bytes: [UInt8], _ holding: BackgroundReading.Holding = .message)
      -> [Finding.Code]
    {
      var carrier = BackgroundReading.Carrier()
      carrier.holding = holding
      return BackgroundReading(parsing: bytes, carrier: carrier).findings.map(\.code)
    }
    #expect(codes([]) == [.emptyTag])
    #expect(codes([0xD0, 0, 0]) == [.emptyTag])
    #expect(codes([], .unformatted) == [.notNDEF])
    #expect(codes([], .otherData) == [.foreignData])
    #expect(codes([], .unreadable(reason: "a password is needed")) == [.unreadableTag])
    #expect(codes([], .unknown) == [.unreadableTag])
    #expect(codes([0xD1]) == [.malformedMessage])
  }

  @Test("a link that no rule matches cites the rule that was nearest, not the last")
  func nearest() throws {
    let file = siteAssociation(#"components [{"/":"/a"},{"/":"/t/items/*"},{"/":"/zzz"}]"#)
    let check = LinkCheck(
      url: "https://example.com/t/item/1", association: LinkCheck.Association(parsing: file.utf8))
    let finding = try #require(check.findings.first { $0.code == .noAppClaims })
    #expect(finding.message.contains("components[1]") && !finding.message.contains("/zzz"))
  }
}
