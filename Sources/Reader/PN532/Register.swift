/// An address in the chip's memory: the registers of its contactless interface unit (PN532/C1 data
/// sheet, 8.6.23).
package struct Register: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// CIU_Mode; bit 2 switches off what tells readers of type A, FeliCa and active ones apart.
  package static let mode = Register(rawValue: 0x6301)
  /// Bit 7 adds the CRC when sending, bits 6–4 the speed, bits 1–0 the framing (0 = type A, 3 =
  /// type B).
  package static let txMode = Register(rawValue: 0x6302)
  /// As TxMode, for receiving: with bit 7 the CRC is checked and removed.
  package static let rxMode = Register(rawValue: 0x6303)
  /// Bits 1 and 0: the antenna drivers are on.
  package static let txControl = Register(rawValue: 0x6304)
  /// Bit 6 forces 100 % modulation (type A).
  package static let txAuto = Register(rawValue: 0x6305)
  /// Bit 4 leaves parity to the host.
  package static let manualRCV = Register(rawValue: 0x630D)
  /// What the unit is doing: 4 = transmit, 8 = receive, Ch = transceive.
  package static let command = Register(rawValue: 0x6331)
  /// Bit 3: a MIFARE Classic session is encrypted.
  package static let status2 = Register(rawValue: 0x6338)
  /// The 64-byte buffer between the unit and the air.
  package static let fifoData = Register(rawValue: 0x6339)
  /// Bits 6–0: how many bytes lie in the buffer; bit 7 written empties it.
  package static let fifoLevel = Register(rawValue: 0x633A)
  /// Bit 4: initiator; bits 2–0: how many bits of the last byte received are valid, 0 = all.
  package static let control = Register(rawValue: 0x633C)
  /// Bit 7 starts sending; bits 2–0: how many bits of the last byte are sent, 0 = all.
  package static let bitFraming = Register(rawValue: 0x633D)
}
