import NDEF
import Testing
import UniversalLinks

@testable import AppLinks

@Suite("Whether a tag wakes an Android app by its link")
struct AppLinkCheckTests {
  private static let app = AndroidApp(
    packageName: "com.example.app",
    fingerprints: [fingerprint].compactMap(CertificateFingerprint.init))

  /// Android 16 and 17, which ask the site, with a manifest that takes the link.
  private func check(
    _ source: AppLinkCheck.Source, uri: String = "https://example.com/t/1?x=23",
    view: String = ManifestText.view, app: AndroidApp = Self.app, target: Int? = 36
  ) throws -> AppLinkCheck {
    AppLinkCheck(
      try Message([try URIRecord(uri).record]), app: app, assetLinks: source,
      manifest: try ManifestText.manifest(view, target: target), releases: [.android16, .android17])
  }

  @Test("a listed app with its certificate is woken")
  func listed() throws {
    let check = try check(.init(parsing: assetLinks()))
    #expect(check.wakesApp)
    #expect(check.findings.isEmpty)
    #expect(check.recordCost == nil)
  }

  private static let noCertificate = AndroidApp(packageName: "com.example.app")

  /// Certificates that are none: no app has them, whether or not somebody named one.
  static let badPrints = [
    "YOUR:SHA256:FINGERPRINT", "REPLACE_WITH_PLAY_APP_SIGNING_SHA256", "", "14:6D",
    fingerprint.lowercased(), fingerprint.replacing(":", with: ""), fingerprint + " ",
    String(fingerprint.prefix(59)),
    "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5",
  ]

  @Test("a fingerprint that no certificate has is a no", arguments: badPrints)
  func badPrint(_ print: String) throws {
    for app in [Self.app, Self.noCertificate] {
      let check = try check(.init(parsing: assetLinks(fingerprint: print)), app: app)
      #expect(check.conclusion.answer == .no)
      #expect(check.versions.map(\.outcome) == [.browser, .browser])
    }
  }

  @Test(
    "fingerprints that are missing, empty or no texts are a no",
    arguments: [
      "", #", "sha256_cert_fingerprints": []"#, #", "sha256_cert_fingerprints": "AA""#,
      #", "sha256_cert_fingerprints": [1]"#, #", "sha256_cert_fingerprints": null"#,
    ])
  func noPrints(_ member: String) throws {
    let file = """
      [{"relation": ["\(AssetLinks.handleAllURLs)"],
        "target": {"namespace": "android_app", "package_name": "com.example.app"\(member)}}]
      """
    for app in [Self.app, Self.noCertificate] {
      #expect(try check(.init(parsing: file.utf8), app: app).conclusion.answer == .no)
    }
  }

  @Test(
    "another package, another certificate, no file: the browser, with the reason",
    arguments: [
      (assetLinks(package: "com.example.other"), "android-app-not-listed"),
      (
        assetLinks(fingerprint: String(repeating: "AA:", count: 31) + "AA"),
        "fingerprint-not-listed"
      ), (Array("oops".utf8), "assetlinks-not-json"),
      (
        Array("[".utf8) + Array(repeating: 0x20, count: AssetLinks.byteLimit) + Array("]".utf8),
        "assetlinks-too-large"
      ),
    ])
  func notListed(_ file: [UInt8], _ code: String) throws {
    let check = try check(.init(parsing: file))
    #expect(check.opens == .browser)
    #expect(check.conclusion.answer == .no)
    #expect(check.findings.map(\.code.rawValue).contains(code))
    // D4 0F 0F type and payload: header, two lengths, 15 bytes of type, 15 of package name.
    #expect(check.recordCost == 33)
  }

  @Test(
    "a statement that Android cannot read makes the whole file uncertain; one without relation or target does not",
    arguments: [
      (
        #"{"relation": ["x/y"], "target": {"namespace": "android_app", "package_name": "a.b", "sha256_cert_fingerprints": []}}"#,
        false
      ),
      (#"{"relation": ["x/y"], "target": {"namespace": "ios_app"}}"#, false),
      (
        #"{"relation": ["nothing"], "target": {"namespace": "web", "site": "https://example.com"}}"#,
        false
      ),
      (
        #"{"relation": ["x/y"], "target": {"namespace": "web", "site": "https://example.com", "n": 1}}"#,
        false
      ),
      (#"{"relation": ["x/y"], "target": {"namespace": "web", "site": null}}"#, false),
      ("7", false),
      (#"{"target": {"namespace": "web", "site": "https://example.com"}}"#, true),
      (#"{"relation": ["x/y"]}"#, true),
      (
        #"{"relation": ["x/y"], "target": {"namespace": "web", "site": "https://example.com"}}"#,
        true
      ),
    ])
  func spoilt(_ statement: String, _ wakes: Bool) throws {
    let own = String(decoding: assetLinks(), as: UTF8.self)
    let check = try check(.init(parsing: "\(own.dropLast()), \(statement)]".utf8))
    #expect(check.conclusion.answer == (wakes ? .yes : .notKnown))
  }

  @Test("what was not looked at is not known; a file counts for the host that serves it")
  func notKnown() throws {
    #expect(try check(.notAsked).conclusion.answer == .notKnown)
    #expect(try check(.unreachable([])).isUndecided)
    #expect(try check(.unavailable([])).opens == .browser)
    let servers: [(AppLinkCheck.Server, Bool)] = [
      (.nobody, false), (.host("example.org"), false), (.host("example.com"), true),
      (.assumed, true),
    ]
    for (server, wakes) in servers {
      let check = try check(.init(parsing: assetLinks(), of: server))
      #expect(check.conclusion.answer == (wakes ? .yes : .notKnown))
    }
    let include = #"[{"include": "https://example.com/more.json"}]"#
    #expect(try check(.init(parsing: include.utf8)).conclusion.answer == .notKnown)
    let bare = AppLinkCheck(
      try Message([try URIRecord("https://example.com/t/1").record]), app: Self.app,
      assetLinks: .init(parsing: assetLinks()), releases: [.android16])
    #expect(bare.conclusion.answer == .notKnown)
    #expect(bare.findings.map(\.code) == [.manifestNotChecked])
  }

  private static func rules(_ rules: String) -> [UInt8] {
    assetLinks(
      more: """
        , "relation_extensions": {"delegate_permission/common.handle_all_urls":
          {"dynamic_app_link_components": [\(rules)]}}
        """)
  }

  @Test(
    "the first dynamic rule that matches decides; a link that none matches stays in the browser",
    arguments: [
      (#"{"/": "/t/*"}"#, true, ""), (#"{"/": "/u/*"}"#, false, "dynamic-rule-unmatched"),
      (#"{"/": "/t/1", "exclude": true}, {"/": "*"}"#, false, "dynamic-rule-excludes"),
      (#"{"?": {"x": "2*"}}"#, true, ""), (#"{"?": {"x": "3"}}"#, false, "dynamic-rule-unmatched"),
      (##"{"#": "a"}"##, false, "dynamic-rule-unmatched"),
      ("", true, "dynamic-rules-malformed"), (#"{"/": 1}"#, true, "dynamic-rules-malformed"),
    ])
  func dynamicRules(_ rules: String, _ wakes: Bool, _ code: String) throws {
    let check = try check(.init(parsing: Self.rules(rules)))
    #expect(check.wakesApp == (wakes && !rules.contains("1}")))
    #expect(check.findings.map(\.code.rawValue).contains(code) || code.isEmpty)
  }

  @Test("rules are compared with the decoded link")
  func decodedRules() throws {
    let source = AppLinkCheck.Source(parsing: Self.rules(#"{"/": "/t/a b", "?": {"q": "ü"}}"#))
    #expect(try check(source, uri: "https://example.com/t/a%20b?q=%C3%BC").wakesApp)
  }

  @Test(
    "the manifest must ask for the link",
    arguments: [
      (#"<data android:scheme="https" android:host="example.com"/>"#, true),
      (
        #"<data android:scheme="https"/><data android:host="example.com"/><data android:pathPrefix="/t/"/>"#,
        true
      ),
      (
        #"<data android:scheme="https" android:host="example.com" android:pathPrefix="/u"/>"#, false
      ),
      (#"<data android:scheme="http" android:host="example.com"/>"#, false),
      (#"<data android:scheme="https" android:host="*.example.com"/>"#, false),
      (
        #"<data android:scheme="https" android:host="example.com" android:mimeType="text/plain"/>"#,
        false
      ),
    ])
  func manifest(_ data: String, _ wakes: Bool) throws {
    let view = ManifestText.activity("android.intent.action.VIEW", data, verify: true)
    let check = try check(.init(parsing: assetLinks()), view: view)
    #expect(check.wakesApp == wakes)
    #expect(check.findings.map(\.code) == (wakes ? [] : [.linkNotInManifest]))
  }

  @Test(
    "a host is verified by one filter with autoVerify, for web links alone",
    arguments: [
      (#"<data android:scheme="https" android:host="example.com"/>"#, true, 36, true),
      (#"<data android:scheme="https" android:host="example.com"/>"#, false, 36, false),
      (
        #"<data android:scheme="https" android:host="example.com"/><data android:scheme="myapp"/>"#,
        true, 36, false
      ),
      (
        #"<data android:scheme="https" android:host="example.com"/><data android:scheme="myapp"/>"#,
        true, nil, false
      ),
      (
        #"<data android:scheme="https" android:host="example.com"/><data android:scheme="myapp"/>"#,
        true, 30, true
      ),
      (#"<data android:scheme="https" android:host="*"/>"#, true, 36, false),
      (#"<data android:scheme="https" android:host="*example.com"/>"#, true, 36, false),
    ] as [(String, Bool, Int?, Bool)])
  func verified(_ data: String, _ verify: Bool, _ target: Int?, _ wakes: Bool) throws {
    let view = ManifestText.activity("android.intent.action.VIEW", data, verify: verify)
    let check = try check(.init(parsing: assetLinks()), view: view, target: target)
    #expect(check.wakesApp == wakes)
    #expect(wakes || check.findings.map(\.code) == [.notAutoVerified])
  }

  @Test("paths are compared decoded, and for a wildcard host the parent's file counts")
  func decoded() throws {
    let view = ManifestText.activity(
      "android.intent.action.VIEW",
      #"<data android:scheme="https" android:host="*.example.com" android:path="/ü 1"/>"#,
      verify: true)
    let uri = "https://go.example.com/%C3%BC%201"
    let source = AppLinkCheck.Source(parsing: assetLinks(), of: .host("example.com"))
    #expect(try check(source, uri: uri, view: view).wakesApp)
    let other = AppLinkCheck.Source(parsing: assetLinks(), of: .host("go.example.com"))
    #expect(try check(other, uri: uri, view: view).conclusion.answer == .notKnown)
  }

  @Test("a manifest of another app and one with references are named")
  func others() throws {
    let view = ManifestText.activity(
      "android.intent.action.VIEW", #"<data android:scheme="https" android:host="@string/host"/>"#,
      verify: true)
    let check = try check(.init(parsing: assetLinks()), view: view)
    #expect(check.findings.map(\.code).contains(.manifestReference))
    #expect(check.conclusion.answer == .notKnown)
    let other = try self.check(
      .init(parsing: assetLinks(package: "com.example.two")),
      app: AndroidApp(packageName: "com.example.two"))
    #expect(other.findings.map(\.code).contains(.otherManifest))
    #expect(!other.wakesApp)
  }

  @Test("where the record decides, what is wrong with the site's file is no error")
  func beside() throws {
    let message = try Message([
      try URIRecord("https://example.com/t/1").record,
      try AndroidApplicationRecord("com.example.app").record,
    ])
    let check = AppLinkCheck(
      message, app: Self.app, assetLinks: .init(parsing: assetLinks(fingerprint: "oops")),
      manifest: try ManifestText.manifest(ManifestText.launcher, ManifestText.guardedNDEF))
    #expect(check.wakesApp)
    #expect(check.findings.map(\.severity) == [.warning])
  }

  @Test(
    "what is no manifest is refused with its line",
    arguments: [
      ("", 1), ("<a/>", 1), ("<manifest>\n<b>\n</manifest>", 3), ("\u{3}\u{0}binary", 1),
      ("<!DOCTYPE m [<!ENTITY a \"b\">]>\n<manifest>&a;</manifest>", 1),
    ])
  func broken(_ text: String, _ line: Int) {
    #expect {
      try AppManifest(parsing: Array(text.utf8))
    } throws: { error in
      guard case .manifest(_, let found) = error as? AppLinksError else { return false }
      return found == line || text.isEmpty
    }
  }
}
