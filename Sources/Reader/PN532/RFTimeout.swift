/// How long the chip waits for a tag, as RFConfiguration item 2 numbers it (UM0701-02, 7.3.1).
///
/// Index 0 waits without a limit; index n, 1 to 16, waits for 100 µs × 2^(n − 1).
package struct RFTimeout: Hashable, Sendable {
  package let index: UInt8

  /// Nil above 16.
  package init?(index: UInt8) {
    guard index <= 16 else { return nil }
    self.index = index
  }

  /// The shortest one that is at least `duration`, or the longest there is (3.2768 s).
  package init(atLeast duration: Duration) {
    index = (1...16).first { Self.wait($0) >= duration } ?? 16
  }

  private init(known: UInt8) { index = known }

  /// 51.2 ms: what the chip allows a tag to begin with.
  package static let communicationDefault = RFTimeout(known: 0x0A)
  /// 102.4 ms: what the chip allows for ATR_RES to begin with.
  package static let attributeDefault = RFTimeout(known: 0x0B)

  /// Nil for index 0: the chip waits without a limit.
  package var duration: Duration? { index == 0 ? nil : Self.wait(index) }

  private static func wait(_ index: UInt8) -> Duration { .microseconds(100 << (Int(index) - 1)) }
}
