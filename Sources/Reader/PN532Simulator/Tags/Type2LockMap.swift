/// Which lock bit makes which pages read-only, and which bit freezes it.
///
/// Bits count from bit 0 of the first lock byte. All of them can only be set; a frozen one not even
/// that.
struct Type2LockMap: Hashable {
  struct Entry: Hashable {
    let bit: Int
    let pages: ClosedRange<Int>
    /// The block-locking bit: once set, `bit` keeps its value.
    let frozenBy: Int
  }

  let entries: [Entry]
  /// How many lock bytes there are.
  let byteCount: Int

  /// Page 2, bytes 2 and 3: the same in all chips (NTAG213/215/216, 8.5.2; MF0ICU1; MF0ICU2,
  /// 7.5.2).
  static let fixed = Type2LockMap(
    entries: (3...15).map { page in
      Entry(bit: page, pages: page...page, frozenBy: page == 3 ? 0 : page < 10 ? 1 : 2)
    }, byteCount: 2)

  /// Two bytes of lock bits, each for `pagesPerBit` pages from page 16 to `last`, and one of
  /// block-locking bits, each for two lock bits (NTAG213/215/216, 8.5.3; NTAG210/212; MF0ULx1,
  /// 8.5.3).
  static func dynamic(pagesPerBit: Int, last: Int) -> Type2LockMap {
    let starts = stride(from: 16, through: last, by: pagesPerBit)
    return Type2LockMap(
      entries: starts.enumerated().map { bit, first in
        Entry(
          bit: bit, pages: first...min(first + pagesPerBit - 1, last), frozenBy: 16 + bit / 2)
      }, byteCount: 3)
  }

  /// Ultralight C (MF0ICU2, 7.5.3).
  static let ultralightC = Type2LockMap(
    entries: quarters + [
      Entry(bit: 12, pages: 41...41, frozenBy: 8), Entry(bit: 13, pages: 42...42, frozenBy: 9),
      Entry(bit: 14, pages: 43...43, frozenBy: 10), Entry(bit: 15, pages: 44...47, frozenBy: 11),
    ], byteCount: 2)

  /// NTAG203, 8.5.2: of the second byte only the counter's two bits exist.
  static let ntag203 = Type2LockMap(
    entries: quarters + [Entry(bit: 12, pages: 41...41, frozenBy: 8)], byteCount: 2)

  /// The first byte of Ultralight C and NTAG203: four pages a bit, bits 0 and 4 freeze three bits
  /// each.
  private static let quarters = [1, 2, 3, 5, 6, 7].map { bit in
    let first = 16 + 4 * (bit < 4 ? bit - 1 : bit - 2)
    return Entry(bit: bit, pages: first...first + 3, frozenBy: bit < 4 ? 0 : 4)
  }

  /// The lock bytes after `written` was written over `old`, while the block-locking bits in
  /// `holding` hold.
  func merge(
    _ written: ArraySlice<UInt8>, into old: ArraySlice<UInt8>, holding: ArraySlice<UInt8>
  ) -> [UInt8] {
    let (before, held) = (value(old), value(holding))
    var settable: UInt32 = 0
    for entry in entries {
      settable |= 1 << UInt32(entry.frozenBy)
      if held >> UInt32(entry.frozenBy) & 1 == 0 { settable |= 1 << UInt32(entry.bit) }
    }
    let after = before | value(written) & settable
    return (0..<byteCount).map { UInt8(truncatingIfNeeded: after >> UInt32(8 * $0)) }
  }

  /// Returns whether `bytes` make `page` read-only.
  func locks(_ page: Int, in bytes: ArraySlice<UInt8>) -> Bool {
    let bits = value(bytes)
    return entries.contains { $0.pages.contains(page) && bits >> UInt32($0.bit) & 1 == 1 }
  }

  private func value(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(byteCount).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
