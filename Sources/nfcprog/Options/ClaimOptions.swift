import ArgumentParser
import UniversalLinks

/// Which app a link is to wake, and the site association that says so.
struct ClaimOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The apple-app-site-association: a file, an https address, a domain, or auto for the link's own.",
      discussion: "Nothing is asked over the network unless this says so.",
      valueName: "file|url|domain|auto"))
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

  /// Reads or fetches the site association, where it can be had before the link is known. Fails with `noInput`,
  /// and for a domain that is none with `badInput`; a file that cannot be fetched is no failure, the checks say so.
  func load() throws(CommandFailure) -> Claim {
    let association: Claim.Association =
      switch aasa.map({ AssociationSource($0) }) {
      case nil: .known(nil)
      case .file(let path): .known(LinkCheck.Association(parsing: try Files.read(path)))
      case .address(let address): .known(try Network().file(at: address).association)
      case .domain(let domain): .known(try Network().files(ofDomain: domain).association)
      case .linkHost: .ofLinkHost(try Network())
      }
    return Claim(
      association: association, appIDs: appID, entitlement: entitlement.isEmpty ? nil : entitlement)
  }

  /// Fails with `badInput`, and says why, when `uri` on a tag would not wake the app.
  func insist(on uri: String) throws(CommandFailure) {
    guard isGiven else { return }
    if let refusal = try load().check(BackgroundReading(uri: uri)).refusal {
      throw CommandFailure(.badInput, refusal + " Nothing was written.")
    }
  }
}
