import NDEF
import SeededNumbers
import Testing
import UniversalLinks

@testable import AppLinks

@Suite("Android and links of which a tag fills in a part")
struct VaryingAppLinkTests {
  private static let app = AndroidApp(packageName: "com.example.app", fingerprints: [])

  private static func message(_ link: String, _ choices: String) throws -> VaryingMessage {
    let bytes = try Message([
      URIRecord(link).record, AndroidApplicationRecord("com.example.app").record,
    ]).serialize()
    let places = bytes.indices.filter { bytes[$0] == UInt8(ascii: "_") }
    return VaryingMessage(bytes, places.map { .init(offset: $0, choices: Array(choices.utf8)) })
  }

  private static func manifest(_ attributes: String) throws -> AppManifest {
    try ManifestText.manifest(
      ManifestText.launcher,
      ManifestText.activity(
        "android.nfc.action.NDEF_DISCOVERED",
        #"<data android:scheme="https" android:host="example.com" \#(attributes)/>"#))
  }

  private static func check(_ message: VaryingMessage, _ manifest: AppManifest) -> AppLinkCheck {
    AppLinkCheck(message, app: app, assetLinks: .notAsked, manifest: manifest)
  }

  @Test(
    "a certain yes holds for whatever the tag fills in",
    arguments: [
      (#"android:pathPattern="/t/uid.*""#, Conclusion.Answer.no),
      (#"android:pathPrefix="/t/04""#, .notKnown), (#"android:pathPrefix="/t/""#, .yes),
      (#"android:pathPattern="/t/....""#, .yes), (#"android:pathSuffix="A""#, .notKnown),
      (#"android:pathAdvancedPattern="/t/[0-9A-F]{4}""#, .yes),
      (#"android:pathAdvancedPattern="/t/[0-9]{4}""#, .notKnown),
      (#"android:path="/t/0123""#, .notKnown), (#"android:path="/t/012""#, .no),
    ])
  func certain(_ attributes: String, _ expected: Conclusion.Answer) throws {
    let message = try Self.message("https://example.com/t/____", "0123456789ABCDEF")
    let check = Self.check(message, try Self.manifest(attributes))
    #expect(check.conclusion.answer == expected)
    #expect((expected == .notKnown) == check.hangsOnTag)
  }

  @Test("every filling, tried one by one, has the answer that is given for all", arguments: 0..<150)
  func all(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let kind =
      ["path", "pathPrefix", "pathSuffix", "pathPattern", "pathAdvancedPattern"]
      .randomElement(using: &random) ?? ""
    let parts =
      kind == "pathAdvancedPattern"
      ? ["[0-9]", "[A-Z]+", "0", "A{2}", ".", ".*"] : ["0", "1", "A", ".", ".*", "0*", "x"]
    let text = "/" + random.text(of: parts, upTo: 4)
    let manifest = try Self.manifest(#"android:\#(kind)="\#(text)""#)
    let message = try Self.message(
      "https://example.com/_x__", ["01AF", "A0", "1A", "0F"].randomElement(using: &random) ?? "")
    var all = [[Int]()]
    for place in message.places {
      all = all.flatMap { known in place.choices.indices.map { known + [$0] } }
    }
    let wakes = try Set(
      all.map {
        AppLinkCheck(
          try Message(parsing: message.filled($0)), app: Self.app, assetLinks: .notAsked,
          manifest: manifest
        ).wakesApp
      })
    let answer = Self.check(message, manifest).conclusion.answer
    #expect(answer == (wakes == [true] ? .yes : wakes == [false] ? .no : .notKnown), "\(text)")
  }
}
