/// A tag's non-volatile memory. Every change passes through `program`, so that writes can be
/// counted, timed and torn.
package final class EEPROM {
  /// How one programming cycle ends.
  package enum Fate: Hashable, Sendable {
    /// All bytes hold their new values.
    case completes
    /// Power fails within the cycle: the first `afterBytes` bytes are new, the next one holds
    /// `mixed` or, where that is nil, every other bit of old and new; the others are old. The tag
    /// is without power afterwards.
    case tears(afterBytes: Int, mixed: UInt8? = nil)
    /// Power fails within the cycle, and the whole unit holds bytes that this seed makes up.
    case scrambles(seed: UInt64)
    /// It completes and says so, but the bits that are set in `flipped` (byte by byte) hold the
    /// opposite. The cells are sound: the next cycle puts them right.
    case misses(flipped: [UInt8])
  }

  /// What a tag learns of a cycle it asked for.
  package enum Outcome: Hashable, Sendable {
    case programmed
    /// The cells did not take the new values and kept the old ones; the tag has power and says so.
    case failed
    /// Power failed within the cycle; nothing can be answered.
    case powerLost
  }

  /// The whole memory, as it is stored (keys included).
  package private(set) var bytes: [UInt8]
  /// Programming cycles so far; a torn or failed one counts.
  package private(set) var programmingCycles = 0
  /// Pages programmed so far: what the time goes by. A cycle is one, unless it is said otherwise.
  private(set) var programmedPages = 0
  /// The page or block of the last cycle, as offsets into `bytes`; known as soon as it begins.
  package private(set) var lastUnit: Range<Int>?
  /// Decides each cycle's fate, given its number (from 0). Nil: all complete.
  package var fate: ((_ cycle: Int) -> Fate)?
  /// Told after each cycle, whatever came of it.
  package var onProgrammed: (() -> Void)?
  /// Worn-out cells: a cycle that touches one of them fails. Offsets into `bytes`.
  package var defects: Range<Int>?
  /// Bits that take one value only. A cycle that touches them completes and says so.
  package var stuckBits: [StuckBit] = []
  /// A cycle that is torn leaves bytes that nobody has written.
  package var scramblesTorn = false
  /// Where the memory ends, in bytes; cycles behind it complete, say so, and change nothing. Nil:
  /// where `bytes` ends.
  package var size: Int?

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Programs one page or block in one cycle. A `tearingSafe` one is afterwards either old or new,
  /// never in between, as silicon promises for lock and OTP pages: new once half its bytes are.
  /// `pages`: how many pages' time it takes.
  package func program(
    _ new: [UInt8], at offset: Int, tearingSafe: Bool = false, pages: Int = 1
  ) -> Outcome {
    lastUnit = offset..<offset + new.count
    var outcome = fate?(programmingCycles) ?? .completes
    if scramblesTorn, case .tears = outcome {
      outcome = .scrambles(seed: UInt64(programmingCycles))
    }
    programmingCycles += 1
    programmedPages += pages
    defer { onProgrammed?() }
    if let defects, defects.overlaps(offset..<offset + new.count) {
      return outcome == .completes ? .failed : .powerLost
    }
    switch outcome {
    case .completes:
      store(new, at: offset)
      return .programmed
    case .misses(let flipped):
      store(zip(new, flipped + new.map { _ in 0 }).map { $0 ^ $1 }, at: offset)
      return .programmed
    case .tears(let count, _) where tearingSafe:
      if count * 2 >= new.count { store(new, at: offset) }
      return .powerLost
    case .scrambles(let seed):
      var generator = SplitMix64(state: seed)
      if tearingSafe {
        if generator.next() & 1 == 1 { store(new, at: offset) }
      } else {
        store(new.map { _ in UInt8.random(in: .min ... .max, using: &generator) }, at: offset)
      }
      return .powerLost
    case .tears(let count, let mixed):
      let whole = max(0, count)
      var torn = Array(new[..<min(whole, new.count)])
      if whole < new.count { torn.append(mixed ?? Self.halfway(bytes[offset + whole], new[whole])) }
      store(torn, at: offset)
      return .powerLost
    }
  }

  /// What the cells make of `new`.
  private func store(_ new: [UInt8], at offset: Int) {
    guard offset < size ?? .max else { return }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    for stuck in stuckBits where (offset..<offset + new.count).contains(stuck.address) {
      bytes[stuck.address] = stuck.applied(to: bytes[stuck.address])
    }
  }

  /// Every other bit of each.
  private static func halfway(_ old: UInt8, _ new: UInt8) -> UInt8 { old & 0x55 | new & 0xAA }

  /// Replaces the memory as a file or a test wants it, outside any cycle. The size must not change.
  package func load(_ image: [UInt8]) {
    precondition(image.count == bytes.count, "an image of another size")
    bytes = image
  }

  /// Another size, before anything was programmed.
  func resize(to image: [UInt8]) { bytes = image }
}
