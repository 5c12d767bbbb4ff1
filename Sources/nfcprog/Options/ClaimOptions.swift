import ArgumentParser
import UniversalLinks

/// Which app a link is to wake, and the site association that says so.
struct ClaimOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The domain's apple-app-site-association.", valueName: "file"))
  var aasa: String?

  @Option(
    name: .customLong("app-id"),
    help: ArgumentHelp(
      "The app that is to be woken, such as ABCDE12345.com.example.app (repeatable: one of them).",
      valueName: "id"))
  var appID: [String] = []

  @Option(
    help: ArgumentHelp(
      "A line of the app's Associated Domains, such as applinks:example.com (repeatable).",
      valueName: "line"))
  var entitlement: [String] = []

  /// Whether anything of this was asked for.
  var isGiven: Bool { aasa != nil || !appID.isEmpty || !entitlement.isEmpty }

  /// The site association; nil when none was named. Fails with `noInput`.
  func association() throws(CommandFailure) -> LinkCheck.Association? {
    guard let aasa else { return nil }
    return LinkCheck.Association(parsing: try Files.read(aasa))
  }

  /// What `reading` comes to under `association`.
  func check(_ reading: BackgroundReading, _ association: LinkCheck.Association?) -> LinkCheck {
    LinkCheck(
      reading, association: association, appIDs: appID,
      entitlement: entitlement.isEmpty ? nil : entitlement)
  }

  /// Fails with `badInput`, and says why, when `uri` on a tag would not wake the app.
  func insist(on uri: String) throws(CommandFailure) {
    guard isGiven else { return }
    let check = check(BackgroundReading(uri: uri), try association())
    if let refusal = check.refusal {
      throw CommandFailure(.badInput, refusal + " Nothing was written.")
    }
  }
}
