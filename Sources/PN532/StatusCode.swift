import Bytes

/// The status byte of the PN532's initiator commands (UM0701-02, 7.1, table 15); bits 6 and 7 (MI,
/// NAD) removed.
public struct StatusCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x3F }

  public static let ok = StatusCode(rawValue: 0x00)
  public static let timeout = StatusCode(rawValue: 0x01)
  public static let crc = StatusCode(rawValue: 0x02)
  public static let parity = StatusCode(rawValue: 0x03)
  public static let bitCount = StatusCode(rawValue: 0x04)
  public static let framing = StatusCode(rawValue: 0x05)
  public static let collision = StatusCode(rawValue: 0x06)
  public static let bufferTooSmall = StatusCode(rawValue: 0x07)
  public static let rfBufferOverflow = StatusCode(rawValue: 0x09)
  public static let fieldMissing = StatusCode(rawValue: 0x0A)
  public static let rfProtocol = StatusCode(rawValue: 0x0B)
  public static let overheating = StatusCode(rawValue: 0x0D)
  public static let internalOverflow = StatusCode(rawValue: 0x0E)
  public static let invalidParameter = StatusCode(rawValue: 0x10)
  public static let unknownDEPCommand = StatusCode(rawValue: 0x12)
  public static let dataFormat = StatusCode(rawValue: 0x13)
  public static let authentication = StatusCode(rawValue: 0x14)
  public static let noSecurity = StatusCode(rawValue: 0x18)
  public static let uidChecksum = StatusCode(rawValue: 0x23)
  public static let depState = StatusCode(rawValue: 0x25)
  public static let notAllowed = StatusCode(rawValue: 0x26)
  public static let wrongContext = StatusCode(rawValue: 0x27)
  public static let released = StatusCode(rawValue: 0x29)
  public static let cardChanged = StatusCode(rawValue: 0x2A)
  public static let cardGone = StatusCode(rawValue: 0x2B)
  public static let nfcid3Mismatch = StatusCode(rawValue: 0x2C)
  public static let overCurrent = StatusCode(rawValue: 0x2D)
  public static let nadMissing = StatusCode(rawValue: 0x2E)

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
  /// The meaning, then the number: `MIFARE authentication failed (status 14h)`.
  public var description: String {
    let number = "status \(Hex.byte(rawValue).uppercased())h"
    return Self.meanings[rawValue].map { "\($0) (\(number))" } ?? number
  }
}
