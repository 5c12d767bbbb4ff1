/// What `$(name)` stands for: the file's `substitutionVariables` and Apple's own.
///
/// developer.apple.com, applinks.SubstitutionVariables.
public struct SubstitutionVariables: Hashable, Sendable {
  /// The values of each name, in the order of the file. They may hold `*` and `?`, but no `$(…)`.
  public let custom: [String: [String]]

  public init(_ custom: [String: [String]] = [:]) {
    self.custom = custom
  }

  /// The names that need no definition.
  public static let predefined: Set<String> =
    Set(CharacterClass.allCases.map(\.rawValue)).union(["region", "lang"])

  /// What may stand in place of `$(name)`; nil for a name that is not defined.
  ///
  /// Whether a file may redefine one of Apple's names is not documented; here it may.
  func meaning(of name: String) -> Meaning? {
    if let values = custom[name] { return .values(values) }
    if let characterClass = CharacterClass(rawValue: name) { return .character(characterClass) }
    switch name {
    case "region": return .values(ISOCodes.regions)
    case "lang": return .values(ISOCodes.languages)
    default: return nil
    }
  }

  enum Meaning {
    case character(CharacterClass)
    case values([String])
  }
}
