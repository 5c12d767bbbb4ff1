import NDEF
import UniversalLinks

/// Says whether a tag wakes an Android app, on which versions, what happens otherwise, and why.
///
/// It says what follows from the message, the app's manifest and the site's asset links. Not to be
/// seen from here: whether the app is installed and was opened once, what the user switched off,
/// and which other apps there are.
package struct AppLinkCheck: Sendable {
  package let app: AndroidApp
  /// The URI that the first record holds; nil where it holds none.
  package let uri: String?
  /// Is true if not every link that the tag may show does the same.
  let varies: Bool
  /// A verdict for each version that was asked for, the oldest first.
  package let versions: [AndroidVersion]
  package let findings: [Finding]
  /// Is true if it may be known when the site is asked again.
  private let waitsForSite: Bool
  private let hasRecord: Bool

  /// Checks what a tag with `message` does; nil: it has none that can be read. `manifest`: the
  /// app's own, where it is at hand. `releases`: the versions that are asked for; nil: those that
  /// the app can be installed on.
  package init(
    _ message: Message?, app: AndroidApp, assetLinks: Source, manifest: AppManifest? = nil,
    releases: [AndroidRelease]? = nil
  ) {
    self.app = app
    let data = message?.records.first.map { IntentData($0) } ?? .none
    if case .uri(let link) = data { uri = link.text } else { uri = nil }
    let own = manifest.map { $0.packageName ?? app.packageName == app.packageName } ?? true
    let vouching = assetLinks.vouching(for: app, data.webLink, manifest)
    var dispatch = AndroidDispatch(
      message, app: app, manifest: own ? manifest : AppManifest(), vouching: vouching)
    let allowed = AndroidRelease.allCases.filter { manifest?.isInstallable(on: $0) ?? true }
    versions = (releases ?? (allowed.isEmpty ? AndroidRelease.allCases : allowed)).map {
      dispatch.version(on: $0)
    }
    if let manifest, !own {
      dispatch.report(
        .otherManifest, .manifest(line: 1),
        "The manifest is of \(manifest.packageName ?? ""), not of \(app.packageName).")
    }
    if let references = manifest?.references, !references.isEmpty {
      let finding = Finding(
        .manifestReference, .manifest(line: 1),
        """
        What \(references.joined(separator: ", ")) stands for is in other files. Give the merged manifest, with its \
        values written out.
        """)
      if versions.contains(where: { $0.outcome == .unknown }) {
        dispatch.add([finding])
      } else {
        dispatch.add([finding.beside])
      }
    }
    let asked = versions.contains { $0.step == .linkView }
    findings = dispatch.findings + (asked ? [] : vouching.findings.map(\.beside))
    waitsForSite = asked && vouching.isUndecided
    hasRecord = dispatch.packages.contains(app.packageName)
    varies = false
  }

  /// The check `other` as that of the message that `stored` is of; `doubt`: why its answer is not
  /// that for every message that the tag may show.
  init(of other: AppLinkCheck, as stored: AppLinkCheck, doubt: Finding?) {
    (app, uri, versions) = (other.app, stored.uri, other.versions)
    findings = doubt.map { other.findings.map(\.beside) + [$0] } ?? other.findings
    (waitsForSite, hasRecord) = (other.waitsForSite, other.hasRecord)
    varies = doubt != nil
  }

  /// The answer for all versions that were asked for: yes if each starts the app with the link.
  package var conclusion: Conclusion {
    let outcomes = Set(versions.map(\.outcome))
    return Conclusion(
      outcomes.isEmpty || varies
        ? .notKnown
        : outcomes == [.app] ? .yes : outcomes.isSubset(of: [.app, .unknown]) ? .notKnown : .no,
      findings)
  }

  package var wakesApp: Bool { conclusion.isYes }

  /// Is true if that is not known because the site could not be asked.
  package var isUndecided: Bool { waitsForSite && conclusion.answer == .notKnown }

  /// What happens, of several versions on the first that does not start the app with the link.
  package var opens: AndroidOutcome {
    if wakesApp { return .app }
    if varies { return .unknown }
    let others = versions.map(\.outcome).filter { $0 != .app }
    return others.first { $0 != .unknown } ?? .unknown
  }

  /// Is true if an application record on the tag decides.
  package var isByRecord: Bool { versions.contains { $0.step == .applicationRecord } }

  /// How many bytes an application record for the app adds to the message; nil where it has one,
  /// or the app is woken without it.
  package var recordCost: Int? {
    guard !wakesApp, !hasRecord, let record = try? AndroidApplicationRecord(app.packageName) else {
      return nil
    }
    return Message(record.record).serialize().count
  }

  /// The host whose asset links decide of a tag with `message`; nil where no site is asked.
  package static func host(of message: Message?, manifest: AppManifest?) -> String? {
    guard let first = message?.records.first, let link = IntentData(first).webLink,
      let host = link.host
    else { return nil }
    guard let hosts = manifest?.fileHosts(of: host) else { return host }
    return hosts.contains(host) ? host : hosts[0]
  }
}

extension IntentData {
  /// The web link, where it is one.
  var webLink: AndroidURI? {
    if case .uri(let uri) = self, uri.isWebLink { uri } else { nil }
  }
}

extension AppLinkCheck: CustomStringConvertible {
  /// One sentence: what happens.
  package var description: String {
    let name = app.packageName
    switch conclusion.answer {
    case .yes:
      return isByRecord ? "The tag starts \(name) with its link." : "The tag wakes \(name)."
    case .notKnown: return "Whether the tag wakes \(name) is not known."
    case .no: break
    }
    guard Set(versions.map(\.outcome)).count == 1 else {
      return "The tag does not wake \(name) on every Android: \(summary)."
    }
    return switch opens {
    case .app: "The tag does not wake \(name)."
    case .launcher: "The tag starts \(name) without its link."
    case .chooser: "The tag does not wake \(name) by itself; the phone asks."
    case .browser: "The tag does not wake \(name); it opens in the browser."
    case .store: "The tag does not wake \(name); the store opens."
    case .other: "The tag starts another app than \(name)."
    case .system, .nothing, .unknown: "The tag does not wake \(name)."
    }
  }

  /// `12 to 15 browser, 16 to 17 app`.
  private var summary: String {
    var runs: [(first: AndroidVersion, last: AndroidVersion)] = []
    for version in versions {
      if let last = runs.indices.last, runs[last].last.outcome == version.outcome {
        runs[last].last = version
      } else {
        runs.append((version, version))
      }
    }
    return runs.map { run in
      let (first, last) = (run.first.release.rawValue, run.last.release.rawValue)
      return "\(first)\(first == last ? "" : " to \(last)") \(run.first.outcome.rawValue)"
    }.joined(separator: ", ")
  }
}
