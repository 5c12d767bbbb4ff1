/// A text that patterns are compared with: which of its places a piece of a pattern leads to.
///
/// A set of places is a set of bits, place n standing before character n. A piece moves the whole
/// set at once; where a variable's values lead is kept, since many rules of a file ask for the
/// same. Not for several threads.
final class MatchedText {
  let count: Int
  private let scalars: [UInt32]
  /// The places before each character that there is.
  private var places: [UInt32: BitSet] = [:]
  private var classes: [CharacterClass: BitSet] = [:]
  private let all: BitSet
  private var known: [Known: BitSet] = [:]

  private struct Known: Hashable {
    let values: ObjectIdentifier
    let from: BitSet
  }

  init(_ text: String, foldsCase: Bool) {
    scalars = text.unicodeScalars.map { foldsCase ? CaseFolding.fold($0.value) : $0.value }
    count = scalars.count
    var all = BitSet(capacity: count)
    for (place, scalar) in scalars.enumerated() {
      places[scalar, default: BitSet(capacity: count)].insert(place)
      all.insert(place)
    }
    self.all = all
  }

  /// The place before the first character.
  var start: BitSet {
    var start = BitSet(capacity: count)
    start.insert(0)
    return start
  }

  /// The places that are reached from `from` by what `element` stands for.
  func places(after element: PatternElement, from: BitSet) -> BitSet {
    switch element {
    case .literal(let scalar):
      guard let there = places[scalar] else { return BitSet(capacity: count) }
      return from.intersection(there).movedByOne()
    case .character(let named): return from.intersection(members(of: named)).movedByOne()
    case .anyCharacter: return from.intersection(all).movedByOne()
    case .anyRun: return from.fromFirst(to: count)
    case .choice(let alternatives): return places(afterAnyOf: alternatives, from: from)
    case .values(let values):
      let key = Known(values: ObjectIdentifier(values), from: from)
      if let result = known[key] { return result }
      let result = places(afterAnyOf: values.alternatives, from: from)
      known[key] = result
      return result
    }
  }

  private func places(afterAnyOf alternatives: [[PatternElement]], from: BitSet) -> BitSet {
    var result = BitSet(capacity: count)
    for alternative in alternatives {
      // Most values differ from the text in their first character.
      if case .literal(let first)? = alternative.first, places[first] == nil { continue }
      var reached = from
      for element in alternative {
        reached = places(after: element, from: reached)
        if reached.isEmpty { break }
      }
      result.formUnion(reached)
    }
    return result
  }

  private func members(of named: CharacterClass) -> BitSet {
    if let known = classes[named] { return known }
    var result = BitSet(capacity: count)
    for (place, scalar) in scalars.enumerated() where named.contains(scalar) {
      result.insert(place)
    }
    classes[named] = result
    return result
  }
}
