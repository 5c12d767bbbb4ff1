import JSON

/// One rule of a site for Android 15 and later: which links of the manifest's scope open the app.
///
/// developer.android.com, Configure website associations and dynamic rules. The first rule that
/// matches decides; a link that none matches stays in the browser.
package struct DynamicRule: Hashable, Sendable {
  let pathPattern: String
  let fragmentPattern: String
  /// Name and pattern of each parameter that must be there.
  let query: [String: String]
  package let isExclusion: Bool
  package let path: JSONPath
  package let position: JSONPosition

  /// Reads a rule; nil for one that Android cannot read (com.android.statementservice,
  /// DalComponentParser), which makes it discard all rules of the app.
  init?(_ element: JSONValue, path: JSONPath) {
    guard let members = element.object else { return nil }
    for member in members {
      switch member.name {
      case "/", "#": guard member.value.string != nil else { return nil }
      case "?":
        guard let items = member.value.object, items.allSatisfy({ $0.value.string != nil }) else {
          return nil
        }
      case "exclude": guard member.value.bool != nil else { return nil }
      default: break
      }
    }
    pathPattern = members.last(named: "/")?.string ?? "*"
    fragmentPattern = members.last(named: "#")?.string ?? "*"
    var query: [String: String] = [:]
    for member in members.last(named: "?")?.object ?? [] {
      query[member.name] = member.value.string
    }
    self.query = query
    isExclusion = members.last(named: "exclude")?.bool ?? false
    self.path = path
    position = element.position
  }

  private static func path(of link: AndroidURI) -> String {
    link.path.isEmpty ? "/" : link.path
  }

  /// All that it looks at.
  var looks: [Look] {
    [
      Look(matcher: Wildcards.matcher(pathPattern)) { [Self.path(of: $0)] },
      Look(matcher: Wildcards.matcher(fragmentPattern)) { [$0.fragment ?? ""] },
    ]
      + query.sorted { $0.key < $1.key }.map { name, pattern in
        Look(matcher: Wildcards.matcher(pattern)) { link in
          link.parameters.filter { $0.name == name }.map(\.value)
        }
      }
  }

  /// Returns whether it is about `link`, whose parts are compared decoded.
  func matches(_ link: AndroidURI) -> Bool {
    let items = link.parameters
    return Wildcards.match(Self.path(of: link), pathPattern)
      && Wildcards.match(link.fragment ?? "", fragmentPattern)
      && query.allSatisfy { name, pattern in
        items.contains { $0.name == name && Wildcards.match($0.value, pattern) }
      }
  }
}

/// The patterns of a site's rules: `*` is any run of characters, `?` one character, `?*` at least
/// one. As with the patterns of a manifest, `*` runs to the first character that equals the next
/// one, and never goes back.
enum Wildcards {
  static func match(_ text: String, _ pattern: String) -> Bool {
    matcher(pattern).matches(text) ?? false
  }

  static func matcher(_ pattern: String) -> PathMatcher {
    // As Android's own reader of rules makes them (DalComponentParser).
    let literal = pattern.prefix { !"*?".contains($0) }
    if literal.count == pattern.count { return .literal(pattern) }
    if pattern.dropFirst(literal.count) == "*" { return .prefix(String(literal)) }
    // A run of wildcards is the same in any order; so it never stands for what comes next.
    var ordered = ""
    var hasStar = false
    for character in pattern {
      if character == "*" {
        hasStar = true
        continue
      }
      if hasStar, character != "?" {
        ordered.append("*")
        hasStar = false
      }
      ordered.append(character)
    }
    if hasStar { ordered.append("*") }
    let simple = ordered.map { character in
      switch character {
      case "*": ".*"
      case "?": "."
      case ".", "\\": "\\\(character)"
      default: "\(character)"
      }
    }
    return .simple(simple.joined())
  }
}
