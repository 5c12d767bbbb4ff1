import Bytes

/// The lock bytes of a tag as they stand, static (page 2) or dynamic, and what follows from them.
package struct LockBytes: Hashable, Sendable {
  /// Which bit means what.
  package let map: LockMap
  /// The lock bytes alone: two or three.
  package private(set) var bytes: [UInt8]

  /// Reads lock bytes out of the four bytes of the page that holds them; throws when there are not
  /// four.
  package init(parsing page: some Collection<UInt8>, of map: LockMap) throws(TagMemoryError) {
    let page = Array(page)
    guard page.count == Page.byteCount else {
      throw .wrongLength(format: "a page of lock bytes", expected: 4, found: page.count)
    }
    self.map = map
    bytes = Array(page[map.offset..<map.offset + map.byteCount])
  }

  /// As delivered: nothing is locked.
  package init(unlocked map: LockMap) {
    self.map = map
    bytes = Array(repeating: 0, count: map.byteCount)
  }

  /// The four bytes to write to `map.page`. Bytes beside the lock bytes are 00: on page 2 the tag
  /// ignores them, on the page of the dynamic lock bytes the last one is reserved (it may read BD).
  package func serialize() -> [UInt8] {
    let head = Array(repeating: UInt8(0), count: map.offset)
    let tail = Array(repeating: UInt8(0), count: Page.byteCount - map.offset - map.byteCount)
    return head + bytes + tail
  }
}

extension LockBytes {
  package func isSet(_ bit: LockMap.Bit) -> Bool {
    bit.byte < bytes.count && bytes[bit.byte] & bit.mask != 0
  }

  /// Is true if no bit is set, as delivered: most tags answer all that follows with it.
  private var isClear: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Returns whether a lock bit keeps `page` from ever being written again. Pages that these bytes
  /// do not cover are not locked by them.
  package func isLocked(_ page: Page) -> Bool {
    !isClear && map.bits.contains { isSet($0) && $0.effect == .locks && $0.pages.contains(page) }
  }

  /// Returns whether `page` can be locked by these bytes, or is: false where no bit covers it, and
  /// where its lock bit is clear and frozen.
  package func canLock(_ page: Page) -> Bool {
    map.locks(of: page).contains { isSet($0) || !isFrozen($0) }
  }

  /// Returns whether a block-locking bit keeps the lock bit `bit` as it is. Block-locking bits
  /// themselves can always be set.
  package func isFrozen(_ bit: LockMap.Bit) -> Bool {
    guard bit.effect == .locks else { return false }
    return map.bits.contains { freeze in
      freeze.effect == .freezes && isSet(freeze) && freeze.pages.overlaps(bit.pages)
    }
  }

  /// The pages that are locked, in order.
  package var lockedPages: [Page] { isClear ? [] : map.coveredPages.filter(isLocked) }

  /// Pages that are open and can never be locked by these bytes any more.
  package var frozenOpenPages: [Page] {
    isClear ? [] : map.coveredPages.filter { !isLocked($0) && !canLock($0) }
  }

  /// These bytes with every lock bit set whose pages all lie in `pages`, and with `freezing` the
  /// block-locking bits likewise, where the chip's are certain. Writing the result cannot be
  /// undone.
  package func locking(_ pages: ClosedRange<Page>, freezing: Bool) -> LockBytes {
    var result = self
    for bit in map.bits where bit.effect == .locks || (freezing && map.setsFreezes) {
      if pages.contains(bit.pages.lowerBound), pages.contains(bit.pages.upperBound) {
        result.bytes[bit.byte] |= bit.mask
      }
    }
    return result
  }

  /// Returns whether writing `target` makes the tag hold just that: no set bit would have to be
  /// cleared, and no lock bit that is to be set is frozen.
  package func canBecome(_ target: LockBytes) -> Bool {
    guard target.map == map else { return false }
    let clears = zip(bytes, target.bytes).contains { old, new in old & ~new != 0 }
    let frozen = map.bits.contains { target.isSet($0) && !isSet($0) && isFrozen($0) }
    return !clears && !frozen
  }
}

extension LockBytes: CustomStringConvertible {
  /// The lock bytes alone: `FF 0F 3F`.
  package var description: String { Hex.string(bytes, separator: " ").uppercased() }
}
