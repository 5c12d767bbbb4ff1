/// How an intent filter compares a path; the path is compared decoded.
///
/// developer.android.com, `<data>`; android.os.PatternMatcher. Android's patterns never go back:
/// what one element has taken it keeps.
enum PathMatcher: Hashable, Sendable {
  case literal(String)
  case prefix(String)
  case suffix(String)
  /// `.` is any character, `*` repeats the one before it, `\` takes the next as it is.
  case simple(String)
  /// Also sets, `+` and `{n,m}`.
  case advanced(String)
  /// The text stands in another file.
  case reference

  /// The matchers of an element whose attributes are called `path`, `pathPrefix`, …; `path` is the
  /// part of the URI.
  static func matchers(of element: ManifestElement, _ part: String) -> [PathMatcher] {
    let kinds: [(String, (String) -> PathMatcher)] = [
      ("", PathMatcher.literal), ("Prefix", PathMatcher.prefix), ("Suffix", PathMatcher.suffix),
      ("Pattern", PathMatcher.simple), ("AdvancedPattern", PathMatcher.advanced),
    ]
    return kinds.compactMap { name, make in
      element[part + name].map { ManifestElement.isReference($0) ? .reference : make($0) }
    }
  }

  /// Returns whether it takes `text`; a pattern that breaks the rules of its kind takes nothing.
  func truth(_ text: String) -> Truth {
    if case .reference = self { return .unknown }
    return Truth(matches(text) ?? false)
  }

  /// Nil where the pattern breaks the rules of its kind.
  func matches(_ path: String) -> Bool? {
    switch self {
    case .reference: return nil
    case .literal(let text): return path == text
    case .prefix(let text): return path.hasPrefix(text)
    case .suffix(let text): return path.hasSuffix(text)
    case .simple(let text): return Self.simple(Array(text), Array(path))
    case .advanced(let text):
      guard let elements = AdvancedPattern(text)?.elements else { return nil }
      return Self.run(elements, Array(path))
    }
  }

  /// Every element takes all it can and gives nothing back.
  private static func run(_ elements: [AdvancedPattern.Element], _ path: [Character]) -> Bool {
    var place = 0
    for element in elements {
      var count = 0
      while place < path.count, count < element.most, element.takes(path[place]) {
        place += 1
        count += 1
      }
      guard count >= element.fewest else { return false }
    }
    return place == path.count
  }

  /// `.*` runs to the first character that equals the next one of the pattern.
  private static func simple(_ pattern: [Character], _ path: [Character]) -> Bool {
    var (index, place) = (0, 0)
    while index < pattern.count {
      let isEscaped = pattern[index] == "\\"
      if isEscaped { index += 1 }
      guard index < pattern.count else { return false }
      let character = pattern[index]
      index += 1
      guard index < pattern.count, pattern[index] == "*" else {
        guard place < path.count, character == path[place] || (character == "." && !isEscaped)
        else { return false }
        place += 1
        continue
      }
      index += 1
      if character == ".", !isEscaped {
        guard index < pattern.count else { return true }
        let next =
          pattern[index] == "\\" && index + 1 < pattern.count
          ? pattern[index + 1] : pattern[index]
        guard let found = path[place...].firstIndex(of: next) else { return false }
        place = found
      } else {
        while place < path.count, path[place] == character { place += 1 }
      }
    }
    return place == path.count
  }
}

/// A pattern of `android:pathAdvancedPattern`, in its elements.
struct AdvancedPattern {
  struct Element {
    var takes: (Character) -> Bool
    var fewest = 1
    var most = 1
  }

  private(set) var elements: [Element] = []

  /// Nil for an open bracket or brace, a repetition of nothing, and an escape at the end.
  init?(_ text: String) {
    let characters = Array(text)
    var index = 0
    func next() -> Character? {
      guard index < characters.count else { return nil }
      defer { index += 1 }
      return characters[index]
    }
    while let character = next() {
      switch character {
      case ".": elements.append(Element { _ in true })
      case "\\":
        guard let literal = next() else { return nil }
        elements.append(Element { $0 == literal })
      case "[":
        var members: [ClosedRange<Character>] = []
        let isNegated = index < characters.count && characters[index] == "^"
        if isNegated { index += 1 }
        while let member = next(), member != "]" {
          let first = member == "\\" ? next() ?? member : member
          if index + 1 < characters.count, characters[index] == "-", characters[index + 1] != "]" {
            index += 1
            guard let last = next(), first <= last else { return nil }
            members.append(first...last)
          } else {
            members.append(first...first)
          }
        }
        guard characters[index - 1] == "]", !members.isEmpty else { return nil }
        let set = members
        elements.append(Element { character in set.contains { $0 ~= character } != isNegated })
      case "*", "+":
        guard let last = elements.indices.last else { return nil }
        elements[last].fewest = character == "*" ? 0 : 1
        elements[last].most = .max
      case "{":
        var inner = ""
        while let digit = next(), digit != "}" { inner.append(digit) }
        let bounds = inner.split(separator: ",", omittingEmptySubsequences: false)
        guard let last = elements.indices.last, characters[index - 1] == "}", bounds.count <= 2,
          let fewest = Int(bounds[0]),
          let most = bounds.count == 1 ? fewest : bounds[1].isEmpty ? .max : Int(bounds[1]),
          0...most ~= fewest
        else { return nil }
        (elements[last].fewest, elements[last].most) = (fewest, most)
      default: elements.append(Element { $0 == character })
      }
    }
  }
}
