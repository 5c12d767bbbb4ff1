import PN532

extension Chip {
  /// InDataExchange (UM0701-02, 7.3.8): Tg, then data as the target's kind understands them.
  ///
  /// Bit 6 of Tg announces that more data follow. The manual allows it for peers (7.4.5, DEP
  /// chaining) and nothing else; what the chip does about it otherwise it does not say: assumed is
  /// status 10h, and that nothing is sent. So an APDU of more than 262 bytes cannot be sent.
  func exchangeData(_ parameters: [UInt8]) -> ChipOutcome {
    guard let first = parameters.first else { return .syntaxError }
    let (number, data) = (first & 0x0F, Array(parameters.dropFirst()))
    guard let index = targets.firstIndex(where: { $0.number == number }) else {
      return status(.inDataExchange, .wrongContext)
    }
    guard first & 0x40 == 0 else {
      // What a part is for, and when it is sent, only the chip that takes parts would know.
      return status(.inDataExchange, deviations.takesParts ? .ok : .invalidParameter)
    }
    if let most = deviations.longestCommand, data.count > most {
      return status(.inDataExchange, .bufferTooSmall)
    }
    if deviations.leavesAsleep, targets[index].isHalted {
      return status(.inDataExchange, .timeout)
    }
    if targets[index].isHalted {
      let woken = select(number: number)
      guard woken == .ok else { return status(.inDataExchange, woken) }
    }
    switch targets[index].identity {
    case .feliCa: return report(air.transceiveFeliCa(data, registers.bitRate))
    case .topaz: return exchangeTopaz(data)
    case .typeA, .typeB: break
    }
    if targets[index].isISODEP { return exchangeAPDU(data, target: index) }
    return exchangeMIFARE(data)
  }

  /// The MIFARE commands that the firmware knows; everything else, and every other length, gets the
  /// error frame (an assumption: the manual lists only these).
  private func exchangeMIFARE(_ data: [UInt8]) -> ChipOutcome {
    guard let command = data.first else { return .syntaxError }
    if hearsNoise() { return report(air.timed(.silence)) }
    switch (command, data.count) {
    case (0x60, 12), (0x61, 12): return authenticate(data)
    case (0x60, _), (0x61, _): return .syntaxError
    case (0x30, 2):
      return report(air.transceive(data))
    case (0xA2, 6), (0xB0, 2): return acknowledged(air.transceive(data))
    case (0xA0, 18), (0xC0, 6), (0xC1, 6), (0xC2, 6):
      let first = air.transceive(Array(data.prefix(2)))
      guard first == .nibble(0xA) else { return acknowledged(first) }
      let second = air.transceive(Array(data.dropFirst(2)))
      // Value operations answer nothing to their operand (MF1S50YYX_V1, 12.4).
      return acknowledged(command == 0xA0 || second != .silence ? second : .nibble(0xA))
    default: return .syntaxError
    }
  }

  /// Returns whether the host has switched the cipher off under an open sector: the tag hears
  /// noise, and the sector is closed.
  func hearsNoise() -> Bool {
    guard hasOpenSector, registers[.status2] & 0x08 == 0, let tag = air.active else { return false }
    air.disturb(tag)
    hasOpenSector = false
    return true
  }

  /// 60h or 61h, block, key, the last four UID bytes. A refusal leaves the tag silent.
  private func authenticate(_ data: [UInt8]) -> ChipOutcome {
    statistics.authentications += 1
    closeSector()
    if authenticationIsShut { return status(.inDataExchange, .authentication) }
    let granted = air.authenticate(
      command: data[0], block: data[1], key: Array(data[2..<8]), uid: Array(data[8..<12]))
    switch granted {
    case true:
      hasOpenSector = true
      registers[.status2] |= 0x08
      return status(.inDataExchange, .ok)
    case false: break
    case nil where deviations.authenticationSticks: break
    case nil: return status(.inDataExchange, .timeout)
    }
    authenticationIsShut = deviations.authenticationSticks
    return status(.inDataExchange, .authentication)
  }

  /// A write: an ACK is success.
  private func acknowledged(_ answer: AirAnswer) -> ChipOutcome {
    answer == .nibble(0xA) ? status(.inDataExchange, .ok) : report(answer)
  }

  /// A tag's answer as InDataExchange reports it. A NAK has the wrong length for a block: 13h, as
  /// seen with an unauthenticated Classic (github.com/googlearchive/chrome-nfc/issues/12); the
  /// firmware, which knows the commands, hardly tells reads from writes.
  func report(_ answer: AirAnswer) -> ChipOutcome {
    switch answer {
    case .data(let bytes) where bytes.count > longestAnswer:
      status(.inDataExchange, .bufferTooSmall)
    case .data(let bytes): self.answer(.inDataExchange, [StatusCode.ok.rawValue] + bytes)
    case .nibble: status(.inDataExchange, deviations.hidesRefusals ? .ok : .dataFormat)
    case .bare, .garbled: status(.inDataExchange, .crc)
    case .collision: status(.inDataExchange, .collision)
    case .silence: status(.inDataExchange, .timeout)
    }
  }
}
