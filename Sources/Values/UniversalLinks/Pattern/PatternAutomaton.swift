/// The places of a pattern, and which of them a text can have reached: for comparing patterns with
/// each other.
///
/// Each character of the pattern is a place; reading a character moves every place that accepts it
/// one on, so the set of places shifts by one bit. A `*` makes the place behind it stay. A choice
/// is its entry, then each alternative followed by a place for its end; entry and ends are passed
/// without reading.
struct PatternAutomaton: Hashable, Sendable {
  /// The place behind the last character.
  private(set) var end = 0
  private let capacity: Int
  /// Places that accept every character and stay.
  private var staying = BitSet(capacity: 0)
  /// Places that accept any one character.
  private var anyCharacter = BitSet(capacity: 0)
  private var classes: [CharacterClass: BitSet] = [:]
  private var literals: [UInt32: [Int]] = [:]
  private var choices: [Choice] = []

  private struct Choice: Hashable, Sendable {
    let entry: Int
    var starts: [Int] = []
    var ends: [Int] = []
    /// The first place behind the choice.
    var exit = 0
  }

  init(_ elements: [PatternElement]) {
    capacity = Self.placeCount(elements)
    staying = BitSet(capacity: capacity)
    anyCharacter = BitSet(capacity: capacity)
    append(elements)
  }

  private static func placeCount(_ elements: [PatternElement]) -> Int {
    elements.reduce(1) { count, element in
      guard let alternatives = element.alternatives else { return count + 1 }
      return alternatives.reduce(count + 1) { $0 + placeCount($1) }
    }
  }

  private mutating func append(_ elements: [PatternElement]) {
    for element in elements {
      switch element {
      case .anyRun:
        staying.insert(end)
        continue
      case .literal(let scalar): literals[scalar, default: []].append(end)
      case .anyCharacter: anyCharacter.insert(end)
      case .character(let named):
        classes[named, default: BitSet(capacity: capacity)].insert(end)
      case .choice, .values:
        let alternatives = element.alternatives ?? []
        var choice = Choice(entry: end)
        for alternative in alternatives {
          end += 1
          choice.starts.append(end)
          append(alternative)
          choice.ends.append(end)
        }
        choice.exit = end + 1
        choices.append(choice)
      }
      end += 1
    }
  }
}

// MARK: Running

extension PatternAutomaton {
  /// The places before the first character.
  var start: BitSet {
    var places = BitSet(capacity: capacity)
    places.insert(0)
    pass(&places)
    return places
  }

  /// The places that accept each of `scalars`.
  func places(accepting scalars: [UInt32]) -> BitSet {
    var result: BitSet?
    for scalar in scalars {
      var places = anyCharacter
      for place in literals[scalar] ?? [] { places.insert(place) }
      for (named, members) in classes where named.contains(scalar) { places.formUnion(members) }
      result = result?.intersection(places) ?? places
    }
    return result ?? anyCharacter
  }

  /// The places that accept each character of `characterClass`, or of all of them when it is nil.
  func places(acceptingAllOf characterClass: CharacterClass?) -> BitSet {
    var places = anyCharacter
    guard let characterClass else { return places }
    for (named, members) in classes where named.contains(characterClass) {
      places.formUnion(members)
    }
    return places
  }

  /// Moves `places` over one character that the places `moving` accept.
  func move(_ places: inout BitSet, _ moving: BitSet) {
    var carry: UInt64 = 0
    for index in places.words.indices {
      let old = places.words[index]
      let moved = old & moving.words[index]
      places.words[index] = moved << 1 | carry | old & staying.words[index]
      carry = moved >> 63
    }
    pass(&places)
  }

  /// Moves `places` over any run of characters: those remain that are there whatever is read.
  func moveOverRun(_ places: inout BitSet) {
    places.formIntersection(staying)
    pass(&places)
  }

  /// Adds the places that are reached without reading. Choices stand in the order of their places,
  /// so one round is enough.
  private func pass(_ places: inout BitSet) {
    for choice in choices {
      if places.contains(choice.entry) {
        for place in choice.starts { places.insert(place) }
      }
      if choice.ends.contains(where: places.contains) { places.insert(choice.exit) }
    }
  }
}
