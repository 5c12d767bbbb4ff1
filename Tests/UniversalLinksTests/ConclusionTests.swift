import Testing

@testable import UniversalLinks

@Suite("The verdict follows from the findings")
struct ConclusionTests {
  @Test("no answer is a yes with an error or a doubt beside it", arguments: Finding.Code.allCases)
  func codes(_ code: Finding.Code) {
    let finding = Finding(code, .tag, "It is so.")
    let conclusion = Conclusion(.yes, [finding])
    let expected: Conclusion.Answer =
      code.severity == .error ? .no : code.isDoubt ? .notKnown : .yes
    #expect(conclusion.answer == expected)
    #expect(Conclusion(.yes, [finding.beside]).isYes)
    #expect(finding.beside.severity != .error)
    for claim in [Conclusion.Answer.no, .notKnown] {
      #expect(!Conclusion(claim, [finding]).isYes)
    }
  }

  private static let file = """
    {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [{"/": "/t/*"}]}]}}
    """

  @Test(
    "a link check says no more than its findings, whichever is added",
    arguments: Finding.Code.allCases)
  func link(_ code: Finding.Code) {
    var check = LinkCheck(
      url: "https://example.com/t/1",
      association: .init(parsing: Self.file.utf8, host: "example.com"))
    #expect(check.wakesApp)
    check.add([Finding(code, .url, "It is so.")])
    let errors = check.findings.filter { $0.severity == .error }
    #expect(check.wakesApp == (errors.isEmpty && !code.isDoubt))
    #expect(check.wakesApp == (check.opens == .app))
    #expect(check.wakesApp == (check.refusal == nil))
  }

  @Test(
    "a pattern that begins with a wildcard and a slash leaves it open where the slash decides",
    arguments: [
      ("https://example.com/terms/x", false), ("https://example.com/a/terms/x", nil),
      ("https://example.com/other", true),
    ] as [(String, Bool?)])
  func undocumented(_ url: String, _ wakes: Bool?) {
    let file = """
      {"applinks": {"details": [{"appIDs": ["9RZPVFH532.org.example.app"],
        "components": [{"/": "*/terms/*", "exclude": true}, {"/": "*"}]}]}}
      """
    let check = LinkCheck(url: url, association: .init(parsing: file.utf8, host: "example.com"))
    #expect(check.wakesApp == (wakes ?? false))
    #expect(check.conclusion.answer == (wakes == true ? .yes : wakes == nil ? .no : .notKnown))
  }

  @Test("http links are not certain unless somebody lets them count")
  func http() {
    var file = LinkCheck.Association(parsing: Self.file.utf8, host: "example.com")
    #expect(
      LinkCheck(url: "http://example.com/t/1", association: file).conclusion.answer == .notKnown)
    file.countsHTTP = true
    #expect(LinkCheck(url: "http://example.com/t/1", association: file).wakesApp)
  }

  @Test("the best known rule is repaired and not moved")
  func masking() throws {
    let file = """
      {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [
        {"?": {"no_universal_links": "*"}, "exclude": true}, {"/": "/t/*"}]}]}}
      """
    let found = try #require(
      Lint.findings(parsing: file.utf8).first { $0.code == .maskedComponent })
    #expect(found.message.contains("?*") && !found.message.contains("in front"))
    let repaired = file.replacing("\"*\"", with: "\"?*\"")
    #expect(Lint.findings(parsing: repaired.utf8).isEmpty)
  }

  @Test(
    "a file without applinks is no error where it is for passkeys or App Clips",
    arguments: [
      (#"{"webcredentials": {"apps": ["Q7K2M9P4ZX.com.example.app"]}}"#, true),
      (#"{"appclips": {"apps": ["Q7K2M9P4ZX.com.example.app.Clip"]}}"#, true), ("{}", false),
    ])
  func withoutLinks(_ file: String, _ isValid: Bool) {
    let findings = Lint.findings(parsing: file.utf8)
    #expect(Lint.isValid(findings) == isValid)
    #expect(findings.map(\.code) == [.noAppLinks])
    let check = LinkCheck(
      url: "https://example.com/t/1", association: .init(parsing: file.utf8, host: "example.com"))
    #expect(!check.wakesApp)
  }
}
