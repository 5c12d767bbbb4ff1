import JSON
import Testing
import WebAddress

@testable import UniversalLinks

@Suite("Lint of site associations and links")
struct LintTests {
  @Test(
    "finds in each file what it should, where it is",
    arguments: try VectorCase.load("lint", columns: 3))
  func file(_ vector: VectorCase) {
    let findings = Lint.findings(parsing: siteAssociation(vector.cells[1]).utf8)
    let found = findings.map { finding in
      guard case .json(let path, _) = finding.place else { return finding.code.rawValue }
      return "\(finding.code.rawValue) \(path)"
    }
    #expect(found == vector.list(2, separator: "; "))
  }

  @Test("finds in each link what it should", arguments: try VectorCase.load("links", columns: 4))
  func link(_ vector: VectorCase) throws {
    guard let link = try? Address(parsing: vector.cells[1]) else {
      #expect(vector.cells[2] == "error")
      let findings = BackgroundReading(uri: vector.cells[1]).findings
      #expect(findings.map(\.code.rawValue) == vector.list(3))
      return
    }
    #expect("\(link)" == vector.cells[2])
    #expect(Lint.findings(link).map(\.code.rawValue) == vector.list(3))
    let again = try Address(parsing: "\(link)")
    #expect("\(again)" == "\(link)", "a URL as the device sees it stays as it is")
  }

  @Test("every code is found by some vector, or by a test of its own")
  func codes() throws {
    let vectors =
      try VectorCase.load("lint", columns: 3).flatMap { $0.list(2) }
      + VectorCase.load("links", columns: 4).flatMap { $0.list(3) }
      + VectorCase.load("readings", columns: 6).flatMap { $0.list(5) }
      + VectorCase.load("checks", columns: 8).flatMap { $0.list(7) }
    let others: [Finding.Code] = [
      .fileTooLarge, .notUTF8, .tooDeep, .byteOrderMark, .maskingNotChecked, .urlTooLong,
      .otherHost, .unusableAssociation, .notEntitled, .entitlementMalformed, .malformedMessage,
      .unplacedAssociation, .assumedAssociation, .entitlementMode, .foreignData, .linkRedirects,
      .siteTrusted, .patternTooLarge, .restsOnUndocumented, .unreadableTag,
      .linkVaries,
    ]
    // What servers answer is found by the tests of SiteFetching.
    let fetching: [Finding.Code] = [.contentType, .onlyAtRoot, .placesDiffer]
    // What Android does with a link is found by the tests of AppLinks.
    let android: [Finding.Code] = [
      .androidAppNotListed, .otherAndroidApp, .notAnAppLink, .linkNotInManifest,
    ]
    let androidParts = [
      "assetlinks-", "package-name-", "fingerprint-", "manifest-", "dynamic-", "android-",
    ]
    let missing = Finding.Code.allCases.filter { code in
      !android.contains(code) && !androidParts.contains(where: code.rawValue.hasPrefix)
        && !fetching.contains(code) && !code.rawValue.hasPrefix("fetch-")
        && !code.rawValue.hasPrefix("cdn-") && !others.contains(code)
        && !vectors.contains { $0 == code.rawValue }
    }
    #expect(missing == [])
  }

  @Test("a pattern that uses long variables too often is found")
  func patternTooLarge() {
    let file = siteAssociation(
      #"components [{"/":"/\#(String(repeating: "$(lang)", count: 800))"}]"#)
    #expect(Lint.findings(parsing: file.utf8).map(\.code) == [.patternTooLarge])
  }

  @Test("a byte-order mark is found, and the file is read")
  func byteOrderMark() {
    let file = [0xEF, 0xBB, 0xBF] + Array(siteAssociation(#"components [{"/":"/a"}]"#).utf8)
    #expect(Lint.findings(parsing: file).map(\.code) == [.byteOrderMark])
  }

  @Test("bytes that are not UTF-8 are found with their line")
  func notUTF8() throws {
    let finding = try #require(Lint.findings(parsing: Array("{\n\"é".utf8) + [0xFF]).first)
    #expect(finding.code == .notUTF8)
    #expect(finding.message.hasPrefix("The file cannot be read at line 2, column 3: "))
    #expect(Lint.findings(parsing: [0xFF, 0xFE, 0x7B, 0x00]).map(\.code) == [.notUTF8])
  }

  @Test("a file is too large from one byte above 128 KiB")
  func tooLarge() {
    let file = siteAssociation(#"components [{"/":"/a"}]"#)
    let space = String(repeating: " ", count: SiteAssociation.byteLimit - file.utf8.count)
    #expect(Lint.findings(parsing: (file + space).utf8).isEmpty)
    #expect(Lint.findings(parsing: (file + space + " ").utf8).map(\.code) == [.fileTooLarge])
    #expect(
      Lint.findings(parsing: (file + space + "]").utf8).map(\.code) == [.fileTooLarge, .notJSON])
  }

  @Test("brackets that are open too deep are found")
  func tooDeep() {
    let limit = JSONDocument.depthLimit
    let file = #"{"x":"# + String(repeating: "[", count: limit)
    #expect(Lint.findings(parsing: file.utf8).map(\.code) == [.tooDeep])
  }

  @Test("too many rules for a comparison of all are said so")
  func maskingNotChecked() throws {
    let rules = (0..<50).map { #"{"/":"/\#($0)"}"# }.joined(separator: ",")
    let file = siteAssociation("components [\(rules)]").utf8
    let association = try SiteAssociation(parsing: file)
    #expect(Lint.masked(in: association) == [])
    #expect(Lint.masked(in: association, costLimit: 5_000).map(\.code) == [.maskingNotChecked])
  }

  @Test("a link beyond 2048 characters is found")
  func urlTooLong() throws {
    let start = "https://example.com/"
    let link = start + String(repeating: "a", count: 2048 - start.count)
    #expect(Lint.findings(try Address(parsing: link)).isEmpty)
    #expect(Lint.findings(try Address(parsing: link + "a")).map(\.code) == [.urlTooLong])
  }

  @Test("a finding about a pattern stands where the pattern does")
  func patternPlaces() {
    let file = """
      { "applinks": { "defaults": { "#": "#top" }, "details": [ {
          "appIDs": [ "Q7K2M9P4ZX.com.example.app" ],
          "components": [
            { "/": "/a",
              "?": { "q":
                "é" } }
          ]
      } ] } }
      """
    #expect(
      Lint.findings(parsing: file.utf8).map { "\($0.code.rawValue) \($0.place)" } == [
        "leading-mark-in-pattern $.applinks.details[0].components[0] (line 4)",
        #"unencoded-pattern $.applinks.details[0].components[0]["?"].q (line 6)"#,
      ])
  }

  @Test("a finding names line, place and remedy")
  func sentence() throws {
    let file = """
      { "applinks": { "details": [ {
          "appIDs": [ "com.example.app" ],
          "components": [ { "/": "/a/*" } ]
      } ] } }
      """
    let finding = try #require(Lint.findings(parsing: file.utf8).first)
    #expect(
      finding.description == """
        error: $.applinks.details[0].appIDs[0] (line 2): "com.example.app" does not begin with an \
        application identifier prefix (usually the team ID), so no app has this ID. An app ID is \
        prefix, dot, bundle ID, such as Q7K2M9P4ZX.com.example.app.
        """)
  }
}
