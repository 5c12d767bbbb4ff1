/// Bytes that nobody has written: what some chips are delivered with in their user memory
/// (NT3H2111/NT3H2211, 8.3.1: not defined).
package enum Noise {
  /// Returns whether `bytes` may be such: neither the same byte four times in a row, as in what
  /// programs clear and lay out, nor sixteen letters, digits and signs. Of a thousand bytes at
  /// random one lot in five thousand has either.
  package static func mayBe(_ bytes: some Sequence<UInt8>) -> Bool {
    var (previous, same, printable) = (UInt8?.none, 0, 0)
    for byte in bytes {
      same = byte == previous ? same + 1 : 1
      printable = 0x20...0x7E ~= byte ? printable + 1 : 0
      guard same < 4, printable < 16 else { return false }
      previous = byte
    }
    return true
  }
}
