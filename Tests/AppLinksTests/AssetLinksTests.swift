import Testing
import UniversalLinks

@testable import AppLinks

/// 32 bytes as an asset links file has them.
let fingerprint = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
  .joined(separator: ":")

func assetLinks(
  package: String = "com.example.app", fingerprint print: String = fingerprint,
  relation: String = AssetLinks.handleAllURLs, more: String = ""
) -> [UInt8] {
  Array(
    """
    [{"relation": ["\(relation)"],
      "target": {"namespace": "android_app", "package_name": "\(package)",
        "sha256_cert_fingerprints": ["\(print)"]}\(more)}]
    """.utf8)
}

@Suite("Digital Asset Links files")
struct AssetLinksTests {
  @Test("a right file has no findings and lets its app open links")
  func right() throws {
    let links = try AssetLinks(parsing: assetLinks())
    #expect(links.findings.isEmpty)
    #expect(links.statements(for: "com.example.app").count == 1)
    #expect(links.statements(for: "com.example.other").isEmpty)
  }

  @Test(
    "what is wrong with a file is named",
    arguments: [
      ("{", ["assetlinks-not-json"]), ("{}", ["assetlinks-not-a-list"]),
      ("[]", ["assetlinks-without-app"]), ("[1]", ["wrong-type", "assetlinks-without-app"]),
      (#"[{"include": "https://example.com/more.json"}]"#, ["assetlinks-include"]),
      (#"[{"relation": "x", "target": {}}]"#, ["assetlinks-statement", "assetlinks-without-app"]),
      (
        String(decoding: assetLinks(fingerprint: fingerprint.lowercased()), as: UTF8.self),
        ["fingerprint-style"]
      ),
      (
        String(decoding: assetLinks(fingerprint: "14:6D"), as: UTF8.self), ["fingerprint-malformed"]
      ),
      (
        String(decoding: assetLinks(package: "com.yourcompany.app"), as: UTF8.self),
        ["package-name-placeholder"]
      ),
      (String(decoding: assetLinks(package: "app"), as: UTF8.self), ["package-name-malformed"]),
      (
        String(decoding: assetLinks(relation: "handle_all_urls"), as: UTF8.self),
        ["assetlinks-relation", "assetlinks-without-app"]
      ),
      (
        String(decoding: assetLinks(more: #", "relations": []"#), as: UTF8.self), ["misspelt-key"]
      ),
    ])
  func wrong(_ text: String, _ codes: [String]) {
    #expect(AssetLinks.findings(parsing: text.utf8).map(\.code.rawValue) == codes)
  }

  @Test("a written file is read without findings")
  func written() throws {
    let app = try AndroidApp(parsing: "com.example.app,\(fingerprint.lowercased())")
    let text = try AssetLinksWriter(apps: [app]).text()
    #expect(AssetLinks.findings(parsing: text.utf8).isEmpty)
    #expect(try AssetLinks(parsing: text.utf8).statements[0].names(oneOf: app.fingerprints))
    #expect(throws: AppLinksError.self) {
      try AssetLinksWriter(apps: [try AndroidApp(parsing: "com.example.app")]).text()
    }
  }

  @Test(
    "a package name or a fingerprint that is none is refused",
    arguments: ["app", "", "com.example.app,12", "com.your.app", "com.example.app,", "com..app"])
  func refusedApp(_ text: String) {
    #expect(throws: AppLinksError.self) { try AndroidApp(parsing: text) }
  }

  @Test("fingerprints are read with and without colons, in either case")
  func fingerprints() throws {
    let plain = fingerprint.filter { $0 != ":" }
    for text in [fingerprint, fingerprint.lowercased(), plain] {
      #expect(CertificateFingerprint(text)?.description == fingerprint)
    }
    #expect(CertificateFingerprint(plain.dropLast() + ":") == nil)
    #expect(CertificateFingerprint("0:" + fingerprint.dropFirst(2)) == nil)
  }

  @Test(
    "the wildcards of dynamic rules",
    arguments: [
      ("/recipes/12", "/recipes/*", true), ("/recipes", "/recipes/*", false), ("", "*", true),
      ("", "?*", false), ("a", "?*", true), ("ab", "?", false), ("abc", "a*bc", true),
      // The run ends at the first b, and never goes on.
      ("abcbc", "a*bc", false), ("abcb", "a*bc", false), ("a.b", "a.b", true),
      ("axb", "a.b", false),
      ("abc", "*?", true), ("", "*?", false), ("ab", "**", true), ("a?b", "a*b", true),
    ])
  func wildcards(_ text: String, _ pattern: String, _ matches: Bool) {
    #expect(Wildcards.match(text, pattern) == matches)
  }
}
