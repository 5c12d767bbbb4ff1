import SeededNumbers
import Testing
import WebAddress

@testable import UniversalLinks

@Suite("Writing site associations")
struct SiteAssociationWriterTests {
  private static let app = "Q7K2M9P4ZX.com.example.app"

  @Test("writes exclusions first, encodes, and leaves out what is covered")
  func text() throws {
    let writer = SiteAssociationWriter(
      appIDs: [Self.app, Self.app + "2", Self.app],
      paths: ["/t/*", "/café", "/t/1", "/id/????"], exclusions: ["/t/private/*"],
      appClips: [Self.app + ".Clip"])
    #expect(
      try writer.text() == """
        {
          "applinks": {
            "details": [
              {
                "appIDs": [ "Q7K2M9P4ZX.com.example.app", "Q7K2M9P4ZX.com.example.app2" ],
                "components": [
                  {
                    "/": "/t/private/*",
                    "exclude": true
                  },
                  {
                    "/": "/t/*"
                  },
                  {
                    "/": "/caf%C3%A9"
                  },
                  {
                    "/": "/id/????"
                  }
                ]
              }
            ]
          },
          "appclips": {
            "apps": [ "Q7K2M9P4ZX.com.example.app.Clip" ]
          }
        }

        """)
  }

  @Test("without paths every path opens the app")
  func allPaths() throws {
    let text = try SiteAssociationWriter(appIDs: [Self.app], exclusions: ["/login"]).text()
    let matcher = Matcher(try SiteAssociation(parsing: text.utf8))
    let outcome = { (url: String) in
      matcher.verdict(try Address(parsing: url), for: Self.app).outcome
    }
    #expect(try outcome("https://example.com/any") == .matched)
    #expect(try outcome("https://example.com/login") == .excluded)
  }

  @Test("App Clips may stand alone")
  func clipsAlone() throws {
    let text = try SiteAssociationWriter(appIDs: [], appClips: [Self.app + ".Clip"]).text()
    #expect(try SiteAssociation(parsing: text.utf8).appClips == [Self.app + ".Clip"])
  }

  @Test(
    "refuses what would be wrong",
    arguments: [
      (["com.example.app"], ["/a"], [], [.appIDWithoutPrefix]),
      ([Self.app], ["/a/b"], ["/a/*"], [.maskedComponent]),
      ([Self.app], ["/a#b"], [], [.hashInPath]), ([Self.app], ["/a?b=1"], [], [.queryInPath]),
      ([Self.app], ["/$(nope)"], [], [.undefinedVariable]),
      ([Self.app], ["https://example.com/a"], [], [.urlInPath]),
    ] as [([String], [String], [String], [Finding.Code])])
  func refusals(apps: [String], paths: [String], exclusions: [String], codes: [Finding.Code]) {
    let writer = SiteAssociationWriter(appIDs: apps, paths: paths, exclusions: exclusions)
    do throws(UniversalLinksError) {
      Issue.record("was written: \(try writer.text())")
    } catch {
      guard case .cannotWrite(.findings(let findings)) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(findings.map(\.code) == codes)
    }
  }

  @Test("refuses a file for nobody")
  func nobody() {
    #expect(throws: UniversalLinksError.cannotWrite(.noApp)) {
      try SiteAssociationWriter(appIDs: []).text()
    }
  }

  @Test("a written file has no findings and matches what it is for, in 1000 random cases")
  func property() throws {
    var random = SeededGenerator(seed: 9)
    var written = 0
    func patterns() -> [String] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        "/" + random.text(of: ["a", "b", "/", "*", "?", "é", " ", "$(digit)"], upTo: 4)
      }
    }
    for _ in 0..<1_000 {
      let writer = SiteAssociationWriter(
        appIDs: [Self.app], paths: patterns(), exclusions: patterns())
      guard let text = try? writer.text() else { continue }
      written += 1
      #expect(try text == writer.text())
      #expect(Lint.findings(parsing: text.utf8) == [])
      let matcher = Matcher(try SiteAssociation(parsing: text.utf8))
      for _ in 0..<10 {
        let path = random.text(of: ["a", "b", "/", "é", " ", "1"], upTo: 4)
        guard let link = try? Address(parsing: "https://example.com/\(path)") else { continue }
        let matches = { (pattern: String) in
          try Pattern(pattern, isPath: true).matchesPath(PercentEncoding.decode(link.path))
        }
        // One character of a pattern takes one of the three of an escape.
        let picksCharacters = (writer.paths + writer.exclusions).joined().contains {
          "?$".contains($0)
        }
        if picksCharacters, link.path.contains("%") { continue }
        let isExcluded = try writer.exclusions.contains(where: matches)
        let isIncluded = try writer.paths.isEmpty || writer.paths.contains(where: matches)
        let outcome = matcher.verdict(link, for: Self.app).outcome
        #expect(
          outcome == (isExcluded ? .excluded : isIncluded ? .matched : .unmatched),
          "\(text) \(link)")
      }
    }
    #expect(written > 300)
  }
}
