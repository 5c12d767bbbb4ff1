extension Verdict {
  /// The rule that was nearest to matching: one whose path matches and that fails later, else the
  /// one whose path pattern agrees with the path the longest; of equals the first.
  var nearest: Step? {
    var best: (step: Step, score: Int)?
    for step in steps {
      guard let mismatch = step.mismatch else { continue }
      let score = mismatch.nearness * 2 + (step.component.isExclusion ? 0 : 1)
      if score > best?.score ?? .min { best = (step, score) }
    }
    return best?.step
  }
}

extension Mismatch {
  /// How much of the rule matched; higher is nearer.
  fileprivate var nearness: Int {
    switch self {
    case .unusable: -1
    case .path(let path, let pattern):
      zip(Self.body(path), Self.body(pattern)).prefix { $0 == $1 }.count
    case .query, .queryItem: 1_000_000
    case .fragment: 2_000_000
    }
  }

  /// A path without the slashes that do not count.
  private static func body(_ text: String) -> Substring.UnicodeScalarView {
    text.unicodeScalars[...].drop { $0 == "/" }
  }
}
