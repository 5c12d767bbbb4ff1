import JSON
import WebAddress

/// What a site association says of one link and one app, and why.
package struct Verdict: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    /// The app opens the link.
    case matched
    /// A rule keeps the link in the browser.
    case excluded
    /// The file names the app, but none of its rules matches.
    case unmatched
    /// The file does not name the app under `applinks`.
    case appNotListed
  }

  /// A rule that was tried, and why it does not match; nil when it does and so decides.
  package struct Step: Hashable, Sendable {
    package let component: Component
    package let mismatch: Mismatch?
  }

  package let appID: String
  package let link: Address
  package let outcome: Outcome
  /// The app's rules in the order in which they were tried.
  package let steps: [Step]

  /// The rule that decides, when one does.
  package var decidedBy: Component? {
    steps.last.flatMap { $0.mismatch == nil ? $0.component : nil }
  }
}

/// Why a rule does not match a link. Texts are as written in the link and in the file.
package enum Mismatch: Hashable, Sendable {
  case path(String, pattern: String)
  /// The query is nil when there is none.
  case query(String?, pattern: String)
  /// The value is nil when the link has no parameter of that name.
  case queryItem(name: String, value: String?, pattern: String)
  case fragment(String?, pattern: String)
  /// One of the rule's patterns can never match.
  case unusable(UniversalLinksError)
}

extension Mismatch: CustomStringConvertible {
  /// A clause without a full stop.
  package var description: String {
    switch self {
    case .path(let path, let pattern):
      "the path \(JSONText.quoted(path)) does not match \(JSONText.quoted(pattern))"
    case .query(nil, let pattern): "there is no query to match \(JSONText.quoted(pattern))"
    case .query(let query?, let pattern):
      "the query \(JSONText.quoted(query)) does not match \(JSONText.quoted(pattern))"
    case .queryItem(let name, nil, let pattern):
      "the query has no \(JSONText.quoted(name)) to match \(JSONText.quoted(pattern))"
    case .queryItem(let name, let value?, let pattern):
      "\(JSONText.quoted(name)) in the query is \(JSONText.quoted(value)), which does not match "
        + JSONText.quoted(pattern)
    case .fragment(nil, let pattern): "there is no fragment to match \(JSONText.quoted(pattern))"
    case .fragment(let fragment?, let pattern):
      "the fragment \(JSONText.quoted(fragment)) does not match \(JSONText.quoted(pattern))"
    case .unusable(let error): "it can never match: \(error)"
    }
  }
}

extension Verdict.Step: CustomStringConvertible {
  /// One sentence without a full stop.
  package var description: String {
    let place = "\(component.path) (line \(component.position.line))"
    return mismatch.map { "\(place) does not decide: \($0)" }
      ?? "\(place) decides: \(component.isExclusion ? "excluded" : "matched")"
  }
}

extension Verdict: CustomStringConvertible {
  /// One sentence: the outcome and what decided it.
  package var description: String {
    let place = decidedBy.map { "\($0.path) (line \($0.position.line))" } ?? ""
    return switch outcome {
    case .matched: "\(link) opens \(appID): \(place) matches."
    case .excluded: "\(link) stays in the browser: \(place) excludes it for \(appID)."
    case .unmatched where steps.isEmpty:
      "\(link) stays in the browser: the site association has no rule for \(appID)."
    case .unmatched:
      "\(link) stays in the browser: none of the \(steps.count) rules for \(appID) matches."
    case .appNotListed:
      "\(link) stays in the browser: applinks of the site association does not name \(appID)."
    }
  }
}
