import Bytes

/// The status byte of the PN532's initiator commands (UM0701-02, 7.1, table 15); bits 6 and 7 (MI,
/// NAD) removed.
public struct StatusCode: RawRepresentable, Hashable, Sendable {
  /// The error code: bits 0 to 5 of the status byte.
  public let rawValue: UInt8

  /// Takes a status byte; bits 6 and 7 are left out.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x3F }

  package static let ok = StatusCode(rawValue: 0x00)
  package static let timeout = StatusCode(rawValue: 0x01)
  package static let crc = StatusCode(rawValue: 0x02)
  package static let parity = StatusCode(rawValue: 0x03)
  package static let bitCount = StatusCode(rawValue: 0x04)
  package static let framing = StatusCode(rawValue: 0x05)
  package static let collision = StatusCode(rawValue: 0x06)
  package static let bufferTooSmall = StatusCode(rawValue: 0x07)
  package static let rfBufferOverflow = StatusCode(rawValue: 0x09)
  package static let fieldMissing = StatusCode(rawValue: 0x0A)
  package static let rfProtocol = StatusCode(rawValue: 0x0B)
  package static let overheating = StatusCode(rawValue: 0x0D)
  package static let internalOverflow = StatusCode(rawValue: 0x0E)
  package static let invalidParameter = StatusCode(rawValue: 0x10)
  package static let unknownDEPCommand = StatusCode(rawValue: 0x12)
  package static let dataFormat = StatusCode(rawValue: 0x13)
  package static let authentication = StatusCode(rawValue: 0x14)
  package static let noSecurity = StatusCode(rawValue: 0x18)
  package static let uidChecksum = StatusCode(rawValue: 0x23)
  package static let depState = StatusCode(rawValue: 0x25)
  package static let notAllowed = StatusCode(rawValue: 0x26)
  package static let wrongContext = StatusCode(rawValue: 0x27)
  package static let released = StatusCode(rawValue: 0x29)
  package static let cardChanged = StatusCode(rawValue: 0x2A)
  package static let cardGone = StatusCode(rawValue: 0x2B)
  package static let nfcid3Mismatch = StatusCode(rawValue: 0x2C)
  package static let overCurrent = StatusCode(rawValue: 0x2D)
  package static let nadMissing = StatusCode(rawValue: 0x2E)

  private static let meanings: [UInt8: String] = [
    0x00: "no error", 0x01: "the tag did not answer in time", 0x02: "CRC error",
    0x03: "parity error", 0x04: "wrong bit count in anticollision", 0x05: "framing error",
    0x06: "bit collision", 0x07: "the chip's buffer is too small", 0x09: "RF buffer overflow",
    0x0A: "RF field not switched on in time", 0x0B: "RF protocol error", 0x0D: "overheating",
    0x0E: "internal buffer overflow", 0x10: "invalid parameter", 0x12: "unknown DEP command",
    0x13: "the answer has the wrong format", 0x14: "MIFARE authentication failed",
    0x18: "the target has no security support", 0x23: "UID checksum wrong",
    0x25: "invalid DEP state", 0x26: "operation not allowed", 0x27: "no tag is selected",
    0x29: "released by its initiator", 0x2A: "another card lies there", 0x2B: "the card is gone",
    0x2C: "NFCID3 mismatch", 0x2D: "over-current", 0x2E: "NAD missing",
  ]
}

extension StatusCode: CustomStringConvertible {
  /// `status 14h`.
  package var number: String { "status \(Hex.byte(rawValue).uppercased())h" }

  /// The meaning; the number where it has none.
  package var words: String { Self.meanings[rawValue] ?? number }

  /// The meaning, then the number: `MIFARE authentication failed (status 14h)`.
  public var description: String {
    Self.meanings[rawValue].map { "\($0) (\(number))" } ?? number
  }
}
