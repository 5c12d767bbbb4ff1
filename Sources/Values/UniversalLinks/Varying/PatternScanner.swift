/// A pattern as it reads a text character by character.
struct PatternScanner: TextMachine {
  private let automaton: PatternAutomaton
  private let foldsCase: Bool

  /// Nil for a pattern that is too long.
  init?(_ pattern: Pattern) {
    guard pattern.size <= Pattern.comparisonLimit else { return nil }
    automaton = pattern.automaton ?? PatternAutomaton(pattern.elements)
    foldsCase = pattern.foldsCase
  }

  var start: BitSet { automaton.start }

  func state(after unit: UInt32, from state: BitSet) -> BitSet {
    var places = state
    automaton.move(
      &places, automaton.places(accepting: [foldsCase ? CaseFolding.fold(unit) : unit]))
    return places
  }

  func accepts(_ state: BitSet) -> Bool { state.contains(automaton.end) }

  func isLost(_ state: BitSet) -> Bool { state.isEmpty }
}
