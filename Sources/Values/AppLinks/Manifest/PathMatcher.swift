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
    let units = Array(path.utf16)
    guard let scanner = PathScanner(self, length: units.count) else { return nil }
    return scanner.accepts(units.reduce(scanner.start) { scanner.state(after: $1, from: $0) })
  }
}

/// A pattern of `android:pathAdvancedPattern`, in its elements.
struct AdvancedPattern {
  struct Element {
    var takes: @Sendable (UInt16) -> Bool
    var fewest = 1
    var most = 1
  }

  private(set) var elements: [Element] = []

  /// Nil for an open bracket or brace, a repetition of nothing, and an escape at the end.
  init?(_ text: String) {
    let characters = Array(text.utf16)
    func unit(_ sign: Unicode.Scalar) -> UInt16 { UInt16(sign.value) }
    var index = 0
    func next() -> UInt16? {
      guard index < characters.count else { return nil }
      defer { index += 1 }
      return characters[index]
    }
    while let character = next() {
      switch character {
      case unit("."): elements.append(Element { _ in true })
      case unit("\\"):
        guard let literal = next() else { return nil }
        elements.append(Element { $0 == literal })
      case unit("["):
        var members: [ClosedRange<UInt16>] = []
        let isNegated = index < characters.count && characters[index] == unit("^")
        if isNegated { index += 1 }
        while let member = next(), member != unit("]") {
          let first = member == unit("\\") ? next() ?? member : member
          if index + 1 < characters.count, characters[index] == unit("-"),
            characters[index + 1] != unit("]")
          {
            index += 1
            guard let last = next(), first <= last else { return nil }
            members.append(first...last)
          } else {
            members.append(first...first)
          }
        }
        guard characters[index - 1] == unit("]"), !members.isEmpty else { return nil }
        let set = members
        elements.append(Element { character in set.contains { $0 ~= character } != isNegated })
      case unit("*"), unit("+"):
        guard let last = elements.indices.last else { return nil }
        elements[last].fewest = character == unit("*") ? 0 : 1
        elements[last].most = .max
      case unit("{"):
        var inner: [UInt16] = []
        while let digit = next(), digit != unit("}") { inner.append(digit) }
        let bounds = String(decoding: inner, as: UTF16.self)
          .split(separator: ",", omittingEmptySubsequences: false)
        guard let last = elements.indices.last, characters[index - 1] == unit("}"),
          bounds.count <= 2, let fewest = Int(bounds[0]),
          let most = bounds.count == 1 ? fewest : bounds[1].isEmpty ? .max : Int(bounds[1]),
          0...most ~= fewest
        else { return nil }
        (elements[last].fewest, elements[last].most) = (fewest, most)
      default: elements.append(Element { $0 == character })
      }
    }
  }
}
