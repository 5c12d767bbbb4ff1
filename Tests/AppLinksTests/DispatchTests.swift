import NDEF
import Testing
import UniversalLinks

@testable import AppLinks

/// What Android 12, 14, 15, 16 and 17 do, row for row of the dispatch (NfcDispatcher).
@Suite("Android's dispatch of a tag, version by version")
struct DispatchTests {
  private static let app = AndroidApp(
    packageName: "com.example.app",
    fingerprints: [fingerprint].compactMap(CertificateFingerprint.init))

  /// One row: what is on the tag, what the app has, and what the versions do.
  struct Row: CustomTestStringConvertible {
    let name: String
    let records: [Record]
    let manifest: AppManifest?
    var site = true
    /// One word for all versions, or five.
    let outcomes: String

    var testDescription: String { name }

    init(
      _ name: String, _ records: [Record], _ manifest: AppManifest?, site: Bool = true,
      _ outcomes: String
    ) {
      (self.name, self.records, self.manifest, self.site) = (name, records, manifest, site)
      self.outcomes = outcomes
    }
  }

  private static func record(
    _ format: TypeNameFormat, _ type: String, _ payload: [UInt8] = []
  ) throws -> Record {
    try Record(format, type: type.utf8, payload: payload)
  }

  private static func uri(_ text: String = "https://example.com/t/1") throws -> Record {
    try URIRecord(text).record
  }

  private static func aar(_ name: String = "com.example.app") throws -> Record {
    try record(.external, "android.com:pkg", Array(name.utf8))
  }

  private static func wifi(key: String = "12345678") throws -> Record {
    try WiFiCredential(ssid: "Net", passphrase: key.isEmpty ? nil : key).record
  }

  private static func rows() throws -> [Row] {
    try order() + mapping() + applicationRecords() + gates() + inputs()
  }

  /// The order of the dispatch.
  private static func order() throws -> [Row] {
    let all = try ManifestText.manifest(
      ManifestText.launcher, ManifestText.view, ManifestText.guardedNDEF)
    let view = try ManifestText.manifest(ManifestText.launcher, ManifestText.view)
    let ndef = try ManifestText.manifest(ManifestText.launcher, ManifestText.ndef)
    let tech = ManifestText.activity("android.nfc.action.TECH_DISCOVERED", "", categories: [])
    let anyTag = ManifestText.activity("android.nfc.action.TAG_DISCOVERED", "", categories: [])
    let text = try TextRecord("Hello", language: "en").record
    let link = try uri()
    let plain = try uri("http://example.com/t/1")
    let http = #"<data android:scheme="http" android:host="example.com"/>"#
    let pairing = try record(.media, "application/vnd.bluetooth.ep.oob", [8, 0, 1, 2, 3, 4, 5, 6])
    return [
      Row("3 Bluetooth first", [pairing, link, try aar()], all, "system"),
      Row(
        "3 Bluetooth LE first", [try record(.media, "application/vnd.bluetooth.le.oob"), link], all,
        "system"),
      Row(
        "3 handover with Bluetooth", [try record(.wellKnown, "Hs", [0x12]), pairing], all, "system"),
      Row("3 the form of Nokia", [try record(.external, "nokia.com:bt")], all, "system"),
      Row("3 Bluetooth behind the link is not looked at", [link, pairing, try aar()], all, "app"),
      Row("4 Wi-Fi first", [try wifi(), link, try aar()], all, "system"),
      Row("4 Wi-Fi anywhere", [link, try aar(), try wifi()], all, "system"),
      Row("4 a token of an open network", [link, try aar(), try wifi(key: "")], all, "system"),
      Row(
        "4 a token that lacks its key",
        [
          link, try aar(),
          try record(
            .media, "application/vnd.wfa.wsc",
            [
              0x10, 0x0E, 0, 17, 0x10, 0x45, 0, 3, 0x4E, 0x65, 0x74, 0x10, 0x03, 0, 2, 0, 0x20,
              0x10,
              0x27, 0, 0,
            ]),
        ], all, "app"),
      Row(
        "6 for no app: the record is not looked at", [try record(.unknown, "", [1]), try aar()],
        all, "nothing"),
      Row("6 for no app, without a record", [try record(.unknown, "", [1])], all, "nothing"),
      Row("7 application record", [link, try aar()], all, "app"),
      Row("8 all filters, no record", [link], all, "chooser chooser chooser app app"),
      Row("8 VIEW alone", [link], view, "browser browser browser app app"),
      Row(
        "8 http, too", [plain],
        try ManifestText.manifest(
          ManifestText.activity("android.intent.action.VIEW", http, verify: true)),
        "browser browser browser app app"),
      Row(
        "8 whatever begins with http", [try uri("httpx://example.com/t/1")],
        try ManifestText.manifest(
          ManifestText.activity(
            "android.nfc.action.NDEF_DISCOVERED", #"<data android:scheme="httpx"/>"#)),
        "chooser chooser chooser browser browser"),
      Row("8 NDEF_DISCOVERED alone", [link], ndef, "chooser chooser chooser browser browser"),
      Row(
        "8 no verified site", [link], all, site: false, "chooser chooser chooser browser browser"),
      Row(
        "10 a scheme of one's own", [try uri("myapp://open/1")],
        try ManifestText.manifest(
          ManifestText.activity(
            "android.nfc.action.NDEF_DISCOVERED", #"<data android:scheme="myapp"/>"#)), "app"),
      Row("10 the same without a filter", [try uri("myapp://open/1")], all, "nothing"),
      Row("10 a telephone number", [try uri("tel:+123")], all, "system"),
      Row("11 technologies", [text], try ManifestText.manifest(tech), "unknown"),
      Row(
        "11 technologies, passed over by 17", [text], try ManifestText.manifest(tech, target: 37),
        "unknown unknown unknown unknown nothing"),
      Row("11 the tag as such", [text], try ManifestText.manifest(anyTag), "unknown"),
      Row(
        "11 the tag as such, passed over by 17", [text],
        try ManifestText.manifest(anyTag, target: 37), "unknown unknown unknown unknown nothing"),
      Row("11 without a message", [], try ManifestText.manifest(tech), "unknown"),
      Row(
        "11 behind a record that is not looked at", [try record(.unknown, "", [1]), try aar()],
        try ManifestText.manifest(tech), "unknown"),
      Row("12 nothing takes it", [text], all, "nothing"),
      Row("no message", [], all, "nothing"),
    ]
  }

  /// What the first record is filtered for.
  private static func mapping() throws -> [Row] {
    func ndef(_ data: String) throws -> AppManifest {
      try ManifestText.manifest(
        ManifestText.activity("android.nfc.action.NDEF_DISCOVERED", data))
    }
    let own = try ndef(#"<data android:scheme="https" android:host="example.com"/>"#)
    let link = try uri()
    let poster = try record(.wellKnown, "Sp", try Message([try uri()]).serialize())
    let media = try ndef(#"<data android:mimeType="application/vnd.example"/>"#)
    return [
      Row(
        "U, the scheme in another case",
        [try record(.wellKnown, "U", [0] + Array("HTTPS://example.com/".utf8)), try aar()], own,
        "app"),
      Row(
        "U with prefix code 24h",
        [try record(.wellKnown, "U", [0x24] + Array("example.com".utf8)), try aar()], own, "nothing"
      ),
      Row("U with one byte", [try record(.wellKnown, "U", [4]), try aar()], own, "nothing"),
      Row("Sp", [poster, try aar()], own, "app"),
      Row(
        "Sp with two: the first one counts",
        [
          try record(
            .wellKnown, "Sp",
            try Message([try uri("https://example.org/"), try uri()]).serialize()), try aar(),
        ], own, "store"),
      Row(
        "U, the path as it is",
        [try record(.wellKnown, "U", [0] + Array("https://example.com/T/1".utf8)), try aar()],
        try ManifestText.manifest(ManifestText.launcher, ManifestText.ndef), "launcher"),
      Row(
        "T: a URI behind it is not seen", [try TextRecord("Hello", language: "en").record, link],
        own, "nothing"),
      Row(
        "external: an application record in front, and the link is lost", [try aar(), link], own,
        "store"),
      Row(
        "Sp that does not parse", [try record(.wellKnown, "Sp", [0xFF]), try aar()], own, "nothing"),
      Row(
        "an application record inside Sp does not count",
        [
          try record(
            .wellKnown, "Sp",
            try Message([try uri("https://example.com/t/1"), try aar()]).serialize())
        ],
        own, "chooser chooser chooser browser browser"),
      Row(
        "absolute URI", [try record(.absoluteURI, "https://example.com/t/1"), try aar()], own, "app"
      ),
      Row(
        "MIME with parameters and capitals", [try record(.media, "Application/vnd.Example;v=1")],
        media, "app"),
      Row(
        "MIME, all of a kind", [try record(.media, "image/png")],
        try ndef(#"<data android:mimeType="image/*"/>"#), "app"),
      Row("MIME of another type", [try record(.media, "image/png")], media, "nothing"),
      Row(
        "a type with a scheme beside it", [try record(.media, "image/png")],
        try ndef(#"<data android:mimeType="image/png" android:scheme="https"/>"#), "nothing"),
      Row(
        "T", [try TextRecord("Hello", language: "en").record, try uri()],
        try ndef(#"<data android:mimeType="text/plain"/>"#), "app"),
      Row(
        "external", [try record(.external, "example.com:Thing")],
        try ndef(
          #"<data android:scheme="vnd.android.nfc" android:host="ext" android:path="/example.com:Thing"/>"#
        ), "app"),
      Row(
        "external in another case", [try record(.external, "example.com:thing")],
        try ndef(
          #"<data android:scheme="vnd.android.nfc" android:host="ext" android:path="/example.com:Thing"/>"#
        ), "nothing"),
      Row("empty", [Record.empty], own, "nothing"),
      Row("Hr", [try record(.wellKnown, "Hr", [0x12]), try aar()], own, "nothing"),
      Row("Hc", [try record(.wellKnown, "Hc", [0, 0]), try aar()], own, "nothing"),
      Row("ac", [try record(.wellKnown, "ac", [0, 0]), try aar()], own, "nothing"),
      Row(
        "Hs without Bluetooth behind it", [try record(.wellKnown, "Hs", [0x12]), try aar()], own,
        "nothing"),
      Row(
        "Sp without a URI",
        [
          try record(
            .wellKnown, "Sp", try Message([TextRecord("Hello", language: "en").record]).serialize()),
          try aar(),
        ], own, "nothing"),
      Row(
        "MIME in front of a link: the link is not seen", [try record(.media, "image/png"), link],
        own, "nothing"),
    ]
  }

  /// Application records.
  private static func applicationRecords() throws -> [Row] {
    let link = try uri()
    let tag = [link, try aar()]
    func app(_ parts: String..., target: Int? = 36) throws -> AppManifest {
      try ManifestText.manifest(ManifestText.launcher, parts.joined(), target: target)
    }
    let action = "android.nfc.action.NDEF_DISCOVERED"
    let elsewhere = #"<data android:scheme="https" android:host="example.com" android:path="/u"/>"#
    return [
      Row("NDEF_DISCOVERED matches", tag, try app(ManifestText.ndef), "app"),
      Row(
        "targetSdk 37 without the permission", tag, try app(ManifestText.ndef, target: 37),
        "app app app app launcher"),
      Row("targetSdk 37 with it", tag, try app(ManifestText.guardedNDEF, target: 37), "app"),
      Row(
        "targetSdk not in the manifest", tag, try app(ManifestText.ndef, target: nil),
        "app app app app unknown"),
      Row("only VIEW", tag, try app(ManifestText.view), "launcher"),
      Row("only VIEW, not verified", tag, try app(ManifestText.view), site: false, "launcher"),
      Row("another path", tag, try app(ManifestText.activity(action, elsewhere)), "launcher"),
      Row(
        "without DEFAULT", tag,
        try app(ManifestText.activity(action, ManifestText.link, categories: [])), "launcher"),
      Row(
        "not exported", tag,
        try app(ManifestText.activity(action, ManifestText.link, exported: "false")), "launcher"),
      Row(
        "switched off", tag,
        try app(
          ManifestText.activity(action, ManifestText.link, attributes: #"android:enabled="false""#)),
        "launcher"),
      Row(
        "exported, as an app for Android 11 is without a word", tag,
        try app(
          ManifestText.activity(action, ManifestText.link)
            .replacing(#" android:exported="true""#, with: ""), target: 30), "app"),
      Row(
        "not said to be exported, which an app for Android 12 has to be", tag,
        try app(
          ManifestText.activity(action, ManifestText.link)
            .replacing(#" android:exported="true""#, with: ""), target: 31), "launcher"),
      Row("no launcher, no filter", tag, try ManifestText.manifest(ManifestText.view), "store"),
      Row("no manifest", tag, nil, "unknown"),
      Row(
        "record first: the link is lost", [try aar(), link], try app(ManifestText.ndef), "launcher"),
      Row("record alone", [try aar()], try app(ManifestText.ndef), "launcher"),
      Row(
        "another app", [link, try aar("com.example.other")], try app(ManifestText.ndef), "other"),
      Row(
        "the name in another case", [link, try aar("com.Example.app")], try app(ManifestText.ndef),
        "other"),
      Row(
        "the name with a NUL", [link, try aar("com.example.app\0")], try app(ManifestText.ndef),
        "store"),
      Row(
        "the name with a space", [link, try aar("com.example.app ")], try app(ManifestText.ndef),
        "store"),
      Row(
        "the app cannot be installed", tag,
        try ManifestText.manifest(ManifestText.launcher, ManifestText.ndef, minimum: 35),
        "app app app"),
      Row(
        "NDEF_DISCOVERED in an alias", tag,
        try app(
          ManifestText.guardedNDEF.replacing("<activity", with: "<activity-alias")
            .replacing("</activity", with: "</activity-alias"), target: 37), "app"),
      Row(
        "second of two, with a filter", [link, try aar("com.example.other"), try aar()],
        try app(ManifestText.ndef), "app"),
      Row(
        "second of two, without", [link, try aar("com.example.other"), try aar()],
        try app(ManifestText.view), "other"),
    ]
  }

  /// What 16 and 17 ask for besides.
  private static func gates() throws -> [Row] {
    let own = try uri("myapp://open/1")
    let tag = [try uri(), try aar()]
    let data = #"<data android:scheme="myapp"/>"#
    let action = "android.nfc.action.NDEF_DISCOVERED"
    return [
      Row(
        "a web link does not ask for the permission", [try uri()],
        try ManifestText.manifest(ManifestText.view, target: 37), "browser browser browser app app"),
      Row(
        "other data do", [own],
        try ManifestText.manifest(ManifestText.activity(action, data), target: 37),
        "app app app app nothing"),
      Row(
        "the launcher start of a record does not ask for it", tag,
        try ManifestText.manifest(ManifestText.launcher, target: 37), "launcher"),
      Row(
        "a record and other data: the activity is passed over", [own, try aar()],
        try ManifestText.manifest(
          ManifestText.launcher, ManifestText.activity(action, data), target: 37),
        "app app app app launcher"),
      Row(
        "the permission below targetSdk 37, too", [own],
        try ManifestText.manifest(
          ManifestText.activity(
            action, data,
            attributes: #"android:permission="android.permission.DISPATCH_NFC_MESSAGE""#),
          target: 30), "app"),
      Row(
        "not below targetSdk 37", [own],
        try ManifestText.manifest(ManifestText.activity(action, data), target: 36), "app"),
      Row(
        "one activity with the permission beside one without it", [own],
        try ManifestText.manifest(
          ManifestText.activity(action, data),
          ManifestText.activity(
            action, data,
            attributes: #"android:permission="android.permission.DISPATCH_NFC_MESSAGE""#),
          target: 37), "app"),
      Row(
        "a permission of others", [own],
        try ManifestText.manifest(
          ManifestText.activity(action, data, attributes: #"android:permission="com.example.MINE""#)
        ),
        "unknown"),
    ]
  }

  /// What is not known stays unknown.
  private static func inputs() throws -> [Row] {
    let tag = [try uri(), try aar()]
    let action = "android.nfc.action.NDEF_DISCOVERED"
    func app(_ data: String, filter: String = "", attributes: String = "") throws -> AppManifest {
      try ManifestText.manifest(
        ManifestText.launcher,
        ManifestText.activity(action, data, attributes: attributes, filter: filter))
    }
    let group = """
      <data android:scheme="https" android:host="example.com"/>
      <uri-relative-filter-group android:allow="false"><data android:path="/t/1"/></uri-relative-filter-group>
      <uri-relative-filter-group><data android:pathPrefix="/t/"/></uri-relative-filter-group>
      """
    return [
      Row(
        "a host in another file", tag,
        try app(#"<data android:scheme="https" android:host="@string/h"/>"#), "unknown"),
      Row(
        "enabled in another file", tag,
        try app(ManifestText.link, attributes: #"android:enabled="@bool/b""#), "unknown"),
      Row("no manifest, no record", [try uri()], nil, "unknown"),
      Row("a blocking group", tag, try app(group), "app app launcher launcher launcher"),
      Row(
        "a group that allows", [try uri("https://example.com/t/2"), try aar()], try app(group),
        "app"),
      Row(
        "a priority below 0", [try uri()],
        try app(ManifestText.link, filter: #"android:priority="-1""#), "browser"),
      Row(
        "a priority above 0", [try uri()],
        try app(ManifestText.link, filter: #"android:priority="99""#),
        "chooser chooser chooser browser browser"),
      Row(
        "an escaped dot", [try uri("https://example.com/t/a.html"), try aar()],
        try app(
          #"<data android:scheme="https" android:host="example.com" android:pathPattern="/t/.*\\.html"/>"#
        ), "app"),
      Row(
        "a path that is compared decoded", [try uri("https://example.com/t%2Fa%20b"), try aar()],
        try app(
          #"<data android:scheme="https" android:host="example.com" android:path="/t/a b"/>"#),
        "app"),
    ]
  }

  @Test("each row, each version", arguments: try rows())
  func row(_ row: Row) throws {
    let check = AppLinkCheck(
      row.records.isEmpty ? nil : try Message(row.records), app: Self.app,
      assetLinks: .init(parsing: row.site ? assetLinks() : assetLinks(package: "com.example.none")),
      manifest: row.manifest)
    let words = row.outcomes.split(separator: " ").map(String.init)
    // Android 13 does what 12 does.
    let expected =
      words.count == 1
      ? Array(repeating: words[0], count: 6) : words.count == 5 ? [words[0]] + words : words
    let isForAll = row.manifest?.minimumSDK == nil
    #expect(check.versions.map(\.release) == AndroidRelease.allCases.suffix(isForAll ? 6 : 3))
    #expect(check.versions.map(\.outcome.rawValue) == expected)
    // One answer: a yes is the app on all versions, and there is no error beside it.
    #expect(check.wakesApp == (Set(expected) == ["app"]))
    #expect(!check.wakesApp || !check.findings.contains { $0.severity == .error })
    #expect(check.wakesApp || check.findings.contains { $0.severity == .error || $0.isDoubt })
    #expect(check.versions.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("what nobody sees from a message, a manifest and a site is said beside each verdict")
  func unseen() throws {
    let check = AppLinkCheck(
      try Message([Self.uri()]), app: Self.app, assetLinks: .notAsked, manifest: nil)
    let told = check.advice.joined(separator: " ")
    // Steps 0, 1 and 2, 5, 9 and the gates of 16 and 17.
    for words in [
      "unlocked", "an app in front", "makers' phones take it", "ask before they open a link",
      "Launch via NFC", "opened once",
    ] {
      #expect(told.contains(words))
    }
    let view = try ManifestText.manifest(ManifestText.launcher, ManifestText.view)
    let links = AppLinkCheck(
      try Message([Self.uri()]), app: Self.app, assetLinks: .notAsked, manifest: view)
    for version in links.versions {
      #expect(
        version.reason.contains("some builds do as Android 16") == (version.release == .android15))
    }
  }

  @Test("a name that the build fills in is that of the app")
  func buildVariable() throws {
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${applicationId}">
      <application>\(ManifestText.launcher)\(ManifestText.guardedNDEF)</application></manifest>
      """
    let check = AppLinkCheck(
      try Message([Self.uri(), Self.aar()]), app: Self.app, assetLinks: .notAsked,
      manifest: try AppManifest(parsing: Array(text.utf8)))
    #expect(check.wakesApp, "\(check.findings)")
  }

  @Test(
    "the app's minSdkVersion leaves out versions, and a version that is asked for all the same opens the store"
  )
  func minimum() throws {
    let manifest = try ManifestText.manifest(ManifestText.launcher, ManifestText.ndef, minimum: 35)
    let tag = try Message([Self.uri(), Self.aar()])
    let check = AppLinkCheck(tag, app: Self.app, assetLinks: .notAsked, manifest: manifest)
    #expect(check.versions.map(\.release.rawValue) == [15, 16, 17])
    #expect(check.wakesApp)
    let asked = AppLinkCheck(
      tag, app: Self.app, assetLinks: .notAsked, manifest: manifest, releases: [.android14])
    #expect(asked.versions.map(\.outcome) == [.store])
    #expect(!asked.wakesApp)
  }

  @Test("an app for Android 13 on is looked at there")
  func thirteen() throws {
    let manifest = try ManifestText.manifest(
      ManifestText.launcher, ManifestText.ndef, minimum: 33)
    let tag = try Message([Self.uri(), Self.aar()])
    let all = AppLinkCheck(tag, app: Self.app, assetLinks: .notAsked, manifest: manifest)
    #expect(all.versions.map(\.release.rawValue) == [13, 14, 15, 16, 17] && all.wakesApp)
    let asked = AppLinkCheck(
      tag, app: Self.app, assetLinks: .notAsked, manifest: manifest, releases: [.android13])
    #expect(asked.wakesApp)
  }

  @Test(
    "versions are read as a person writes them",
    arguments: [
      ("14-17", [14, 15, 16, 17]), ("16", [16]), ("13", [13]), ("12-13", [12, 13]),
      ("12,16-17", [12, 16, 17]),
      ("11", nil), ("17-14", nil), ("", nil), ("14-", nil), ("x", nil),
    ] as [(String, [Int]?)])
  func releases(_ text: String, _ expected: [Int]?) {
    #expect(AndroidRelease.releases(parsing: text)?.map(\.rawValue) == expected)
  }
}
