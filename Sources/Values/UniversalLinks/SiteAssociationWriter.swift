import JSON
import WebAddress

/// Writes a site association for one list of paths, the same for all apps.
public struct SiteAssociationWriter: Hashable, Sendable {
  /// The apps that get the links.
  package var appIDs: [String]
  /// Path patterns that open the apps; none means every path.
  package var paths: [String]
  /// Path patterns that stay in the browser whatever `paths` say.
  package var exclusions: [String]
  /// App Clips of the domain.
  package var appClips: [String]

  /// App IDs with their prefix; paths as patterns, all of them where none is given.
  public init(
    appIDs: [String], paths: [String] = [], exclusions: [String] = [], appClips: [String] = []
  ) {
    self.appIDs = appIDs
    self.paths = paths
    self.exclusions = exclusions
    self.appClips = appClips
  }

  /// The file: exclusions first, since the first match decides. The same input gives the same
  /// bytes, and `SiteAssociation.findings(parsing:)` are none.
  ///
  /// Characters that a URL has percent-encoded are written so. A pattern is left out when an
  /// earlier one takes all that it matches, to the same effect. Throws when there is no app at all,
  /// and when the file would be wrong: a malformed app ID, a pattern that matches nothing, a path
  /// that an exclusion hides.
  public func text() throws(UniversalLinksError) -> String {
    guard !appIDs.isEmpty || !appClips.isEmpty else { throw .cannotWrite(.noApp) }
    var top: [(String, JSONText)] = []
    if !appIDs.isEmpty {
      let entry = JSONText.object([
        ("appIDs", .array(Self.unique(appIDs).map(JSONText.string))),
        ("components", .array(components)),
      ])
      top.append(("applinks", .object([("details", .array([entry]))])))
    }
    if !appClips.isEmpty {
      let apps = JSONText.array(Self.unique(appClips).map(JSONText.string))
      top.append(("appclips", .object([("apps", apps)])))
    }
    let text = JSONText.object(top).pretty() + "\n"
    // A file for App Clips alone lacks applinks on purpose.
    let findings = Lint.findings(parsing: text.utf8).filter {
      $0.code != .noAppLinks || !appIDs.isEmpty
    }
    guard findings.isEmpty else { throw .cannotWrite(.findings(findings)) }
    return text
  }

  private var components: [JSONText] {
    let opening = paths.isEmpty ? ["*"] : paths
    return Self.needed(exclusions).map { .object([("/", .string($0)), ("exclude", .bool(true))]) }
      + Self.needed(opening).map { .object([("/", .string($0))]) }
  }

  /// `patterns` in their order, encoded, without those that an earlier one covers.
  private static func needed(_ patterns: [String]) -> [String] {
    var kept: [Pattern] = []
    var result: [String] = []
    for text in patterns.map(encode) {
      guard let pattern = try? Pattern(text, isPath: true, isCompared: true) else {
        result.append(text)
        continue
      }
      guard !kept.contains(where: { $0.covers(pattern) }) else { continue }
      kept.append(pattern)
      result.append(text)
    }
    return result
  }

  private static func encode(_ pattern: String) -> String {
    PercentEncoding.encode(pattern) { scalar in
      Address.isPathCharacter(scalar) || "/?#%".unicodeScalars.contains(scalar)
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
