import ArgumentParser
import Bench

/// Which Android app a tag is to wake, and what shows that it does.
struct AndroidOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The Android app that the tag must wake, and the SHA-256 of its signing certificate.",
      valueName: "package[,sha256]"))
  var wakes: String?

  @Option(
    help: ArgumentHelp(
      "The assetlinks.json: a file, an https address, or auto for the link's own host.",
      discussion: "The program uses the network only if this option asks for it.",
      valueName: "file|url|auto"))
  var assetlinks: String?

  @Option(
    help: ArgumentHelp("The Android app's AndroidManifest.xml, as source text.", valueName: "file"))
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "The versions of Android that must start the app, such as 16-17 (default: all from 12 that the app's minSdkVersion allows).",
      valueName: "a-b"))
  var androidVersions: String?

  /// Is true if anything of this was asked for.
  var isGiven: Bool { wakes != nil }

  /// Refuses what is to show something of an app without the app. `recorded`: what `--android-app`
  /// was given, which named that app once.
  func requireApp(recorded: [String] = []) throws {
    if let both = recorded.first(where: { $0.contains(",") }) {
      throw ValidationError(
        "--android-app takes a package alone and makes a record of it. To check that the tag wakes the app, give --wakes \(both)."
      )
    }
    guard wakes != nil || (assetlinks == nil && manifest == nil && androidVersions == nil) else {
      let app = recorded.first ?? "PACKAGE[,SHA256]"
      let record =
        recorded.isEmpty ? "" : " --android-app \(recorded[0]) makes an application record only."
      throw ValidationError(
        "--assetlinks, --manifest and --android-versions go with --wakes \(app), the app to wake.\(record)"
      )
    }
  }

  /// What the tag is held to, with the domain of `link`; nil when nobody asked. `app`: in place of
  /// `--wakes`. Fails as `AndroidLinkPolicy` does.
  func load(_ link: LinkOptions, app: String? = nil) throws(BenchError) -> AndroidLinkPolicy? {
    guard let app = wakes ?? app else { return nil }
    var settings = AndroidLinkPolicy.Settings(app: app)
    (settings.manifest, settings.releases) = (manifest, androidVersions)
    (settings.domain, settings.isAssumedServed) = (link.domain, link.assumeServed)
    return try AndroidLinkPolicy(
      settings, assetLinks: assetlinks.map { AssociationSource($0) }, Console.environment)
  }
}
