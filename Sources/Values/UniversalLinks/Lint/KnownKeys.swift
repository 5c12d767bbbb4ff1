/// The keys that each object of a site association may have.
///
/// developer.apple.com, applinks and its parts.
enum KnownKeys: String {
  case top = "the file"
  case applinks = "applinks"
  case entry = "an entry of details"
  case component = "a component"
  case defaults = "defaults"
  case service = "this service"

  var names: [String] {
    switch self {
    case .top: ["applinks", "appclips", "webcredentials", "activitycontinuation"]
    case .applinks: ["apps", "details", "defaults", "substitutionVariables"]
    case .entry: ["appID", "appIDs", "components", "paths", "defaults"]
    case .component, .defaults:
      ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment"]
    case .service: ["apps"]
    }
  }

  /// Words for a key that no distance leads to.
  private static let aliases: [String: String] = [
    "path": "/", "paths": "/", "query": "?", "queries": "?", "fragment": "#", "hash": "#",
    "not": "exclude", "ignorecase": "caseSensitive", "bundleid": "appID", "bundleids": "appIDs",
    "rules": "components", "apps": "appIDs", "variables": "substitutionVariables",
  ]

  /// What the unknown key `name` was probably meant to be.
  func guess(for name: String) -> String? {
    guard name.utf8.count <= 40 else { return nil }
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let alias = Self.aliases[plain], names.contains(alias) { return alias }
    return names.first { known in
      guard known.utf8.count > 3 else { return false }
      return Self.distance(plain, known.lowercased()) <= (known.utf8.count > 5 ? 2 : 1)
    }
  }

  /// How many characters must be added, taken away or changed (Levenshtein).
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for byte in left.utf8 {
      var diagonal = row[0]
      row[0] += 1
      for (index, other) in right.enumerated() {
        let above = row[index + 1]
        row[index + 1] = min(above + 1, row[index] + 1, diagonal + (byte == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
