import NDEF
import UniversalLinks
import WebAddress

/// Whether a tag wakes an Android app, what opens otherwise, and why.
///
/// Android looks at Android application records first, then at the URI in the first record
/// (developer.android.com, NFC basics, How NFC tags are dispatched to applications). A web link
/// opens an app without a question where the site's asset links verify it (developer.android.com,
/// About App Links). Not to be seen from here: whether the app is installed, and whether the user
/// took the link away from it.
package struct AppLinkCheck: Sendable {
  /// What opens when a phone meets the tag.
  package enum Opener: String, Hashable, Sendable {
    /// The app that was asked for.
    case app
    /// Another app, named by an application record.
    case otherApp
    case browser
    /// Whatever app is for such a link or such data, or none.
    case system
    /// Nothing was looked at that would tell.
    case unknown
  }

  /// The asset links of the link's host, as far as they could be had.
  package enum Source: Sendable {
    /// Nobody asked for them.
    case notAsked
    case file(AssetLinks, findings: [Finding])
    /// There is no file that Android would take; why, as findings.
    case unavailable([Finding])
    /// The server could not be asked, so it is not known what it has; why, as findings.
    case unreachable([Finding])

    /// A file as it was fetched; `findings`: what was odd about getting it.
    package init(parsing bytes: some Sequence<UInt8>, findings: [Finding] = []) {
      do throws(AppLinksError) {
        let links = try AssetLinks(parsing: bytes)
        self = .file(links, findings: findings + links.findings)
      } catch {
        self = .unavailable(findings + [AssetLinks.finding(for: error)])
      }
    }
  }

  package let app: AndroidApp
  /// The link in the first record; nil where there is none.
  package let uri: String?
  package private(set) var opens = Opener.unknown
  /// Whether an application record on the tag does it.
  package private(set) var isByRecord = false
  package private(set) var findings: [Finding] = []

  package var wakesApp: Bool { opens == .app }
  /// Whether that is not known because the site could not be asked.
  package private(set) var isUndecided = false

  /// How many bytes an Android application record for the app adds to the message; nil where the
  /// app is woken without one.
  package var recordCost: Int? {
    guard !wakesApp, let record = try? AndroidApplicationRecord(app.packageName) else { return nil }
    return Message(record.record).serialize().count
  }

  /// Checks what a tag with `message` does. `manifest`: the app's own, where it is at hand.
  package init(
    _ message: Message, app: AndroidApp, assetLinks: Source, manifest: AppManifest? = nil
  ) {
    self.app = app
    uri = Self.link(of: message).map { "\($0)" }
    if let package = Self.recordedApp(message) {
      opens = package == app.packageName ? .app : .otherApp
      isByRecord = true
      if opens == .otherApp {
        report(
          .otherAndroidApp, .tag,
          "An application record on the tag starts \(package), not \(app.packageName). Write the record again."
        )
      }
      return
    }
    guard let link = Self.link(of: message), link.isWebLink, let host = link.host else {
      opens = .system
      report(
        .notAnAppLink, .tag,
        "The first record is not a web link, so no site can let an app open it. Android looks at the first record only."
      )
      return
    }
    judge(link, host, assetLinks, manifest)
  }

  private mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ text: String) {
    findings.append(Finding(code, place, text))
  }

  /// The app of the first Android application record.
  private static func recordedApp(_ message: Message) -> String? {
    message.records.lazy.compactMap {
      try? AndroidApplicationRecord(parsing: $0).packageName
    }.first
  }

  /// The link in the first record of `message`, a URI record or a smart poster, which alone counts.
  package static func link(of message: Message) -> Address? {
    guard let record = message.records.first else { return nil }
    let uri =
      (try? URIRecord(parsing: record).uri) ?? (try? SmartPosterRecord(parsing: record).uri.uri)
    return uri.flatMap { try? Address(parsing: $0) }
  }

  // MARK: The link

  private mutating func judge(
    _ link: Address, _ host: String, _ source: Source, _ manifest: AppManifest?
  ) {
    let declares = manifest.map { self.declares(link, host, $0) } ?? true
    switch source {
    case .notAsked:
      opens = declares ? .unknown : .browser
      report(
        .assetLinksNotChecked, .assetLinks,
        "\(host)'s asset links were not checked, so it is not known whether \(app.packageName) opens this link. Give them."
      )
    case .unreachable(let reasons):
      opens = declares ? .unknown : .browser
      isUndecided = declares
      findings += reasons
    case .unavailable(let reasons):
      opens = .browser
      findings += reasons
    case .file(let links, let odd):
      findings += odd
      opens = isListed(in: links, host) && declares && isAllowed(link, by: links) ? .app : .browser
    }
  }

  private mutating func isListed(in links: AssetLinks, _ host: String) -> Bool {
    let statements = links.statements(for: app.packageName)
    guard !statements.isEmpty else {
      let others = Set(links.statements.filter(\.opensLinks).compactMap(\.packageName)).sorted()
      report(
        .androidAppNotListed, .assetLinks,
        "The file lets \(others.isEmpty ? "no app" : others.joined(separator: ", ")) open links, not \(app.packageName)."
      )
      return false
    }
    guard statements.contains(where: { $0.names(oneOf: app.fingerprints) }) else {
      report(
        .fingerprintNotListed, .assetLinks,
        """
        The file has other certificates for \(app.packageName) than the one given. For an app from Google Play it is the \
        certificate of Play App Signing that counts.
        """)
      return false
    }
    if app.fingerprints.isEmpty {
      report(
        .fingerprintNotChecked, .assetLinks,
        "Whether the file has the certificate that signs \(app.packageName) was not checked. Give it behind the package name."
      )
    }
    return true
  }

  /// Whether the rules for Android 15 and later leave the link to the app; older versions have
  /// none.
  private mutating func isAllowed(_ link: Address, by links: AssetLinks) -> Bool {
    let rules = links.statements(for: app.packageName).compactMap(\.rules).flatMap(\.self)
    guard !rules.isEmpty else { return true }
    guard let rule = rules.first(where: { $0.matches(link) }) else {
      report(
        .dynamicRuleUnmatched, .assetLinks,
        "No dynamic rule of the file matches the link: on Android 15 and later it stays in the browser."
      )
      return false
    }
    guard rule.isExclusion else { return true }
    report(
      .dynamicRuleExcludes, .json(rule.path, rule.position),
      "This rule excludes the link: on Android 15 and later it stays in the browser.")
    return false
  }

  /// Whether the app asks for the link and for the host to be verified.
  private mutating func declares(_ link: Address, _ host: String, _ manifest: AppManifest) -> Bool {
    if let name = manifest.packageName, name != app.packageName {
      report(
        .otherManifest, .manifest(line: 1), "The manifest is of \(name), not of \(app.packageName)."
      )
      return false
    }
    if !manifest.references.isEmpty {
      report(
        .manifestReference, .manifest(line: 1),
        """
        What \(manifest.references.joined(separator: ", ")) stands for is in other files. Give the merged manifest, with its \
        values written out.
        """)
    }
    let matching = manifest.filters.filter { $0.matches(link) }
    guard !matching.isEmpty else {
      let near = manifest.filters.first { filter in
        filter.hosts.contains { $0.covers(host, port: link.port) }
      }
      report(
        .linkNotInManifest, .manifest(line: near?.line ?? 1),
        near == nil
          ? "No intent filter has the host \(host), so the app does not ask for its links."
          : near.map(\.isForLinks) == false
            ? "The filter for \(host) lacks the action VIEW or a category, DEFAULT or BROWSABLE, or asks for a type of data."
            : "The intent filters for \(host) do not match the link: look at their schemes and paths."
      )
      return false
    }
    // One filter that asks for it is enough for the host.
    let isVerified = manifest.filters.contains { filter in
      filter.isVerified && filter.isForLinks
        && filter.hosts.contains { $0.covers(host, port: link.port) }
    }
    if !isVerified {
      report(
        .notAutoVerified, .manifest(line: matching[0].line),
        "The filter has no android:autoVerify=\"true\", so Android verifies nothing and the browser opens."
      )
    }
    if matching.allSatisfy(\.hasGroups) {
      report(
        .filterGroups, .manifest(line: matching[0].line),
        "Android 15 and later also look at <uri-relative-filter-group>, which this program does not check."
      )
    }
    return isVerified
  }
}

extension AppLinkCheck: CustomStringConvertible {
  /// One sentence: what opens.
  package var description: String {
    switch opens {
    case .app where isByRecord: "The application record starts \(app.packageName)."
    case .app: "The link wakes \(app.packageName)."
    case .otherApp: "The tag starts another app than \(app.packageName)."
    case .browser: "The link does not wake \(app.packageName); it opens in the browser."
    case .system: "The tag does not wake \(app.packageName)."
    case .unknown: "Whether the link wakes \(app.packageName) is not known."
    }
  }
}
