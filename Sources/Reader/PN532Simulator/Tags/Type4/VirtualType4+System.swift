/// What ST's chips have beside files: a system file, two passwords of 16 bytes (1 to read, 2 to
/// write), and locks permanently.
extension VirtualType4 {
  /// The system file (18 bytes, then padding) and both passwords, zeros as delivered.
  func systemFile(_ system: Type4Silicon.System, _ size: Int) -> [UInt8] {
    let last = size - 1
    let file: [UInt8] =
      [0x00, 0x12, 0x80, 0x00, 0x00, 0x00, 0x00, 0x13] + uid
      + [UInt8(last >> 8), UInt8(last & 0xFF), system.code]
    return file + [UInt8](repeating: 0, count: 64 - file.count)
  }

  /// The signature of the UID's hash: while the message's file is selected, from E0h on
  /// (Proxmark3, `cmdhfst25ta.c`).
  func readSignature(_ apdu: CommandAPDU) -> TagAnswer {
    guard apdu.offset == 0xE0, apdu.le == 32 else { return status(.wrongLength) }
    return .data(
      MakerSignature.bytes(of: uid, on: .secp128r1, isHashed: true) + StatusWord.ok.bytes)
  }

  /// VERIFY 20, CHANGE REFERENCE DATA 24, DISABLE 26 and ENABLE VERIFICATION 28, ENABLE PERMANENT
  /// STATE A2 28. P2 is the password.
  func receiveSystem(_ apdu: CommandAPDU) -> TagAnswer {
    guard [0x20, 0x24, 0x26, 0x28].contains(apdu.ins), apdu.cla == 0x00 || apdu.ins == 0x28 else {
      return status(.unknownInstruction)
    }
    guard apdu.p1 == 0, apdu.p2 == 1 || apdu.p2 == 2 else { return status(.wrongParameters) }
    guard selectedFile == .message else { return status(.noFileSelected) }
    if apdu.ins == 0x20 { return verify(apdu) }
    // Whoever knows the password for writing decides about both.
    guard verified.contains(2) else { return status(.notAllowed) }
    let index = Int(apdu.p2) - 1
    guard currentAccess(index) < 0xFE else { return status(.notAllowed) }
    switch (apdu.cla, apdu.ins) {
    case (0xA2, _): return setAccess(index, apdu.p2 == 1 ? 0xFE : 0xFF)
    case (_, 0x24):
      guard apdu.data.count == 16 else { return status(.wrongLength) }
      return ended(eeprom.program(apdu.data, at: passwordOffset(apdu.p2), tearingSafe: true))
    case (_, 0x26): return setAccess(index, 0x00)
    default: return setAccess(index, 0x80)
    }
  }

  /// Without data: whether the password is asked for.
  private func verify(_ apdu: CommandAPDU) -> TagAnswer {
    guard !apdu.data.isEmpty else {
      let isOpen = currentAccess(Int(apdu.p2) - 1) == 0x00 || verified.contains(apdu.p2)
      return status(isOpen ? .ok : .passwordRequired)
    }
    guard apdu.data.count == 16 else { return status(.wrongLength) }
    let offset = passwordOffset(apdu.p2)
    guard apdu.data == Array(eeprom.bytes[offset..<offset + 16]) else {
      return .data([0x63, 0xC2])
    }
    verified.insert(apdu.p2)
    return status(.ok)
  }

  private func passwordOffset(_ number: UInt8) -> Int { 48 + 16 * (Int(number) - 1) }
}
