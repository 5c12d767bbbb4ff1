import Testing

@testable import UniversalLinks

@Suite("Answers that hang on what Apple does not document")
struct UndocumentedTests {
  private static func check(_ url: String, _ components: String) -> LinkCheck {
    LinkCheck(
      url: url,
      association: .init(
        parsing: """
          {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [\(components)]}]}}
          """.utf8, host: "example.com"))
  }

  private static let rules = #"{"/": "/t/private/*", "exclude": true}, {"/": "/t/*"}"#

  @Test(
    "a path that may be read in two ways is certain where both do the same",
    arguments: [
      ("/t//private/1", "unknown"), ("/t/x/../private/1", "unknown"), ("/t/../other", "unknown"),
      ("/t/./1", "app"), ("/t/x/../1", "app"), ("/t//1", "app"), ("//t/1", "unknown"),
      ("//u/1", "browser"), ("/t/private//1", "browser"), ("/u/%2e%2e/t/1", "unknown"),
      ("/t/1", "app"), ("/t/1//", "app"),
    ])
  func paths(_ path: String, _ opens: String) {
    let check = Self.check("https://example.com" + path, Self.rules)
    #expect(check.opens.rawValue == opens)
    #expect(check.wakesApp == (opens == "app"))
    #expect((opens == "unknown") == check.findings.contains { $0.code == .restsOnUndocumented })
  }

  @Test(
    "so is a file that may be",
    arguments: [
      (#"{"/": "/t/*", "/": "/u/*"}"#, "unknown"), (#"{"/": "/t/*", "/": "/t/?"}"#, "app"),
      (#"{"/": "/t/*", "exclude": 1}"#, "unknown"), (#"{"/": "/t/*", "exclude": 0}"#, "app"),
      (#"{"/": "/t/*", "exclude": "true"}"#, "unknown"),
      (#"{"/": "/t/*", "exclude": "false"}"#, "app"),
      (#"{"/": "/u/*", "exclude": "true"}, {"/": "/t/*"}"#, "app"),
      (#"{"/": "/T/*", "caseSensitive": "false"}"#, "unknown"),
      (#"{"/": "/T/*", "caseSensitive": 0}"#, "unknown"),
    ])
  func files(_ components: String, _ opens: String) {
    #expect(Self.check("https://example.com/t/1", components).opens.rawValue == opens)
  }

  @Test(
    "an entitlement for phones of developers alone is no yes", arguments: ["developer", "managed"])
  func mode(_ mode: String) {
    let check = LinkCheck(
      url: "https://example.com/t/1",
      association: .init(
        parsing: """
          {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [{"/": "*"}]}]}}
          """.utf8, host: "example.com"),
      entitlement: ["applinks:example.com?mode=\(mode)"])
    #expect(check.opens == .unknown && !check.wakesApp)
    #expect(check.findings.map(\.code) == [.entitlementMode])
  }

  @Test("an App Clip alone is no yes, and no error speaks of the browser beside it")
  func clip() {
    let check = LinkCheck(
      url: "https://example.com/t/1",
      association: .init(
        parsing: #"{"appclips": {"apps": ["Q7K2M9P4ZX.com.example.app.Clip"]}}"#.utf8,
        host: "example.com"))
    #expect(check.opens == .appClip && !check.wakesApp)
    #expect(!check.findings.contains { $0.severity == .error && $0.code != .noAppLinks })
    #expect(!check.findings.contains { $0.message.contains("opens in the browser") })
  }

  @Test("a file that nobody is known to serve makes no certain answer, a no neither")
  func unplaced() {
    var file = LinkCheck.Association(
      parsing: """
        {"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [{"/": "/t/*"}]}]}}
        """.utf8)
    file.isPlaced = false
    for path in ["/t/1", "/u"] {
      #expect(LinkCheck(url: "https://example.com" + path, association: file).opens == .unknown)
    }
  }
}
