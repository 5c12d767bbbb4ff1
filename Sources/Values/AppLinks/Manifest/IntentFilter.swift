/// An intent filter of an app's manifest, as far as tags are concerned.
///
/// developer.android.com, `<intent-filter>` and `<data>`; android.content.IntentFilter, matchData:
/// all `<data>` elements of a filter count together, so that each scheme goes with each host and
/// each path.
package struct IntentFilter: Hashable, Sendable {
  /// What the phone wants to do with the data.
  enum Action: String {
    case view = "android.intent.action.VIEW"
    case ndef = "android.nfc.action.NDEF_DISCOVERED"
    case technology = "android.nfc.action.TECH_DISCOVERED"
    case tag = "android.nfc.action.TAG_DISCOVERED"
  }

  /// A host, or with a `*` in front everything that ends like the rest.
  struct Host: Hashable, Sendable {
    let name: String
    let port: String?

    /// The host whose asset links decide, of a wildcard the domain behind it; nil for what Android
    /// verifies no host by.
    var verifiedHost: String? {
      let parent = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
      return parent.isEmpty || parent.contains("*") ? nil : parent
    }

    func covers(_ host: String, port other: String?) -> Truth {
      if [name, port ?? ""].contains(where: ManifestElement.isReference) { return .unknown }
      let isMeant = name.hasPrefix("*") ? host.hasSuffix(name.dropFirst()) : host == name
      return Truth(isMeant && (port == nil || port == other))
    }
  }

  var actions: Set<String> = []
  var categories: Set<String> = []
  var schemes: Set<String> = []
  var hosts: [Host] = []
  var paths: [PathMatcher] = []
  /// What is compared with all behind the scheme's colon.
  var specificParts: [PathMatcher] = []
  var mimeTypes: Set<String> = []
  /// `<uri-relative-filter-group>`, which Android 15 and later look at.
  var groups: [RelativeFilterGroup] = []
  var isVerified = Truth.no
  /// Below 0, other apps go first; above 0 it counts as 0 (only the system's apps may).
  var priority = 0
  /// Where it starts in the manifest; the first line is 1.
  package internal(set) var line = 0

  mutating func add(_ element: ManifestElement) {
    element["scheme"].map { _ = schemes.insert($0) }
    if let host = element["host"] {
      hosts.append(Host(name: host.lowercased(), port: element["port"]))
    }
    element["mimeType"].map { _ = mimeTypes.insert($0) }
    paths += PathMatcher.matchers(of: element, "path")
    specificParts += PathMatcher.matchers(of: element, "ssp")
  }

  /// Returns whether it is for `action`, and an intent without a component reaches it.
  func isFor(_ action: Action) -> Bool {
    var wanted: Set = ["android.intent.category.DEFAULT"]
    switch action {
    case .view: wanted.insert("android.intent.category.BROWSABLE")
    // NFC starts these by name.
    case .technology, .tag: wanted = []
    case .ndef: break
    }
    return actions.contains(action.rawValue) && categories.isSuperset(of: wanted)
  }

  /// Returns whether its `<data>` take `data`; a pattern that breaks the rules matches nothing.
  func takes(_ data: IntentData, on release: AndroidRelease) -> Truth {
    switch data {
    case .none: .no
    case .mime(let type):
      Truth(schemes.isEmpty) & mimeTypes.any { Self.covers($0, type) }
    case .uri(let uri): Truth(mimeTypes.isEmpty) & takes(uri, on: release)
    }
  }

  private func takes(_ uri: AndroidURI, on release: AndroidRelease) -> Truth {
    let scheme = schemes.any {
      ManifestElement.isReference($0) ? .unknown : Truth($0 == uri.scheme)
    }
    let specific = specificParts.any { $0.truth(uri.schemeSpecificPart) }
    guard !hosts.isEmpty else { return scheme & (specificParts.isEmpty ? .yes : specific) }
    let host = uri.host.map { host in hosts.any { $0.covers(host, port: uri.port) } } ?? .no
    return scheme & (specific | (host & takesPath(of: uri, on: release)))
  }

  private func takesPath(of uri: AndroidURI, on release: AndroidRelease) -> Truth {
    let groups = release >= .android15 ? groups : []
    guard !paths.isEmpty || !groups.isEmpty else { return .yes }
    return paths.any { $0.truth(uri.path) } | RelativeFilterGroup.allow(uri, groups)
  }

  /// Returns whether a type in a manifest, such as `image/*`, takes `type`.
  private static func covers(_ own: String, _ type: String) -> Truth {
    if ManifestElement.isReference(own) { return .unknown }
    if own == "*" || own == "*/*" { return .yes }
    return Truth(own.hasSuffix("/*") ? type.hasPrefix(own.dropLast()) : own == type)
  }
}
