/// Why bytes of a tag's memory do not mean what they should, or cannot be made to.
public enum TagMemoryError: Error, Hashable, Sendable {
  /// `format` takes `expected` bytes, `found` were given.
  case wrongLength(format: String, expected: Int, found: Int)
  /// An NDEF message of `byteCount` bytes, where the longest that fits has `capacity`.
  case messageTooLong(byteCount: Int, capacity: Int)
  /// Not even an empty NDEF message TLV fits behind `leading` bytes of a data area of `area` bytes.
  case noRoomForMessage(area: Int, leading: Int)
}

extension TagMemoryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wrongLength(let format, let expected, let found):
      "\(format) takes \(expected) bytes, not \(found)"
    case .messageTooLong(let byteCount, let capacity):
      "the message has \(byteCount) bytes, the tag takes at most \(capacity)"
    case .noRoomForMessage(let area, let leading):
      "no NDEF message TLV fits behind \(leading) bytes of a data area of \(area)"
    }
  }
}
