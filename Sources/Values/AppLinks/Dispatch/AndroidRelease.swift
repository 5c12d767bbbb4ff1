/// A version of Android for which a verdict is given.
package enum AndroidRelease: Int, Hashable, Sendable, CaseIterable, Comparable {
  case android12 = 12
  case android13 = 13
  case android14 = 14
  case android15 = 15
  case android16 = 16
  case android17 = 17

  /// The API level that apps name (`minSdkVersion`).
  package var apiLevel: Int {
    switch self {
    case .android12: 31
    case .android13: 33
    case .android14: 34
    case .android15: 35
    case .android16: 36
    case .android17: 37
    }
  }

  package static func < (left: AndroidRelease, right: AndroidRelease) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Reads `16`, `14-17` or, with commas, several of these, of 12 to 17; nil for anything else.
  package static func releases(parsing text: String) -> [AndroidRelease]? {
    var releases: Set<AndroidRelease> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        12...17 ~= first, 12...17 ~= last, first <= last
      else { return nil }
      releases.formUnion(allCases.filter { first...last ~= $0.rawValue })
    }
    return releases.sorted()
  }
}
