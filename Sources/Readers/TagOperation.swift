/// What a chip command asks of the tag, for counting.
enum TagOperation {
  case authentication, read, write, other

  /// InDataExchange (40 Tg …) and InCommunicateThru (42 …) by the tag command inside; MF1S50YYX_V1 9,
  /// NTAG213/215/216 10, and READ/UPDATE BINARY of ISO/IEC 7816-4.
  init(of command: [UInt8]) {
    let inside: ArraySlice<UInt8>
    switch command.first {
    case 0x40: inside = command.dropFirst(2)
    case 0x42: inside = command.dropFirst(1)
    default:
      self = .other
      return
    }
    switch (inside.first, command.first) {
    case (0x60, 0x40), (0x61, 0x40), (0x1B, _): self = .authentication
    case (0x30, _), (0x3A, _), (0x39, _), (0x3C, _): self = .read
    case (0xA0, _), (0xA2, _), (0xB0, _): self = .write
    case (0x00, 0x40) where inside.dropFirst().first == 0xB0: self = .read
    case (0x00, 0x40) where inside.dropFirst().first == 0xD6: self = .write
    default: self = .other
    }
  }
}
