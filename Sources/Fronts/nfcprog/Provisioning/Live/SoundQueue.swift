/// What the bell rings, one pattern after the other: none is cut short or overwritten by the next.
struct SoundQueue {
  /// A verdict's own rhythm: a bell at each `x`, a tenth of a second to each character.
  enum Pattern: String, Hashable {
    /// One.
    case pass = "x"
    /// Two, slowly.
    case again = "x....x"
    /// Two, quickly.
    case left = "x.x"
    /// Three, quickly.
    case fail = "x.x.x"
    /// Four, in pairs.
    case several = "x.x...x.x"
    /// Five, quickly.
    case code = "x.x.x.x.x"
    /// Three, slowly.
    case lost = "x....x....x"
  }

  /// Between two patterns.
  private static let pause = 7
  /// So many wait at most; what a good tag rings is then left out, so that the bell does not lag
  /// behind the line.
  private static let limit = 8

  private var waiting: [Pattern] = []
  /// What is still to come of the pattern that rings, and the pause behind it.
  private var rest: Substring = ""

  /// Adds a pattern behind those that wait; trouble goes before good tags.
  mutating func add(_ pattern: Pattern) {
    guard pattern == .pass else {
      waiting.insert(pattern, at: waiting.firstIndex(of: .pass) ?? waiting.count)
      return
    }
    if waiting.count < Self.limit { waiting.append(pattern) }
  }

  /// The next tenth of a second: whether the bell rings now.
  mutating func tick() -> Bool {
    if rest.isEmpty {
      guard !waiting.isEmpty else { return false }
      rest = waiting.removeFirst().rawValue + String(repeating: ".", count: Self.pause)[...]
    }
    return rest.removeFirst() == "x"
  }
}
