/// The state is what a TagTamper says of the loop of wire that closes a package (NT4H2421Tx, 10.2).
public struct TamperState: Hashable, Sendable {
  /// A state of the loop, as its letter says it.
  public enum Loop: UInt8, Hashable, Sendable {
    /// Whole.
    case closed = 0x43
    /// Cut.
    case open = 0x4F
    /// The tag was never told to look at it.
    case unwatched = 0x49
  }

  /// Open: it was open at least once.
  public let ever: Loop
  /// As of this reading.
  public let now: Loop

  package init(ever: Loop, now: Loop) { (self.ever, self.now) = (ever, now) }

  /// Two letters: C closed, O open, I not watched. Nil for anything else.
  package init?(_ letters: some Collection<UInt8>) {
    let loops = letters.compactMap(Loop.init)
    guard letters.count == 2, loops.count == 2 else { return nil }
    self.init(ever: loops[0], now: loops[1])
  }

  /// Two letters, as a tag shows them.
  package var letters: [UInt8] { [ever.rawValue, now.rawValue] }

  /// Is true if the tag looks at its loop.
  public var isWatched: Bool { ever != .unwatched }
}

extension TamperState: CustomStringConvertible {
  /// In words.
  public var description: String {
    switch (ever, now) {
    case (.unwatched, _): "not watched"
    case (.open, .open): "open"
    case (.open, _): "opened before, and closed now"
    case (.closed, .open): "open"
    case (.closed, _): "closed, and never opened"
    }
  }
}
