/// A compiled pattern: `*` any run of characters, `?` one character, `$(name)` one of a list.
///
/// A pattern is compared with a whole text, never with a part of it. Its pieces are taken in turn,
/// each moving the set of all places in the text that it can have reached: see `MatchedText`.
/// developer.apple.com, applinks.Details.Components.
package struct Pattern: Hashable, Sendable {
  /// The most characters that a pattern may have once its variables are put in: more than a file of
  /// the permitted size can give one variable, so that only a pattern which uses a long one many
  /// times is refused.
  package static let sizeLimit = 1_048_576
  /// The most characters of a pattern that is compared with other patterns.
  static let comparisonLimit = 16_384

  /// The pattern as it is written.
  package let text: String
  let elements: [PatternElement]
  let foldsCase: Bool
  /// For comparing it with other patterns; nil where nobody asked for it or it is too long.
  let automaton: PatternAutomaton?
  /// How many characters it has with its variables put in.
  let size: Int

  /// Compiles `text`. Throws `undefinedVariable` and `tooLarge`.
  ///
  /// For a path, `isPath`, slashes at both ends do not count: `abc`, `/abc` and `//abc/` are one
  /// pattern, and `/abc/*` matches `/abc` too.
  package init(
    _ text: String, variables: SubstitutionVariables = SubstitutionVariables(),
    caseSensitive: Bool = true, isPath: Bool = false
  ) throws(UniversalLinksError) {
    try self.init(
      text, variables: variables, caseSensitive: caseSensitive, isPath: isPath,
      isCompared: false)
  }

  /// Parses `text` as a pattern; with `isCompared` it can be compared with other patterns, which
  /// takes longer to prepare.
  init(
    _ text: String, variables: SubstitutionVariables = SubstitutionVariables(),
    caseSensitive: Bool = true, isPath: Bool = false, isCompared: Bool
  ) throws(UniversalLinksError) {
    self.text = text
    foldsCase = !caseSensitive
    elements = try Self.elements(
      of: text, variables: variables, foldsCase: foldsCase, isPath: isPath)
    size = elements.reduce(0) { $0 + $1.size }
    automaton = isCompared && size <= Self.comparisonLimit ? PatternAutomaton(elements) : nil
  }

  /// The pieces of `text` with the variables put in. Throws what `init` throws.
  static func elements(
    of text: String, variables: SubstitutionVariables, foldsCase: Bool, isPath: Bool
  ) throws(UniversalLinksError) -> [PatternElement] {
    let pieces = PatternPiece.pieces(of: text)
    var body = pieces[...]
    var hasParent = false
    if isPath {
      body = body.drop { $0 == .slash }
      let trimmed = body.reversed().drop { $0 == .anyRun }
      hasParent = trimmed.count < body.count && trimmed.first == .slash
      if hasParent {
        body = body.prefix(trimmed.count - 1)
      } else {
        body = body.prefix(body.reversed().drop { $0 == .slash }.count)
      }
    }
    var elements: [PatternElement] = []
    var size = 0
    for piece in body {
      let element = try element(of: piece, variables: variables, foldsCase: foldsCase)
      size += element.size
      guard size <= sizeLimit else { throw .pattern(.tooLarge) }
      elements.append(element)
    }
    if hasParent { elements.append(.choice([[], [.literal(0x2F), .anyRun]])) }
    return PatternElement.normalized(elements)
  }

  private static func element(
    of piece: PatternPiece, variables: SubstitutionVariables, foldsCase: Bool
  ) throws(UniversalLinksError) -> PatternElement {
    guard case .variable(let name) = piece else {
      return PatternElement(piece, foldsCase: foldsCase)
    }
    guard let element = variables.element(for: name, foldsCase: foldsCase) else {
      throw .pattern(.undefinedVariable(name))
    }
    return element
  }

  /// Returns whether the first character of a path's pattern may stand for the slash in front,
  /// which Apple does not document.
  static func beginsWithWildcardAndSlash(_ text: String) -> Bool {
    text.hasPrefix("*/") || text.hasPrefix("?/")
  }

  /// Returns whether all of `text` matches.
  package func matches(_ text: String) -> Bool {
    matches(MatchedText(text, foldsCase: foldsCase))
  }

  func matches(_ text: MatchedText) -> Bool {
    var places = text.start
    for element in elements {
      places = text.places(after: element, from: places)
      if places.isEmpty { return false }
    }
    return places.contains(text.count)
  }

  /// Returns whether `path`, from its first `/`, matches: that slash and a trailing run of them do
  /// not count.
  func matchesPath(_ path: String) -> Bool { matches(Self.comparedPath(path)) }

  /// What of a path is compared.
  static func comparedPath(_ path: String) -> String {
    let body =
      path.unicodeScalars.first == "/" ? path.unicodeScalars.dropFirst() : path[...].unicodeScalars
    let end = body.lastIndex { $0 != "/" }.map { body.index(after: $0) } ?? body.startIndex
    return String(body[..<end])
  }
}
