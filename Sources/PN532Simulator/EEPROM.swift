/// A tag's non-volatile memory. Every change passes through `program`, so that writes can be counted, timed and torn.
public final class EEPROM {
  /// How one programming cycle ends.
  public enum Fate: Hashable, Sendable {
    /// All bytes hold their new values.
    case completes
    /// Power fails within the cycle: the first `bytes` bytes are new, the next one holds `mixed`
    /// (bits of old and new), the others are old. The tag is without power afterwards.
    case tears(afterBytes: Int, mixed: UInt8)
  }

  /// The whole memory, as it is stored (keys included).
  public private(set) var bytes: [UInt8]
  /// Programming cycles so far; a torn one counts.
  public private(set) var programmingCycles = 0
  /// Decides each cycle's fate, given its number (from 0). Nil: all complete.
  public var fate: ((_ cycle: Int) -> Fate)?

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Programs one page or block in one cycle. False when power failed within it.
  public func program(_ new: [UInt8], at offset: Int) -> Bool {
    let outcome = fate?(programmingCycles) ?? .completes
    programmingCycles += 1
    switch outcome {
    case .completes:
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
      return true
    case .tears(let count, let mixed):
      for index in 0..<min(count, new.count) { bytes[offset + index] = new[index] }
      if count < new.count { bytes[offset + count] = mixed }
      return false
    }
  }

  /// Replaces the memory as a file or a test wants it, outside any cycle. The size must not change.
  public func load(_ image: [UInt8]) {
    precondition(image.count == bytes.count, "an image of another size")
    bytes = image
  }
}
