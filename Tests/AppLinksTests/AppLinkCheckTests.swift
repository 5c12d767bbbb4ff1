import NDEF
import Testing
import UniversalLinks

@testable import AppLinks

@Suite("Whether a tag wakes an Android app")
struct AppLinkCheckTests {
  private static let app = AndroidApp(
    packageName: "com.example.app",
    fingerprints: [fingerprint].compactMap(CertificateFingerprint.init))

  private func check(
    _ source: AppLinkCheck.Source, uri: String = "https://example.com/t/1",
    manifest: String? = nil, records: [Record] = [], app: AndroidApp = Self.app
  ) throws -> AppLinkCheck {
    let message = try Message([try URIRecord(uri).record] + records)
    return AppLinkCheck(
      message, app: app, assetLinks: source,
      manifest: try manifest.map { try AppManifest(parsing: Array($0.utf8)) })
  }

  @Test("a listed app with its certificate is woken")
  func listed() throws {
    let check = try check(.init(parsing: assetLinks()))
    #expect(check.wakesApp)
    #expect(check.findings.isEmpty)
    #expect(check.recordCost == nil)
  }

  @Test(
    "another package, another certificate, no file: the browser, with the reason",
    arguments: [
      (assetLinks(package: "com.example.other"), "android-app-not-listed"),
      (
        assetLinks(fingerprint: String(repeating: "AA:", count: 31) + "AA"),
        "fingerprint-not-listed"
      ), (Array("oops".utf8), "assetlinks-not-json"),
    ])
  func notListed(_ file: [UInt8], _ code: String) throws {
    let check = try check(.init(parsing: file))
    #expect(check.opens == .browser)
    #expect(check.findings.map(\.code.rawValue).contains(code))
    // D4 0F 0F type and payload: header, two lengths, 15 bytes of type, 15 of package name.
    #expect(check.recordCost == 33)
  }

  @Test("what was not looked at is not known")
  func notAsked() throws {
    #expect(try check(.notAsked).opens == .unknown)
    #expect(try check(.unreachable([])).opens == .unknown)
    #expect(try check(.unavailable([])).opens == .browser)
  }

  @Test("an application record decides whatever the site says")
  func record() throws {
    let own = try AndroidApplicationRecord("com.example.app").record
    let other = try AndroidApplicationRecord("com.example.other").record
    #expect(try check(.notAsked, records: [own]).wakesApp)
    #expect(try check(.init(parsing: assetLinks()), records: [other]).opens == .otherApp)
  }

  @Test("Android looks at the first record only")
  func firstRecord() throws {
    let message = try Message([
      try TextRecord("Hello", language: "en").record, try URIRecord("https://example.com/").record,
    ])
    let check = AppLinkCheck(
      message, app: Self.app, assetLinks: .init(parsing: assetLinks()))
    #expect(check.opens == .system)
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
    ])
  func dynamicRules(_ rules: String, _ wakes: Bool, _ code: String) throws {
    let check = try check(.init(parsing: Self.rules(rules)), uri: "https://example.com/t/1?x=23")
    #expect(check.wakesApp == wakes)
    #expect(check.findings.map(\.code.rawValue) == (code.isEmpty ? [] : [code]))
  }

  /// A manifest with one filter of these data elements.
  private static func manifest(_ data: String, verify: String = "true", actions: String? = nil)
    -> String
  {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.app">
      <application>
        <activity android:name=".Main" android:exported="true">
          <intent-filter android:autoVerify="\(verify)">
            \(actions ?? #"<action android:name="android.intent.action.VIEW"/>"#)
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            \(data)
          </intent-filter>
        </activity>
      </application>
    </manifest>
    """
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
    let check = try check(.init(parsing: assetLinks()), manifest: Self.manifest(data))
    #expect(check.wakesApp == wakes)
    #expect(check.findings.map(\.code) == (wakes ? [] : [.linkNotInManifest]))
  }

  @Test("paths are compared decoded, and a wildcard host takes sub-domains")
  func decoded() throws {
    let data =
      #"<data android:scheme="https" android:host="*.example.com" android:path="/ü 1"/>"#
    let check = try check(
      .init(parsing: assetLinks()), uri: "https://go.example.com/%C3%BC%201",
      manifest: Self.manifest(data))
    #expect(check.wakesApp)
  }

  @Test("a filter that is not verified, or is not for links, opens nothing")
  func unverified() throws {
    let data = #"<data android:scheme="https" android:host="example.com"/>"#
    let plain = try check(
      .init(parsing: assetLinks()), manifest: Self.manifest(data, verify: "false"))
    #expect(plain.findings.map(\.code) == [.notAutoVerified])
    #expect(!plain.wakesApp)
    let send = try check(
      .init(parsing: assetLinks()),
      manifest: Self.manifest(
        data, actions: #"<action android:name="android.intent.action.SEND"/>"#))
    #expect(send.findings.map(\.code) == [.linkNotInManifest])
  }

  @Test("a manifest of another app and one with references are told")
  func others() throws {
    let data = #"<data android:scheme="https" android:host="@string/host"/>"#
    let check = try check(.init(parsing: assetLinks()), manifest: Self.manifest(data))
    #expect(check.findings.map(\.code) == [.manifestReference, .linkNotInManifest])
    let other = try self.check(
      .init(parsing: assetLinks(package: "com.example.two")), manifest: Self.manifest(""),
      app: AndroidApp(packageName: "com.example.two"))
    #expect(other.findings.map(\.code).contains(.otherManifest))
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
