import NDEF
import UniversalLinks

@testable import AppLinks

/// A link, a manifest and asset links, a zero byte between them: each is read or refused with its
/// place, and what is said of Android's versions agrees with itself.
enum AppLinksTarget: FuzzTarget {
  private static let app = AndroidApp(packageName: "com.example.app")

  static func check(_ bytes: [UInt8]) throws {
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let file = parts.count > 2 ? Array(parts[2]) : []
    let findings = AssetLinks.findings(parsing: file)
    if (try? AssetLinks(parsing: file)) == nil {
      try require(!findings.isEmpty, "asset links are refused without a finding")
    }
    guard let manifest = try manifest(parts.count > 1 ? Array(parts[1]) : []) else { return }
    let uri = String(decoding: parts.first ?? [], as: UTF8.self)
    guard let record = try? URIRecord(uri).record else { return }
    let source = AppLinkCheck.Source(parsing: file)
    let check = AppLinkCheck(
      Message(record), app: app, assetLinks: source, manifest: manifest,
      releases: AndroidRelease.allCases)
    try require(check.wakesApp == (check.opens == .app), "wakes an app and opens something else")
    try require(!(check.wakesApp && check.isUndecided), "wakes an app, and the site decides")
    for version in check.versions {
      let alone = AppLinkCheck(
        Message(record), app: app, assetLinks: source, manifest: manifest,
        releases: [version.release])
      try require(alone.versions == [version], "a version's answer hangs on the others")
    }
  }

  /// Nil where it is refused.
  private static func manifest(_ bytes: [UInt8]) throws -> AppManifest? {
    let lines = 1...(bytes.count { $0 == 0x0A } + 2)
    let manifest: AppManifest
    do throws(AppLinksError) {
      manifest = try AppManifest(parsing: bytes)
    } catch {
      guard case .manifest(_, let line) = error, lines.contains(line) else {
        throw Broken("a manifest is refused with \(error)")
      }
      return nil
    }
    for activity in manifest.activities {
      try require(
        ([activity.line] + activity.filters.map(\.line)).allSatisfy(lines.contains),
        "a place outside of the manifest")
    }
    return manifest
  }
}
