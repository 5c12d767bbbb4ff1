import JSON

/// An apple-app-site-association file: which apps may open which of a domain's links.
///
/// developer.apple.com, applinks and Supporting associated domains. Whatever in the file has the
/// wrong type or an unknown name is left out, as iOS does; `findings(parsing:)` tell what. Of a
/// repeated name the last value counts.
public struct SiteAssociation: Hashable, Sendable {
  /// The largest file that iOS takes, in bytes, uncompressed.
  package static let byteLimit = 128 * 1024

  /// The text, with everything that this type leaves out.
  package let document: JSONDocument
  /// The `details` in their order.
  package let entries: [Entry]
  package let variables: SubstitutionVariables
  /// `appclips.apps`: App Clips that may be started from links of the domain.
  package let appClips: [String]
  /// `webcredentials.apps`: apps that share passwords with the domain.
  package let webCredentials: [String]
  /// `activitycontinuation.apps`: apps that take over Handoff from the domain.
  package let activityContinuation: [String]

  /// Rules for one app or several: an element of `details`.
  package struct Entry: Hashable, Sendable {
    /// `appID` and `appIDs`, each once.
    package let appIDs: [String]
    /// The first that matches a link decides.
    package let components: [Component]
    package let path: JSONPath
    package let position: JSONPosition
  }

  /// Every app that the file names, in the order of the file, each once.
  public var appIDs: [String] {
    var seen: Set<String> = []
    return entries.flatMap(\.appIDs).filter { seen.insert($0).inserted }
  }
}
