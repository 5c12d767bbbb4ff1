/// Watches a serial line for the edges that wake the chip.
///
/// UM0701-02, 7.2.11: the fifth rising edge does it. A byte goes out as start bit 0, eight bits low
/// one first, stop bit 1, so 55h has five rising edges and 00h one.
struct WakeUpDetector {
  private var edges = 0

  /// True once the byte has woken the chip; the byte itself is lost.
  mutating func hears(_ byte: UInt8) -> Bool {
    let bits = [0] + (0..<8).map { byte >> $0 & 1 } + [1]
    edges += zip(bits, bits.dropFirst()).count { $0 == 0 && $1 == 1 }
    return edges >= 5
  }
}
