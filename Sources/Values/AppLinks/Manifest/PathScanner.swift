import UniversalLinks

/// Reads a path character by character, in UTF-16 as Java has them, and knows at its end whether a
/// pattern takes it.
///
/// android.os.PatternMatcher reads once from left to right and never goes back, so a place in the
/// pattern, and how often its element was taken, is all that it remembers.
struct PathScanner: TextMachine {
  /// A place in the pattern.
  struct State: Hashable {
    /// Which element is next; behind the last one, all was taken.
    var index = 0
    /// How often it was taken so far.
    var count = 0
    /// Is true if the text cannot match any more, whatever follows.
    var isLost = false

    static let lost = State(isLost: true)
  }

  private enum Element {
    /// One character, or a `.` for any one.
    case one(UInt16)
    /// `x*`: as many as there are; the text must not end right before it.
    case run(UInt16)
    /// `.*x`: all up to the first x, and that.
    case through(UInt16)
    /// `.*` at the end of the pattern.
    case rest
    /// Of an advanced pattern: as many as it takes, and at least so many.
    case several(AdvancedPattern.Element)
    /// Any one character, in front of a suffix.
    case any
    /// No character.
    case never
  }

  private var elements: [Element]

  var start: State { State() }

  /// `length`: that of the text. Nil where the pattern breaks the rules of its kind, or stands in
  /// another file.
  init?(_ matcher: PathMatcher, length: Int) {
    func literally(_ text: String) -> [Element] {
      text.utf16.map { $0 == Self.dot ? .several(.init { $0 == Self.dot }) : .one($0) }
    }
    switch matcher {
    case .reference: return nil
    case .literal(let text): elements = literally(text)
    case .prefix(let text): elements = literally(text) + [.rest]
    case .suffix(let text):
      let before = length - text.utf16.count
      elements = before < 0 ? [.never] : [Element](repeating: .any, count: before) + literally(text)
    case .simple(let text): elements = Self.simple(Array(text.utf16))
    case .advanced(let text):
      guard let pattern = AdvancedPattern(text) else { return nil }
      elements = pattern.elements.map { .several($0) }
    }
  }

  private static let (dot, star, escape) = (UInt16(0x2E), UInt16(0x2A), UInt16(0x5C))

  /// An escape makes of `.*` a run of dots; before anything else it has no effect on a dot, which
  /// stays any character.
  private static func simple(_ pattern: [UInt16]) -> [Element] {
    var elements: [Element] = []
    var rest = pattern[...]
    while var unit = rest.popFirst() {
      let isEscaped = unit == escape
      if isEscaped {
        guard let next = rest.popFirst() else { return elements + [.never] }
        unit = next
      }
      guard rest.first == star else {
        elements.append(.one(unit))
        continue
      }
      rest.removeFirst()
      guard unit == dot, !isEscaped else {
        elements.append(.run(unit))
        continue
      }
      guard var next = rest.popFirst() else { return elements + [.rest] }
      if next == escape {
        guard let literal = rest.popFirst() else { return elements + [.never] }
        next = literal
      }
      elements.append(.through(next))
    }
    return elements
  }

  func state(after unit: UInt16, from state: State) -> State {
    guard !state.isLost else { return state }
    var state = state
    func next() -> State { State(index: state.index + 1) }
    while state.index < elements.count {
      switch elements[state.index] {
      case .one(let wanted): return wanted == Self.dot || wanted == unit ? next() : .lost
      case .any: return next()
      case .never: return .lost
      case .rest: return state
      case .through(let wanted): return wanted == unit ? next() : state
      case .run(let wanted):
        if wanted == unit { return State(index: state.index, count: 1) }
      case .several(let element):
        if state.count < element.most, element.takes(unit) {
          // Beyond what it needs, only a limit counts.
          let kept = element.most == .max ? element.fewest : element.most
          return State(index: state.index, count: min(state.count + 1, kept))
        }
        guard state.count >= element.fewest else { return .lost }
      }
      state = next()
    }
    return .lost
  }

  func isLost(_ state: State) -> Bool { state.isLost }

  func accepts(_ state: State) -> Bool {
    guard !state.isLost else { return false }
    var state = state
    while state.index < elements.count {
      switch elements[state.index] {
      case .rest: return true
      case .run where state.count > 0: break
      case .several(let element) where state.count >= element.fewest: break
      default: return false
      }
      state = State(index: state.index + 1)
    }
    return true
  }
}
