/// Which lock bit of a chip locks which pages.
///
/// Lock bits are one-time programmable: a write sets bits and never clears one. A lock bit makes
/// its pages read-only; a block-locking bit freezes the lock bits of its pages as they stand.
package struct LockMap: Hashable, Sendable {
  /// One lock bit.
  package struct Bit: Hashable, Sendable {
    /// What it does once it is set.
    package enum Effect: Hashable, Sendable {
      /// Its pages are read-only.
      case locks
      /// The lock bits of its pages cannot be set any more (block-locking).
      case freezes
    }

    /// The lock byte that holds it, from 0.
    package let byte: Int
    /// Its place there, 0 is the lowest.
    package let bit: Int
    package let effect: Effect
    package let pages: ClosedRange<Page>

    var mask: UInt8 { 1 << UInt8(bit) }
  }

  /// The page that holds the lock bytes.
  package let page: Page
  /// Where in that page they start.
  package let offset: Int
  /// How many there are.
  package let byteCount: Int
  /// Every bit that does something.
  package let bits: [Bit]
  /// The Lock Control TLV that tells the truth about these bytes (NFC Forum Type 2 Tag 1.1, 2.3.2).
  /// Nil for the static lock bytes, which need none.
  package let control: LockControl?
  /// Is true if block-locking bits are set along with lock bits.
  let setsFreezes: Bool

  init(
    page: Page, offset: Int, byteCount: Int, control: LockControl? = nil, setsFreezes: Bool = true,
    bits: [[Bit]]
  ) {
    self.page = page
    self.offset = offset
    self.byteCount = byteCount
    self.control = control
    self.setsFreezes = setsFreezes
    self.bits = bits.flatMap(\.self)
  }

  /// The lock bits that decide over `page`.
  func locks(of page: Page) -> [Bit] {
    bits.filter { $0.effect == .locks && $0.pages.contains(page) }
  }

  /// All pages that some bit locks, in order.
  package var coveredPages: [Page] {
    bits.filter { $0.effect == .locks }.flatMap { Array($0.pages) }.sorted()
  }
}

extension [LockMap.Bit] {
  /// Consecutive lock bits from bit 0 of lock byte `byte` on, `perBit` pages each; the last may
  /// have fewer.
  static func locks(byte: Int, pages: ClosedRange<Page>, perBit: Int) -> Self {
    run(byte: byte, from: 0, effect: .locks, pages: pages, perBit: perBit)
  }

  /// Likewise for block-locking bits.
  static func freezes(byte: Int, pages: ClosedRange<Page>, perBit: Int) -> Self {
    run(byte: byte, from: 0, effect: .freezes, pages: pages, perBit: perBit)
  }

  /// A single lock bit.
  static func lock(byte: Int, bit: Int, _ pages: ClosedRange<Page>) -> Self {
    [LockMap.Bit(byte: byte, bit: bit, effect: .locks, pages: pages)]
  }

  /// A single block-locking bit.
  static func freeze(byte: Int, bit: Int, _ pages: ClosedRange<Page>) -> Self {
    [LockMap.Bit(byte: byte, bit: bit, effect: .freezes, pages: pages)]
  }

  static func run(
    byte: Int, from bit: Int, effect: LockMap.Bit.Effect, pages: ClosedRange<Page>, perBit: Int
  ) -> Self {
    stride(from: 0, to: pages.count, by: perBit).enumerated().map { index, start in
      let first = pages.lowerBound.advanced(by: start)
      let last = Swift.min(Int(first.number) + perBit - 1, Int(pages.upperBound.number))
      return LockMap.Bit(
        byte: byte, bit: bit + index, effect: effect,
        pages: first...Page(integerLiteral: UInt16(last)))
    }
  }
}
