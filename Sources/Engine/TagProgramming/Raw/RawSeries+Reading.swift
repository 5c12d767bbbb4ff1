import TagMemory

extension RawSeries {
  /// Is true if no tag changes by any of the commands, nor counts it against whoever sends it.
  package var onlyReads: Bool { commands.allSatisfy(\.onlyReads) }
}

extension RawCommand {
  fileprivate var onlyReads: Bool {
    switch self {
    case .tag(let bytes):
      // READ, FAST_READ, READ_SIG, READ_CNT, and GET_VERSION, which opens a sector of a MIFARE
      // Classic; FeliCa's Read Without Encryption.
      bytes.first.map { [0x30, 0x3A, 0x3C, 0x39, 0x60, 0x06].contains($0) } ?? true
    case .apdu(let apdu):
      // SELECT, READ BINARY, GET DATA (ISO/IEC 7816-4).
      apdu.instructionClass == 0 && [0xA4, 0xB0, 0xCA].contains(apdu.instruction)
    }
  }
}
