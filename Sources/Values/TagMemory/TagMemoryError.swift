import Bytes

/// Why bytes of a tag's memory do not mean what they should, or cannot be made to.
package enum TagMemoryError: Error, Hashable, Sendable {
  /// `format` takes `expected` bytes, `found` were given.
  case wrongLength(format: String, expected: Int, found: Int)
  /// An NDEF message of `byteCount` bytes, where the longest that fits has `capacity`.
  case messageTooLong(byteCount: Int, capacity: Int)
  /// Not even an empty NDEF message TLV fits behind `leading` bytes of a data area of `area` bytes.
  case noRoomForMessage(area: Int, leading: Int)
  /// Trailer bytes 6 to 8 whose plain and inverted copies differ.
  case accessBitsDisagree([UInt8])
  /// A MAD whose checksum does not fit its content.
  case madChecksum(Sector, stored: UInt8, computed: UInt8)
}

extension TagMemoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongLength(let format, let expected, let found):
      "\(format) takes \(expected) bytes, not \(found)"
    case .messageTooLong(let byteCount, let capacity):
      "the message has \(counted(byteCount, "byte")), the tag takes at most \(capacity)"
    case .noRoomForMessage(let area, let leading):
      "no NDEF message TLV fits behind \(leading) bytes of a data area of \(area)"
    case .accessBitsDisagree(let bytes):
      "access bits \(Hex.string(bytes, separator: " ").uppercased()) are invalid: "
        + "a sector written with them is permanently lost"
    case .madChecksum(let sector, let stored, let computed):
      "the MAD of \(sector) has the checksum \(Hex.byte(stored).uppercased())h, "
        + "its content gives \(Hex.byte(computed).uppercased())h"
    }
  }
}
