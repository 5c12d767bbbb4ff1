import AppLinks
import ArgumentParser
import BenchKit
import UniversalLinks

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
  func load() throws(BenchError) -> AndroidClaim? {
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

  /// A file that somebody handed over, which no site serves as far as is known.
  private func handed(_ path: String) throws(BenchError) -> AppLinkCheck.Source {
    let remark = Finding(
      .assetLinksHandedOver, .assetLinks,
      "The file was given by hand. It counts only if the link's host serves it as \(AssetLinks.path); use auto to ask the host."
    )
    return AppLinkCheck.Source(parsing: try Files.read(path), findings: [remark])
  }

  /// Reads what can be read before the link is known. Fails with `badInput` for what is no app, no manifest and no address, with
  /// `noInput` for a file that cannot be read.
  func load(app: String) throws(BenchError) -> AndroidClaim {
    let source: AndroidClaim.Source =
      switch assetlinks.map({ AssociationSource($0) }) {
      case nil: .known(.notAsked)
      case .file(let path): .known(try handed(path))
      case .address(let address): .known(try Network().assetLinks(at: address))
      case .domain(let domain): .known(try Network().assetLinks(ofHost: domain))
      case .linkHost: .ofLinkHost(try Network())
      }
    let xml = try manifest.map { path throws(BenchError) in try Files.read(path) }
    do throws(AppLinksError) {
      let manifest = try xml.map { bytes throws(AppLinksError) in try AppManifest(parsing: bytes) }
      return AndroidClaim(app: try AndroidApp(parsing: app), source: source, manifest: manifest)
    } catch {
      throw BenchError(.badInput, error.description)
    }
  }
}
