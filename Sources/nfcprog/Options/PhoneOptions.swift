import ArgumentParser
import BenchKit
import PhoneSessions

/// What an app's session is like.
struct PhoneOptions: ParsableArguments {
  /// `--session`.
  enum Session: String, ExpressibleByArgument, CaseIterable {
    case ndef, tag
  }

  @Option(
    help: ArgumentHelp(
      "Run a session as an app does: ndef for messages, tag for a tag's own commands.",
      valueName: "ndef|tag"))
  var session: Session?

  @Option(
    help: ArgumentHelp(
      "What a tag session looks for (default: iso14443).",
      valueName: "iso14443,iso18092,iso15693,pace"))
  var poll: String?

  @Option(
    help: ArgumentHelp(
      "The app's Info.plist in XML; the session refuses what it does not declare.",
      valueName: "file"))
  var infoPlist: String?

  @Option(help: ArgumentHelp("The app's entitlements in XML.", valueName: "file"))
  var entitlements: String?

  @Flag(
    help: ArgumentHelp(
      "The session reads by itself and ends after the first message, as with invalidateAfterFirstRead."
    ))
  var invalidateAfterFirstRead = false

  @Flag(help: "Without a phone's limits: every application and system code, and MIFARE Classic.")
  var unlimited = false

  func validate() throws {
    guard session != nil || (poll == nil && infoPlist == nil && entitlements == nil && !unlimited)
    else {
      throw ValidationError(
        "--poll, --info-plist, --entitlements and --unlimited go with --session.")
    }
    guard !invalidateAfterFirstRead || session == .ndef else {
      throw ValidationError("--invalidate-after-first-read goes with --session ndef.")
    }
    guard poll == nil || session == .tag else {
      throw ValidationError("--poll goes with --session tag.")
    }
    if let poll, Self.polling(poll) == nil {
      throw ValidationError("--poll takes iso14443, iso18092, iso15693 and pace, joined by commas.")
    }
  }

  /// What the session looks for.
  var kind: PhoneSession.Kind {
    session == .tag ? .tag(poll.flatMap(Self.polling) ?? .iso14443) : .ndef
  }

  private static let names: [String: Polling] = [
    "iso14443": .iso14443, "iso15693": .iso15693, "iso18092": .iso18092, "pace": .pace,
  ]

  static func polling(_ text: String) -> Polling? {
    var polling: Polling = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let one = names[String(name)] else { return nil }
      polling.insert(one)
    }
    return polling
  }

  /// What the app declares. Fails with `noInput` and `badInput` for the files.
  func grants() throws(BenchError) -> AppGrants {
    guard infoPlist != nil || entitlements != nil else { return .all }
    var values: [String: AppGrants.Value] = [:]
    for path in [entitlements, infoPlist].compactMap(\.self) {
      let bytes = try Files.read(path)
      do throws(PropertyListFile.FormatError) {
        values.merge(try PropertyListFile.values(parsing: bytes)) { $1 }
      } catch {
        throw BenchError(.badInput, "\(path): \(error.reason).")
      }
    }
    return AppGrants(values)
  }
}
