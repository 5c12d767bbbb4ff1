/// A piece of a pattern with its variables put in.
enum PatternElement: Hashable, Sendable {
  case literal(UInt32)
  case character(CharacterClass)
  case anyCharacter
  case anyRun
  /// Any one of these, which hold no further choice.
  case choice([[PatternElement]])
  /// Any one of a variable's values, which many patterns share.
  case values(VariableValues)
}

/// The values of a variable as patterns take them.
final class VariableValues: Hashable, Sendable {
  let alternatives: [[PatternElement]]
  let size: Int

  init(_ alternatives: [[PatternElement]]) {
    self.alternatives = alternatives
    size = alternatives.reduce(1) { $0 + $1.count + 1 }
  }

  static func == (one: VariableValues, other: VariableValues) -> Bool {
    one === other || one.alternatives == other.alternatives
  }

  func hash(into hasher: inout Hasher) { hasher.combine(size) }
}

extension PatternElement {
  /// What `piece` stands for by itself; a variable, which has to be looked up, for nothing.
  init(_ piece: PatternPiece, foldsCase: Bool) {
    switch piece {
    case .literal(let scalar): self = .literal(foldsCase ? CaseFolding.fold(scalar) : scalar)
    case .anyCharacter: self = .anyCharacter
    case .anyRun: self = .anyRun
    case .variable: self = .choice([])
    }
  }

  /// In a row of `?` and `*` the order does not count: first every `?`, then one `*`.
  static func normalized(_ elements: [PatternElement]) -> [PatternElement] {
    var result: [PatternElement] = []
    for element in elements {
      switch (element, result.last) {
      case (.anyRun, .anyRun): break
      case (.anyCharacter, .anyRun):
        result[result.count - 1] = .anyCharacter
        result.append(.anyRun)
      default: result.append(element)
      }
    }
    return result
  }

  /// What it is any one of, where it is a choice.
  var alternatives: [[PatternElement]]? {
    switch self {
    case .choice(let alternatives): alternatives
    case .values(let values): values.alternatives
    default: nil
    }
  }

  /// How many places of the automaton it takes.
  var size: Int {
    switch self {
    case .choice(let choices): choices.reduce(1) { $0 + $1.count + 1 }
    case .values(let values): values.size
    default: 1
    }
  }
}
