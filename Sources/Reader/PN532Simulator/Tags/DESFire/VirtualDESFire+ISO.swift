/// ISO/IEC 7816-4 commands, for files that have an identifier there.
extension VirtualDESFire {
  func receiveISO(_ apdu: CommandAPDU, header: Int) -> TagAnswer {
    // As MF2DL(H)x0 and NT4H2421Gx have it in the tables of their ISO commands.
    guard pending == nil else { return .data(StatusWord.outOfTurn.bytes) }
    let status: StatusWord
    switch apdu.ins {
    case 0xA4: status = selectISO(apdu)
    case 0xB0: return readBinary(apdu)
    case 0xD6: return updateBinary(apdu, header: header)
    default: status = .unknownInstruction
    }
    return .data(status.bytes)
  }

  /// The card's own name.
  private static let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00]

  /// SELECT, P1 00 by identifier, 02 a file by identifier, 04 an application by name; P2 00 or 0C.
  private func selectISO(_ apdu: CommandAPDU) -> StatusWord {
    guard apdu.p2 == 0x00 || apdu.p2 == 0x0C else { return .wrongParameters }
    let id = apdu.data.reduce(0) { $0 << 8 | Int($1) }
    switch apdu.p1 {
    case 0x04 where apdu.data == Self.name: return chooseCard()
    case 0x04: return choose { !$0.name.isEmpty && $0.name == apdu.data }
    case 0x00 where apdu.data.isEmpty || apdu.data == [0x3F, 0x00]: return chooseCard()
    case 0x00, 0x02:
      guard apdu.data.count == 2 else { return .wrongLength }
      if let index = structure.index(of: selected),
        let file = structure.applications[index].files.first(where: { $0.isoID.map(Int.init) == id }
        )
      {
        selectedFile = file.number
        return .ok
      }
      return apdu.p1 == 0x02 ? .notFound : choose { $0.isoID.map(Int.init) == id }
    default: return .wrongParameters
    }
  }

  private func chooseCard() -> StatusWord {
    deselect()
    selected = 0
    return .ok
  }

  private func choose(_ fits: (DESFireApplication) -> Bool) -> StatusWord {
    guard let application = structure.applications.first(where: fits) else { return .notFound }
    deselect()
    selected = application.id
    return .ok
  }

  /// The file that is selected, and whether a host may use it in plain.
  private func open(_ use: Use) -> Result<DESFireFile, ISOFailure> {
    guard let number = selectedFile, let file = try? file(number) else {
      return .failure(ISOFailure(status: .noFileSelected))
    }
    let isKnown = try? right(to: file, [use, .both])
    guard let isKnown, !isKnown || file.mode == 0 else {
      return .failure(ISOFailure(status: .notAllowed))
    }
    return .success(file)
  }

  struct ISOFailure: Error { let status: StatusWord }

  private func readBinary(_ apdu: CommandAPDU) -> TagAnswer {
    let file: DESFireFile
    switch open(.read) {
    case .failure(let failure): return .data(failure.status.bytes)
    case .success(let found): file = found
    }
    guard apdu.data.isEmpty, let wanted = apdu.le else {
      return .data(StatusWord.wrongLength.bytes)
    }
    guard apdu.p1 < 0x80, apdu.offset < file.size, let start = try? place(of: file) else {
      return .data(StatusWord.wrongOffset.bytes)
    }
    // A Le of zero is what there is, as far as a frame goes.
    let limit = silicon.longestCommand.map { $0 - 1 } ?? 256
    guard wanted <= limit || wanted == 256 else { return .data(StatusWord.wrongLength.bytes) }
    let count = min(wanted, limit, file.size - apdu.offset)
    let from = start + apdu.offset
    return .data(Array(eeprom.bytes[from..<from + count]) + StatusWord.ok.bytes)
  }

  private func updateBinary(_ apdu: CommandAPDU, header: Int) -> TagAnswer {
    let file: DESFireFile
    switch open(.write) {
    case .failure(let failure): return .data(failure.status.bytes)
    case .success(let found): file = found
    }
    guard !apdu.data.isEmpty else { return .data(StatusWord.wrongLength.bytes) }
    guard apdu.p1 < 0x80, apdu.offset + apdu.data.count <= file.size,
      let start = try? place(of: file)
    else { return .data(StatusWord.wrongOffset.bytes) }
    do throws(DESFireStatus) {
      try program(apdu.data, at: start + apdu.offset, header: header)
    } catch {
      return state == .active ? .data(StatusWord.memoryFailure.bytes) : .silence
    }
    return .data(StatusWord.ok.bytes)
  }
}
