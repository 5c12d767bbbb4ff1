/// A compiled pattern: `*` any run of characters, `?` one character, `$(name)` one of a list.
///
/// A pattern is compared with a whole text, never with a part of it. It runs as an automaton over a
/// set of places, so a text of n characters takes n steps whatever the pattern looks like.
/// developer.apple.com, applinks.Details.Components.
public struct Pattern: Hashable, Sendable {
  /// The most characters that a pattern may have once its variables are put in.
  public static let sizeLimit = 16_384

  /// The pattern as it is written.
  public let text: String
  let elements: [PatternElement]
  let foldsCase: Bool
  let automaton: PatternAutomaton

  /// Compiles `text`. Throws `undefinedVariable` and `tooLarge`.
  ///
  /// For a path, `isPath`, slashes at both ends do not count: `abc`, `/abc` and `//abc/` are one
  /// pattern, and `/abc/*` matches `/abc` too.
  public init(
    _ text: String, variables: SubstitutionVariables = SubstitutionVariables(),
    caseSensitive: Bool = true, isPath: Bool = false
  ) throws(UniversalLinksError) {
    self.text = text
    foldsCase = !caseSensitive
    elements = try Self.elements(
      of: text, variables: variables, foldsCase: foldsCase, isPath: isPath)
    automaton = PatternAutomaton(elements)
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

  /// How many characters it has with its variables put in.
  var size: Int { automaton.end }

  /// Whether all of `text` matches.
  public func matches(_ text: String) -> Bool {
    automaton.accepts(
      text.unicodeScalars.lazy.map { foldsCase ? CaseFolding.fold($0.value) : $0.value })
  }

  /// Whether `path`, from its first `/`, matches: that slash and a trailing run of them do not count.
  func matchesPath(_ path: String) -> Bool {
    let body =
      path.unicodeScalars.first == "/" ? path.unicodeScalars.dropFirst() : path[...].unicodeScalars
    let end = body.lastIndex { $0 != "/" }.map { body.index(after: $0) } ?? body.startIndex
    return matches(String(body[..<end]))
  }
}
