/// What the chip's receiver makes of a tag's answer.
enum AirAnswer: Hashable {
  /// Bytes with a good CRC, which has been removed.
  case data([UInt8])
  /// Bytes that carry no CRC: ATQA, and a UID within anticollision.
  case bare([UInt8])
  /// Four bits.
  case nibble(UInt8)
  /// Something, but damaged.
  case garbled
  /// Two tags at once.
  case collision
  /// Nothing within the time allowed.
  case silence

  init(_ answer: TagAnswer) {
    switch answer {
    case .data(let bytes): self = .data(bytes)
    case .nibble(let value): self = .nibble(value)
    case .silence: self = .silence
    }
  }
}
