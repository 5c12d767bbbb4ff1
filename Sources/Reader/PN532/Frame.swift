/// One frame between a host and the chip (UM0701-02, 6.2.1).
///
///     frame      bytes
///     normal     00 00 FF LEN LCS TFI data… DCS 00         LEN counts TFI and data, LEN + LCS = 0
///     extended   00 00 FF FF FF LENM LENL LCS TFI data… DCS 00
///     ACK        00 00 FF 00 FF 00
///     NACK       00 00 FF FF 00 00
///     error      00 00 FF 01 FF 7F 81 00
///
/// TFI, data and DCS add up to 0 modulo 256.
package enum Frame: Hashable, Sendable {
  /// Host to chip (TFI D4): the command code, then its parameters.
  case command([UInt8])
  /// Chip to host (TFI D5): the command code + 1, then the answer.
  case answer([UInt8])
  /// From the chip: your command has arrived. From the host: abort what you are doing.
  case ack
  /// From the host: send the last answer again.
  case nack
  /// From the chip: unknown command, or a wrong number of parameters.
  case error

  /// The longest payload of a command or an answer, its code included, in bytes (6.2.1.2).
  package static let longestPayload = 264

  /// TFI of a frame to the chip.
  static let toChip: UInt8 = 0xD4
  /// TFI of a frame from the chip.
  static let fromChip: UInt8 = 0xD5
  /// TFI of the error frame.
  static let syntaxError: UInt8 = 0x7F

  /// The bytes on the wire, from preamble to postamble. Payloads above 254 bytes take the extended
  /// form; so do shorter ones when `extended` is set. Payloads hold 1 to 264 bytes.
  package func serialize(extended: Bool = false) -> [UInt8] {
    switch self {
    case .ack: [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    case .nack: [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
    case .error: Self.information([Self.syntaxError], extended: false)
    case .command(let payload): Self.information([Self.toChip] + payload, extended: extended)
    case .answer(let payload): Self.information([Self.fromChip] + payload, extended: extended)
    }
  }

  private static func information(_ content: [UInt8], extended: Bool) -> [UInt8] {
    precondition(content.count <= longestPayload + 1, "a payload of more than 264 bytes")
    var bytes: [UInt8] = [0x00, 0x00, 0xFF]
    let length = content.count
    if length > 255 || extended {
      let (high, low) = (UInt8(length >> 8), UInt8(length & 0xFF))
      bytes += [0xFF, 0xFF, high, low, 0 &- high &- low]
    } else {
      bytes += [UInt8(length), 0 &- UInt8(length)]
    }
    return bytes + content + [0 &- content.reduce(0, &+), 0x00]
  }
}
