import ArgumentParser
import Bench
import JobLists
import Line
import UniversalLinks

/// Which app a link is to wake, and the site association that says so.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The apple-app-site-association: a file, an https address, a domain, or auto for the link's own.",
      discussion: "The program uses the network only if this option asks for it.",
      valueName: "file|url|domain|auto"))
  var aasa: String?

  @Option(
    name: .customLong("app-id"),
    help: ArgumentHelp(
      "The app to wake, such as Q7K2M9P4ZX.com.example.app (repeatable: any one of them).",
      valueName: "id"))
  var appID: [String] = []

  @Option(
    help: ArgumentHelp(
      "A line of the app's Associated Domains, such as applinks:example.com (repeatable).",
      valueName: "line"))
  var entitlement: [String] = []

  @Option(
    help: ArgumentHelp(
      "The domain that will serve the file given to --aasa or --assetlinks.", valueName: "domain"))
  var domain: String?

  @Flag(help: "Assume that the link's host serves the file given to --aasa or --assetlinks.")
  var assumeServed = false

  @Flag(
    help: ArgumentHelp(
      "Use the site's own file instead of the one from Apple's CDN, which devices use.",
      visibility: .hidden))
  var trustSite = false

  @Flag(
    help: ArgumentHelp(
      "Let http links count, which nobody has shown to wake an app.", visibility: .hidden))
  var allowHttp = false

  /// Is true if anything of this was asked for.
  var isGiven: Bool { aasa != nil || !appID.isEmpty || !entitlement.isEmpty }

  func validate() throws {
    guard aasa != nil || !trustSite else {
      throw ValidationError("--trust-site goes with --aasa.")
    }
  }

  /// Refuses a domain without a file that it serves; `hasOther`: whether there is another one than
  /// the site association.
  func requireFile(_ hasOther: Bool = false) throws {
    guard aasa != nil || hasOther || (domain == nil && !assumeServed) else {
      throw ValidationError("--domain and --assume-served go with --aasa or --assetlinks.")
    }
  }

  /// What links are held to. Fails as `LinkPolicy` does.
  func load() throws(BenchError) -> LinkPolicy {
    var settings = LinkPolicy.Settings()
    (settings.appIDs, settings.domain) = (appID, domain)
    settings.entitlement = entitlement.isEmpty ? nil : entitlement
    (settings.isAssumedServed, settings.trustsSite) = (assumeServed, trustSite)
    settings.countsHTTP = allowHttp
    return try LinkPolicy(
      settings, association: aasa.map { AssociationSource($0) }, Console.environment)
  }

  /// What the links of a series are held to, on phones of both systems; nil where nobody asked.
  func wakeCheck(beside android: AndroidOptions) throws(BenchError) -> WakeCheck? {
    WakeCheck(isGiven ? try load() : nil, try android.load(self))
  }

  /// What `uri` on a tag does with an app; nil when nobody asked. Fails, and says why, when it
  /// would not wake the app: with `badInput`, or with `noTag` when that could not be found out.
  func insist(
    on uri: String, otherwise: String = "Nothing was written."
  ) throws(BenchError) -> LinkCheck? {
    guard isGiven else { return nil }
    let check = try load().check(BackgroundReading(uri: uri))
    try check.insist(otherwise: otherwise)
    return check
  }
}
