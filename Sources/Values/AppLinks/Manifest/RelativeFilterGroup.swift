/// One `<uri-relative-filter-group>`: links of the filter's hosts that open the app, or that do not
/// (android.content.UriRelativeFilterGroup; Android 15 and later).
struct RelativeFilterGroup: Hashable, Sendable {
  let allows: Truth
  private var paths: [PathMatcher] = []
  private var queries: [PathMatcher] = []
  private var fragments: [PathMatcher] = []

  init(allows: Truth) { self.allows = allows }

  mutating func add(_ element: ManifestElement) {
    paths += PathMatcher.matchers(of: element, "path")
    queries += PathMatcher.matchers(of: element, "query")
    fragments += PathMatcher.matchers(of: element, "fragment")
  }

  private static func parts(of uri: AndroidURI) -> [String] {
    uri.query?.split(separator: "&").map(String.init) ?? []
  }

  /// All that it looks at.
  var looks: [Look] {
    paths.map { Look(matcher: $0) { [$0.path] } }
      + queries.map { Look(matcher: $0, texts: Self.parts) }
      + fragments.map { Look(matcher: $0) { [$0.fragment].compactMap(\.self) } }
  }

  /// All that it names has to match; of a query any of its parts.
  private func matches(_ uri: AndroidURI) -> Truth {
    let parts = Self.parts(of: uri)
    return paths.all { $0.truth(uri.path) }
      & queries.all { query in parts.any { query.truth($0) } }
      & fragments.all { fragment in uri.fragment.map(fragment.truth) ?? .no }
  }

  /// Returns what the first of `groups` that matches says; without one, no.
  static func allow(_ uri: AndroidURI, _ groups: [RelativeFilterGroup]) -> Truth {
    for group in groups {
      switch group.matches(uri) {
      case .yes: return group.allows
      case .unknown: return .unknown
      case .no: continue
      }
    }
    return .no
  }
}
