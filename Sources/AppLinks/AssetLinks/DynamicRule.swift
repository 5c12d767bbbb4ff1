import UniversalLinks
import WebAddress

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

  init(_ members: [JSONMember], path: JSONPath, position: JSONPosition) {
    pathPattern = members.last(named: "/")?.string ?? "*"
    fragmentPattern = members.last(named: "#")?.string ?? "*"
    var query: [String: String] = [:]
    for member in members.last(named: "?")?.object ?? [] {
      query[member.name] = member.value.string
    }
    self.query = query
    isExclusion = members.last(named: "exclude")?.bool ?? false
    self.path = path
    self.position = position
  }

  /// Whether it is about `link`.
  func matches(_ link: Address) -> Bool {
    let items = link.parameters
    return Wildcards.match(link.path.isEmpty ? "/" : link.path, pathPattern)
      && Wildcards.match(link.fragment ?? "", fragmentPattern)
      && query.allSatisfy { name, pattern in
        items.contains { $0.name == name && Wildcards.match($0.value, pattern) }
      }
  }
}

/// The patterns of a site's rules: `*` is any run of characters, `?` one character, `?*` at least
/// one.
enum Wildcards {
  static func match(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text.unicodeScalars), Array(pattern.unicodeScalars))
    var (place, index) = (0, 0)
    // Where to go on when what follows the last `*` does not fit: one character further on.
    var retry: (index: Int, place: Int)?
    while place < text.count {
      if index < pattern.count, pattern[index] == "*" {
        retry = (index, place)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[place] {
        index += 1
        place += 1
      } else if let (star, start) = retry {
        retry = (star, start + 1)
        (index, place) = (star + 1, start + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}

extension Address {
  /// The parts of the query in their order; a part without `=` has an empty value.
  var parameters: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
  }
}
