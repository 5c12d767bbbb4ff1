import WebAddress

/// A component with its patterns compiled, ready to be compared with links.
struct CompiledComponent {
  let component: Component
  let path: Pattern?
  /// The path's pattern without its wildcard in front, where that may stand for the first slash.
  let pathAfterSlash: Pattern?
  let query: Query?
  let fragment: Pattern?
  /// The characters of its patterns, variables put in.
  let size: Int

  enum Query {
    case whole(Pattern)
    case items([(name: String, value: Pattern)])
  }

  /// Throws when one of the patterns can never match; its fault tells why.
  ///
  /// With `isCompared`, for comparing it with other components.
  init(
    _ component: Component, variables: SubstitutionVariables, isCompared: Bool = false,
    wildcardTakesSlash: Bool = false
  ) throws(UniversalLinksError) {
    func compile(_ text: String, isPath: Bool = false) throws(UniversalLinksError) -> Pattern {
      try Pattern(
        text, variables: variables, caseSensitive: component.isCaseSensitive, isPath: isPath,
        isCompared: isCompared)
    }
    self.component = component
    if let text = component.pathPattern {
      path = try compile(text, isPath: true)
      let isTaken = wildcardTakesSlash && Pattern.beginsWithWildcardAndSlash(text)
      pathAfterSlash = isTaken ? try compile(String(text.dropFirst()), isPath: true) : nil
    } else {
      (path, pathAfterSlash) = (nil, nil)
    }
    if let text = component.fragmentPattern { fragment = try compile(text) } else { fragment = nil }
    switch component.query {
    case nil: query = nil
    case .whole(let text): query = .whole(try compile(text))
    case .items(let items):
      var compiled: [(name: String, value: Pattern)] = []
      for item in items { compiled.append((item.name, try compile(item.value))) }
      query = .items(compiled)
    }
    var size = (path?.size ?? 0) + (fragment?.size ?? 0)
    switch query {
    case nil: break
    case .whole(let pattern): size += pattern.size
    case .items(let items): size += items.reduce(0) { $0 + $1.value.size }
    }
    self.size = size
  }

  /// Why `link` does not match, or nil when it does.
  func mismatch(_ parts: LinkTexts) -> Mismatch? {
    let link = parts.link
    if let path, !path.matches(parts.path(for: component)),
      pathAfterSlash.map({ !$0.matches(parts.path(for: component)) }) ?? true
    {
      return .path(link.path, pattern: path.text)
    }
    switch query {
    case nil: break
    case .whole(let pattern):
      guard pattern.matches(parts.text(link.query ?? "", for: component)) else {
        return .query(link.query, pattern: pattern.text)
      }
    case .items(let items):
      let given = link.queryItems.map { (name: text($0.name), value: text($0.value)) }
      for (name, pattern) in items {
        let values = given.filter { isSameName($0.name, name) }.map(\.value)
        // A name that is missing counts as one with an empty value; of several, each must match.
        if let bad = (values.isEmpty ? [""] : values).first(where: {
          !pattern.matches(parts.decoded($0, for: component))
        }) {
          return .queryItem(
            name: name, value: values.isEmpty ? nil : bad, pattern: pattern.text)
        }
      }
    }
    if let fragment, !fragment.matches(parts.text(link.fragment ?? "", for: component)) {
      return .fragment(link.fragment, pattern: fragment.text)
    }
    return nil
  }

  /// `written` as it is compared.
  func text(_ written: String) -> String {
    component.isPercentEncoded ? written : PercentEncoding.decode(written)
  }

  /// Returns whether names are folded too is not documented; they follow the values.
  func isSameName(_ left: String, _ right: String) -> Bool {
    guard !component.isCaseSensitive else { return left.utf8.elementsEqual(right.utf8) }
    return left.unicodeScalars.lazy.map { CaseFolding.fold($0.value) }
      .elementsEqual(right.unicodeScalars.lazy.map { CaseFolding.fold($0.value) })
  }
}

extension CompiledComponent {
  /// Returns whether this component matches every link that `other` matches. True is proven; false
  /// means that no proof was found.
  func covers(_ other: CompiledComponent) -> Bool {
    Self.covers(path, other.path, sameText: comparesSameText(as: other))
      && coversQuery(of: other)
      && Self.covers(fragment, other.fragment, sameText: comparesSameText(as: other))
  }

  private func comparesSameText(as other: CompiledComponent) -> Bool {
    component.isPercentEncoded == other.component.isPercentEncoded
  }

  private static func covers(_ mine: Pattern?, _ other: Pattern?, sameText: Bool) -> Bool {
    guard let mine, !mine.matchesEverything else { return true }
    guard let other, sameText else { return false }
    return mine.covers(other)
  }

  private func coversQuery(of other: CompiledComponent) -> Bool {
    let sameText = comparesSameText(as: other)
    switch query {
    case nil: return true
    case .whole(let mine):
      if case .whole(let theirs) = other.query {
        return Self.covers(mine, theirs, sameText: sameText)
      }
      return mine.matchesEverything
    case .items(let mine):
      var theirs: [(name: String, value: Pattern)] = []
      if case .items(let items) = other.query { theirs = items }
      // A component without case finds more values for a name than one with it.
      let sameNames = component.isCaseSensitive == other.component.isCaseSensitive
      return mine.allSatisfy { name, pattern in
        pattern.matchesEverything
          || sameNames && sameText
            && theirs.contains { isSameName($0.name, name) && pattern.covers($0.value) }
      }
    }
  }
}
