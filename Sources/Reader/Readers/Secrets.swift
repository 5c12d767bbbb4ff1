/// Which bytes of a tag command and of its answer no trace may show.
package struct Secrets: Hashable, Sendable {
  /// Offsets into the command's frame.
  package var frame: [Range<Int>]
  /// Offsets into the tag's answer as the chip hands it out, behind the status byte.
  package var answer: [Range<Int>]

  package init(frame: [Range<Int>] = [], answer: [Range<Int>] = []) {
    self.frame = frame
    self.answer = answer
  }

  package static let none = Secrets()

  /// `bytes` with nil for each that lies in `ranges`, counted from `offset` on.
  static func mask(_ bytes: [UInt8], _ ranges: [Range<Int>], from offset: Int = 0) -> [UInt8?] {
    bytes.enumerated().map { index, byte in
      ranges.contains { $0.contains(index - offset) } ? nil : byte
    }
  }
}
