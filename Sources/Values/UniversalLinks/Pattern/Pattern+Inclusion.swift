extension Pattern {
  /// Is true if this pattern matches the empty text and every other.
  var matchesEverything: Bool {
    guard let automaton else { return elements == [.anyRun] }
    var places = automaton.start
    guard places.contains(automaton.end) else { return false }
    automaton.moveOverRun(&places)
    return places.contains(automaton.end)
  }

  /// Returns whether every text that `other` matches is matched by this pattern. True is proven;
  /// false means that no proof was found.
  ///
  /// The other pattern's pieces are read like a text. After each, those places are kept that this
  /// pattern reaches whichever text the piece stands for; if the last place is among them at the
  /// end, it is reached by every text.
  func covers(_ other: Pattern) -> Bool {
    guard let automaton else { return false }
    var places = automaton.start
    for element in other.elements {
      advance(automaton, &places, over: element, of: other)
      if places.isEmpty { return false }
    }
    return places.contains(automaton.end)
  }

  private func advance(
    _ automaton: PatternAutomaton, _ places: inout BitSet, over element: PatternElement,
    of other: Pattern
  ) {
    switch element {
    case .anyRun: automaton.moveOverRun(&places)
    case .anyCharacter: automaton.move(&places, automaton.places(acceptingAllOf: nil))
    case .literal(let scalar):
      automaton.move(&places, automaton.places(accepting: scalar, of: other, for: self))
    case .character(let named):
      // Without case, the class has scalars outside ASCII too (U+212A is a k).
      let known = foldsCase ? named.folded : other.foldsCase ? nil : named
      automaton.move(&places, automaton.places(acceptingAllOf: known))
    case .choice, .values:
      let alternatives = element.alternatives ?? []
      var common: BitSet?
      for alternative in alternatives {
        var reached = places
        for element in alternative { advance(automaton, &reached, over: element, of: other) }
        common = common?.intersection(reached) ?? reached
      }
      // No alternative at all matches nothing, and nothing is covered by anything.
      places = common ?? places
    }
  }
}

extension PatternAutomaton {
  /// The places of `pattern` that accept every scalar that the literal `scalar` of `other` stands
  /// for: itself, or all that differ from it only in case.
  fileprivate func places(accepting scalar: UInt32, of other: Pattern, for pattern: Pattern)
    -> BitSet
  {
    if pattern.foldsCase { return places(accepting: [CaseFolding.fold(scalar)]) }
    let hasCase = scalar >= 0x80 || CharacterClass.alpha.contains(scalar)
    return other.foldsCase && hasCase
      ? places(acceptingAllOf: nil) : places(accepting: [scalar])
  }
}
