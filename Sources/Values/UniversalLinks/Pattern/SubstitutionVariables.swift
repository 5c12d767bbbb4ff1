/// What `$(name)` stands for: the file's `substitutionVariables` and Apple's own.
///
/// developer.apple.com, applinks.SubstitutionVariables.
package struct SubstitutionVariables: Hashable, Sendable {
  /// The values of each name, in the order of the file. They may hold `*` and `?`, but no `$(…)`.
  package let custom: [String: [String]]

  /// The values as a pattern takes them, made once: many patterns may use a long list.
  private let choices: [Bool: [String: PatternElement]]

  package init(_ custom: [String: [String]] = [:]) {
    self.custom = custom
    choices = Self.choices(custom)
  }

  /// The names that need no definition.
  package static let predefined: Set<String> =
    Set(CharacterClass.allCases.map(\.rawValue)).union(["region", "lang"])

  private static let listed = choices([
    "region": ISOCodes.regions, "lang": ISOCodes.languages,
  ])

  /// By whether case is folded, then by name.
  private static func choices(_ lists: [String: [String]]) -> [Bool: [String: PatternElement]] {
    func choices(foldsCase: Bool) -> [String: PatternElement] {
      lists.mapValues { values in
        .values(
          VariableValues(
            values.map { value in
              let pieces = PatternPiece.pieces(of: value, variables: false)
              return PatternElement.normalized(
                pieces.map { PatternElement($0, foldsCase: foldsCase) })
            }))
      }
    }
    return [false: choices(foldsCase: false), true: choices(foldsCase: true)]
  }

  /// What stands in place of `$(name)`; nil for a name that is not defined.
  ///
  /// Apple does not document whether a file may redefine one of its names; here it may.
  func element(for name: String, foldsCase: Bool) -> PatternElement? {
    if let choice = choices[foldsCase]?[name] { return choice }
    if let named = CharacterClass(rawValue: name) {
      return .character(foldsCase ? named.folded : named)
    }
    return Self.listed[foldsCase]?[name]
  }

  func defines(_ name: String) -> Bool {
    custom[name] != nil || Self.predefined.contains(name)
  }
}
