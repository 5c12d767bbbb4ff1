import ArgumentParser
import BenchKit
import SiteFetching
import UniversalLinks

/// Which app a link is to wake, and the site association that says so.
struct ClaimOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The apple-app-site-association: a file, an https address, a domain, or auto for the link's own.",
      discussion: "The program uses the network only if this option asks for it.",
      valueName: "file|url|domain|auto"))
  var aasa: String?

  @Option(
    name: .customLong("app-id"),
    help: ArgumentHelp(
      "The app to wake, such as ABCDE12345.com.example.app (repeatable: any one of them).",
      valueName: "id"))
  var appID: [String] = []

  @Option(
    help: ArgumentHelp(
      "A line of the app's Associated Domains, such as applinks:example.com (repeatable).",
      valueName: "line"))
  var entitlement: [String] = []

  @Option(
    help: ArgumentHelp("The domain that will serve the file given to --aasa.", valueName: "domain"))
  var domain: String?

  @Flag(help: "Assume that the link's host serves the file given to --aasa.")
  var assumeServed = false

  @Flag(help: "Use the site's own file instead of the one from Apple's CDN, which devices use.")
  var trustSite = false

  /// Whether anything of this was asked for.
  var isGiven: Bool { aasa != nil || !appID.isEmpty || !entitlement.isEmpty }

  func validate() throws {
    guard aasa != nil || (domain == nil && !assumeServed && !trustSite) else {
      throw ValidationError("--domain, --assume-served and --trust-site go with --aasa.")
    }
  }

  /// Reads or fetches the site association, where it can be had before the link is known. Fails with `noInput`,
  /// and for a domain that is none with `badInput`; a file that cannot be fetched is no failure, the checks say so.
  func load() throws(BenchError) -> Claim {
    let association: Claim.Association =
      switch aasa.map({ AssociationSource($0) }) {
      case nil: .known(nil)
      case .file(let path):
        .known(
          handed(LinkCheck.Association(parsing: try Files.read(path), host: try servingHost())))
      case .address(let address): try load(address)
      case .domain(let domain):
        .known(try Network().files(ofDomain: domain).association(trustingSite: trustSite))
      case .linkHost: .ofLinkHost(try Network(), trustingSite: trustSite)
      }
    var claim = Claim(
      association: association, appIDs: appID, entitlement: entitlement.isEmpty ? nil : entitlement)
    if case .file = aasa.map({ AssociationSource($0) }) { return claim }
    claim.mayAskTheSite = aasa != nil
    return claim
  }

  /// The file at an address: a site's own place is asked for as its domain is, any other hands a file over.
  private func load(_ address: String) throws(BenchError) -> Claim.Association {
    if let domain = SiteFetch.domain(ofPlace: address) {
      return .known(try Network().files(ofDomain: domain).association(trustingSite: trustSite))
    }
    let host = try servingHost()
    return .known(handed(try Network().file(at: address).association(domain: host)))
  }

  /// The host that `--domain` names, in ASCII.
  private func servingHost() throws(BenchError) -> String? {
    guard let domain else { return nil }
    guard let host = SiteFetcher.host(ofDomain: domain) else {
      throw BenchError(.badInput, "--domain takes the name of a domain, such as example.com.")
    }
    return host
  }

  /// A file that somebody handed over is at no host, unless somebody says so.
  private func handed(_ association: LinkCheck.Association) -> LinkCheck.Association {
    var association = association
    association.isPlaced = association.host != nil
    association.isAssumed = assumeServed
    return association
  }

  /// What `uri` on a tag does with an app; nil when nobody asked. Fails, and says why, when it would not wake the app:
  /// with `badInput`, or with 75 when that could not be found out.
  func insist(on uri: String) throws(BenchError) -> LinkCheck? {
    guard isGiven else { return nil }
    let check = try load().check(BackgroundReading(uri: uri))
    if let refusal = check.refusal {
      let hint = check.hint.map { " " + $0 } ?? ""
      throw BenchError(check.status.code ?? .badInput, refusal + hint + " Nothing was written.")
    }
    return check
  }
}
