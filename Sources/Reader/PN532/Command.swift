/// A command as the host sends it: its code, then its parameters (UM0701-02, 7.2 and 7.3).
package struct Command: Hashable, Sendable {
  package let code: CommandCode
  package let parameters: [UInt8]

  package init(_ code: CommandCode, _ parameters: [UInt8] = []) {
    self.code = code
    self.parameters = parameters
  }

  /// Code and parameters, without the TFI.
  package var bytes: [UInt8] { [code.rawValue] + parameters }
}

// The board itself, 7.2.
extension Command {
  /// Which chip, which firmware; answered by `FirmwareVersion`.
  package static let getFirmwareVersion = Command(.getFirmwareVersion)
  /// The last error, the field, the selected tags; answered by `GeneralStatus`.
  package static let getGeneralStatus = Command(.getGeneralStatus)

  /// The chip sends `text` back (7.2.1, test 0).
  package static func lineTest(_ text: [UInt8]) -> Command { Command(.diagnose, [0x00] + text) }

  /// Says whether the selected ISO-DEP or DEP target still answers (7.2.1, test 6); answered by a
  /// status byte.
  package static let attentionTest = Command(.diagnose, [0x06])

  /// Normal mode, without a secure module: what must precede every RF command (7.2.10). Boards
  /// differ in the form they take: `short` sends the mode alone, the other form adds a timeout of 1
  /// s and the use of IRQ.
  package static func samConfiguration(short: Bool = true) -> Command {
    Command(.samConfiguration, short ? [0x01] : [0x01, 0x14, 0x01])
  }

  /// Answered at the old speed; the new one holds after the host's ACK frame (7.2.6).
  package static func setSerialBaudRate(_ speed: LinkSpeed) -> Command {
    Command(.setSerialBaudRate, [speed.rawValue])
  }

  /// Bit 4 of the flags: RATS follows a selection by itself; bit 2: likewise ATR_RES (7.2.9).
  package static func setParameters(automaticRATS: Bool, automaticATR: Bool = true) -> Command {
    Command(.setParameters, [(automaticRATS ? 0x10 : 0) | (automaticATR ? 0x04 : 0)])
  }

  /// Bits 5 and 4: as a tag the chip is an ISO-DEP card and answers RATS itself (7.2.9).
  package static let playCard = Command(.setParameters, [0x30])

  /// Sleep until a byte arrives on HSU, SPI or I2C, or GPIO changes (7.2.11).
  package static let powerDown = Command(.powerDown, [0xF0])

  /// Answered by one byte a register (7.2.4). At most 131 registers.
  package static func readRegister(_ registers: [Register]) -> Command {
    Command(.readRegister, registers.flatMap(\.wire))
  }

  /// Sets registers in the order given (7.2.5). At most 87 of them.
  package static func writeRegister(_ values: [(Register, UInt8)]) -> Command {
    Command(.writeRegister, values.flatMap { $0.0.wire + [$0.1] })
  }
}

// The field, 7.3.1.
extension Command {
  /// Item 1. Off, tags lose power; `automatic` lets the chip watch for other fields first.
  package static func rfField(on: Bool, automatic: Bool = false) -> Command {
    Command(.rfConfiguration, [0x01, (on ? 0x01 : 0) | (automatic ? 0x02 : 0)])
  }

  /// Item 2: how long ATR_RES and any other answer of a tag may take.
  package static func rfTimeouts(
    attribute: RFTimeout = .attributeDefault, communication: RFTimeout
  ) -> Command {
    Command(.rfConfiguration, [0x02, 0x00, attribute.index, communication.index])
  }

  /// Item 4: how often an exchange is repeated after a timeout.
  package static func exchangeRetries(_ count: UInt8) -> Command {
    Command(.rfConfiguration, [0x04, count])
  }

  /// Item 5: how often activation is repeated; FFh without a limit, 0 = one try. `passive` governs
  /// InListPassiveTarget.
  package static func activationRetries(
    attribute: UInt8 = 0x00, psl: UInt8 = 0x01, passive: UInt8
  ) -> Command {
    Command(.rfConfiguration, [0x05, attribute, psl, passive])
  }
}

// The chip as a tag, 7.3.14 to 7.3.21.
extension Command {
  /// An ISO-DEP card of type A with the UID 08h and `identity` (3 bytes), for readers that send
  /// their field: no peer-to-peer, no FeliCa. Answered once one has selected it.
  package static func tgInitAsTarget(_ identity: [UInt8]) -> Command {
    // Mode, SENS_RES, NFCID1t, SEL_RES; FeliCa and peer-to-peer; no general, no historical bytes.
    Command(
      .tgInitAsTarget,
      [0x05, 0x04, 0x00] + identity + [0x20] + [UInt8](repeating: 0, count: 28) + [0x00, 0x00])
  }

  /// The next command that a reader sends; answered by a status byte and the command.
  package static let tgGetData = Command(.tgGetData)

  /// The answer to it, 262 bytes at most; answered by a status byte.
  package static func tgSetData(_ bytes: [UInt8]) -> Command { Command(.tgSetData, bytes) }

  /// Lets go of every target; ends being a tag (7.3.11).
  package static let releaseAll = Command(.inRelease, [0x00])
}

extension Register {
  fileprivate var wire: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
