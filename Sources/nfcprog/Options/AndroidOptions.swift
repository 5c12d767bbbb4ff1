import ArgumentParser
import BenchKit

/// Which Android app a tag is to wake, and what shows that it does.
struct AndroidOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The Android app to wake, and the SHA-256 of its signing certificate.",
      valueName: "package[,sha256]"))
  var androidApp: String?

  @OptionGroup var proof: AssetLinksOptions

  /// Whether anything of this was asked for.
  var isGiven: Bool { androidApp != nil }

  func validate() throws {
    guard androidApp != nil || !proof.isGiven else {
      throw ValidationError("--assetlinks and --manifest go with --android-app.")
    }
  }

  /// What the tag is held to; nil when nobody asked.
  func load() throws(BenchError) -> AndroidLinkPolicy? {
    try androidApp.map { app throws(BenchError) in try proof.load(app: app) }
  }
}

/// What shows that links wake an Android app.
struct AssetLinksOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The assetlinks.json: a file, an https address, or auto for the link's own host.",
      discussion: "The program uses the network only if this option asks for it.",
      valueName: "file|url|auto"))
  var assetlinks: String?

  @Option(
    help: ArgumentHelp("The Android app's AndroidManifest.xml, as source text.", valueName: "file"))
  var manifest: String?

  var isGiven: Bool { assetlinks != nil || manifest != nil }

  /// What links are held to. Fails as `AndroidLinkPolicy` does.
  func load(app: String) throws(BenchError) -> AndroidLinkPolicy {
    try AndroidLinkPolicy(
      app: app, assetLinks: assetlinks.map { AssociationSource($0) }, manifest: manifest,
      Console.environment)
  }
}
