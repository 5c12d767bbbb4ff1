/// Which bytes of a tag command and of its answer no trace may show.
package struct Secrets: Hashable, Sendable {
  /// Offsets into the command's frame.
  package var frame: [Range<Int>]
  /// Offsets into the tag's answer as the chip hands it out, behind the status byte.
  package var answer: [Range<Int>]
  /// Is true if a card's status word ends the answer: it is none of the secrets.
  package var sparesStatusWord = false

  package init(frame: [Range<Int>] = [], answer: [Range<Int>] = []) {
    self.frame = frame
    self.answer = answer
  }

  package static let none = Secrets()

  /// An answer as the chip hands it out, with nil for each secret byte of it.
  package func masked(answer bytes: [UInt8?]) -> [UInt8?] {
    // Bit 6: more of it follows (UM0701-02, 7.3.8), and with it the status word.
    let isLast = bytes.first.flatMap(\.self).map { $0 & 0x40 == 0 } ?? true
    let spared = sparesStatusWord && isLast && bytes.count > 2 ? 2 : 0
    return Self.mask(bytes.dropLast(spared), answer, from: 1) + bytes.suffix(spared)
  }

  /// `bytes` with nil for each that lies in `ranges`, counted from `offset` on.
  static func mask(
    _ bytes: some Sequence<UInt8?>, _ ranges: [Range<Int>], from offset: Int = 0
  ) -> [UInt8?] {
    bytes.enumerated().map { index, byte in
      ranges.contains { $0.contains(index - offset) } ? nil : byte
    }
  }
}
