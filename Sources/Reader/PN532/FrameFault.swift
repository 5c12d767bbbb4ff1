import Bytes

/// What is wrong with a frame that began with a start code (UM0701-02, 6.2.1).
package enum FrameFault: Hashable, Sendable {
  /// LEN and LCS do not add up to 0; `header` starts at the start code.
  case lengthChecksum(header: [UInt8])
  /// A length of 0, or above 265 bytes with its TFI.
  case length(Int)
  /// TFI, data and DCS do not add up to 0; `content` is TFI and data.
  case dataChecksum(content: [UInt8], received: UInt8)
  /// A TFI that is none of D4, D5 and 7F, or one with nothing behind it.
  case identifier(content: [UInt8])
}

extension FrameFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .lengthChecksum(let header):
      "the length checksum of the frame header \(Hex.string(header, separator: " ")) is wrong"
    case .length(let length):
      "a frame cannot hold \(length) bytes"
    case .dataChecksum(let content, let received):
      "the data checksum \(Hex.byte(received)) of a frame of \(content.count) bytes is wrong"
    case .identifier(let content):
      "a frame starts with \(Hex.string(content.prefix(1))), which is not a frame identifier"
    }
  }
}
