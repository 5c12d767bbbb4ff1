import PN532
import TagMemory

/// APDUs to cards that speak ISO-DEP (ISO/IEC 7816-4); the chip does the block protocol (UM0701-02,
/// 7.3.8).
extension TagCommand {
  /// The answer is data and two status bytes. What carries a password, a key or a cryptogram is
  /// secret by its instruction; `isSecret` keeps the data of any other out of traces, too. Never
  /// repeated: a card may count, or have carried it out.
  package static func apdu(_ apdu: CommandAPDU, isSecret: Bool = false) -> TagCommand {
    let frame = apdu.serialize()
    let code = InstructionCode(apdu.instructionClass, apdu.instruction)
    let data = apdu.data.isEmpty ? 0..<0 : dataRange(of: apdu, in: frame)
    var secrets = Secrets.none
    if isSecret || secretInstructions.contains(code) { secrets.frame = [data] }
    // AF without data asks for the rest of an answer, or ends a command.
    if cryptograms.contains(code), !(code == continuation && apdu.data.isEmpty) {
      secrets = Secrets(frame: [data], answer: [0..<256])
      secrets.sparesStatusWord = true
    }
    return TagCommand(
      frame, kind: kinds[code] ?? .other,
      work: kinds[code] == .write ? .programming : .answer, secrets: secrets, asks: asked(by: apdu),
      isAPDU: true)
  }

  /// How many bytes the card is asked for, with its status word. The highest Le means as many as
  /// there are: most answers are short then, but not what files hold (ISO/IEC 7816-4, 5.1, 7.2.3
  /// and 7.3.3).
  private static func asked(by apdu: CommandAPDU) -> Int? {
    guard let length = apdu.expectedLength else { return nil }
    let isWhole = length == (apdu.isExtended ? 0x1_0000 : 0x100)
    let reads: ClosedRange<UInt8> = 0xB0...0xB3
    let isOfFiles = apdu.instructionClass & 0x80 == 0 && reads.contains(apdu.instruction)
    return isWhole && !isOfFiles ? nil : length + 2
  }

  private static func dataRange(of apdu: CommandAPDU, in frame: [UInt8]) -> Range<Int> {
    let start = apdu.isExtended ? 7 : 5
    return start..<min(frame.count, start + apdu.data.count)
  }

  /// Class and instruction; the class without its channel.
  private struct InstructionCode: Hashable {
    let value: UInt16
    init(_ instructionClass: UInt8, _ instruction: UInt8) {
      let masked = instructionClass & 0x80 == 0 ? instructionClass & 0xFC : instructionClass
      value = UInt16(masked) << 8 | UInt16(instruction)
    }
  }

  /// What counts as a read or a write: READ and UPDATE BINARY, DESFire's own (90h) data commands,
  /// and whatever changes files, settings or keys of a DESFire.
  private static let kinds: [InstructionCode: Kind] = {
    var kinds: [InstructionCode: Kind] = [:]
    for code: UInt8 in [0xB0, 0xB1] { kinds[InstructionCode(0x00, code)] = .read }
    for code: UInt8 in [0xD0, 0xD6, 0xD7] { kinds[InstructionCode(0x00, code)] = .write }
    for code: UInt8 in [0xAD, 0xBD] { kinds[InstructionCode(0x90, code)] = .read }
    // WriteData, CreateApplication, DeleteApplication, CreateStdDataFile, ChangeFileSettings,
    // ChangeKey, ChangeKeySettings, SetConfiguration, FormatPICC.
    for code: UInt8 in [0x3D, 0x8D, 0xCA, 0xDA, 0xCD, 0x5F, 0xC4, 0x54, 0x5C, 0xFC] {
      kinds[InstructionCode(0x90, code)] = .write
    }
    for code: UInt8 in [0x0A, 0x1A, 0xAA, 0x71, 0x77] {
      kinds[InstructionCode(0x90, code)] = .authentication
    }
    for code: UInt8 in [0x20, 0x82, 0x88] { kinds[InstructionCode(0x00, code)] = .authentication }
    return kinds
  }()

  /// VERIFY, CHANGE REFERENCE DATA, DISABLE and ENABLE VERIFICATION, ENABLE PERMANENT STATE
  /// (ST25TA); ChangeKey.
  private static let secretInstructions: Set<InstructionCode> = [
    InstructionCode(0x00, 0x20), InstructionCode(0x00, 0x24), InstructionCode(0x00, 0x26),
    InstructionCode(0x00, 0x28), InstructionCode(0xA0, 0x20), InstructionCode(0xA0, 0x24),
    InstructionCode(0xA2, 0x28), InstructionCode(0x90, 0xC4),
  ]

  private static let continuation = InstructionCode(0x90, 0xAF)

  /// Both halves of an authentication: with a key that is still the maker's, who reads them gets
  /// the session and what it carries.
  private static let cryptograms: Set<InstructionCode> = [
    InstructionCode(0x90, 0x0A), InstructionCode(0x90, 0x1A), InstructionCode(0x90, 0xAA),
    InstructionCode(0x90, 0x71), InstructionCode(0x90, 0x77), InstructionCode(0x90, 0xAF),
    InstructionCode(0x00, 0x82), InstructionCode(0x00, 0x88),
  ]
}
