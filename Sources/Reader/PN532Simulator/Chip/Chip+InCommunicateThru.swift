import CardCrypto
import PN532

extension Chip {
  /// InCommunicateThru (UM0701-02, 7.3.9): the bytes go out as they are, CRC and bits as the
  /// registers say.
  func communicateThru(_ parameters: [UInt8]) -> ChipOutcome {
    var received = transceiveRaw(parameters)
    if received.data.count > longestAnswer { received = ExchangeAnswer(status: .bufferTooSmall) }
    // What go-pn532 reports of such boards.
    if deviations.isClone, parameters.count == 3, parameters[0] == 0x3A {
      received = ExchangeAnswer(status: .framing)
    }
    return answer(.inCommunicateThru, received.serialize())
  }

  /// The most bytes of a tag's answer that fit beside a status; what the chip does with more is not
  /// in the manual: assumed is 07h, “communication buffer size insufficient” (7.1).
  var longestAnswer: Int { deviations.longestAnswer ?? Self.longestPart }

  /// One raw exchange. A 4-bit answer has no CRC: with the check on it is a CRC error, with the
  /// check off it comes as one byte, and Control tells how many bits of it count.
  func transceiveRaw(_ bytes: [UInt8]) -> ExchangeAnswer {
    registers[.control] &= ~0x07
    // Collision avoidance is over once it has been done (seen in github.com/nfcpy/nfcpy/issues/131:
    // 4B is read as 43).
    registers[.txAuto] &= ~0x08
    let answer =
      switch registers.framing {
      case 0x00: transceiveTypeA(bytes)
      case 0x02: air.transceiveFeliCa(bytes, registers.bitRate)
      case 0x03: air.transceiveTypeB(bytes)
      default: air.timed(.silence)
      }
    switch answer {
    case .data(let data):
      let crc = registers.checksCRC || registers.framing != 0 ? [] : CRCA.bytes(of: data)
      return ExchangeAnswer(status: .ok, data: data + crc)
    case .bare(let data) where !registers.checksCRC:
      return ExchangeAnswer(status: .ok, data: data)
    case .nibble(let value) where !registers.checksCRC:
      registers[.control] |= 0x04
      return ExchangeAnswer(status: .ok, data: [value])
    case .garbled where !registers.checksCRC:
      // Without the check the damage reaches the host; three bytes cannot be a sound frame.
      return ExchangeAnswer(status: .ok, data: [0x00, 0x00, 0x00])
    case .nibble where deviations.hidesRefusals: return ExchangeAnswer(status: .ok)
    case .bare, .nibble, .garbled: return ExchangeAnswer(status: .crc)
    case .collision: return ExchangeAnswer(status: .collision)
    case .silence: return ExchangeAnswer(status: .timeout)
    }
  }

  private func transceiveTypeA(_ bytes: [UInt8]) -> AirAnswer {
    if hearsNoise() { return air.timed(.silence) }
    if let answer = activateRaw(bytes) { return answer }
    guard registers.lastBits == 0 else {
      if let tag = air.active, !air.isInProtocol(tag) { air.disturb(tag) }
      return air.timed(.silence)
    }
    guard let frame = withoutCRC(bytes) else { return air.transceiveDamaged(bytes.count) }
    guard let tag = air.active else { return air.timed(.silence) }
    if air.isInProtocol(tag) { return air.exchangeBlock(frame, with: tag) }
    if frame.count == 2, frame[0] == 0xE0, !tag.ats.isEmpty {
      return air.rats(tag, parameter: frame[1])
    }
    if frame == [0x50, 0x00] {
      air.halt()
      return air.timed(.silence)
    }
    return air.transceive(frame)
  }

  /// Returns what a tag takes for a frame: the host must add the CRC where the chip does not.
  private func withoutCRC(_ bytes: [UInt8]) -> [UInt8]? {
    if registers.addsCRC { return bytes }
    guard bytes.count > 2, CRCA.bytes(of: bytes.dropLast(2)) == Array(bytes.suffix(2)) else {
      return nil
    }
    return Array(bytes.dropLast(2))
  }

  /// REQA, WUPA, anticollision and select, done by hand (ISO/IEC 14443-3, 6.4 and 6.5); nil for
  /// other frames.
  private func activateRaw(_ bytes: [UInt8]) -> AirAnswer? {
    if registers.lastBits == 7, bytes == [0x26] || bytes == [0x52] {
      let answering = air.request(wakingHalted: bytes == [0x52])
      rawAnticollision = answering
      // A Topaz answers, too, but takes no part in what follows.
      let answers = (answering + air.requestTopaz()).map(\.atqa)
      guard !answers.isEmpty else { return air.timed(.silence) }
      let atqa = answers.reduce(0, |)
      return air.timed(.bare([UInt8(atqa & 0xFF), UInt8(atqa >> 8)]))
    }
    guard bytes.count >= 2, registers.lastBits == 0, !rawAnticollision.isEmpty,
      let level = [0x93: 0, 0x95: 1, 0x97: 2][bytes[0]]
    else { return nil }
    if bytes.count == 2, bytes[1] == 0x20 { return anticollide(level) }
    guard let frame = withoutCRC(bytes), frame.count == 7, frame[1] == 0x70 else {
      return air.timed(.silence)
    }
    return selectRaw(level, Array(frame.dropFirst(2)))
  }

  private func anticollide(_ level: Int) -> AirAnswer {
    let answers = rawAnticollision.compactMap { tag in
      Anticollision.levels(tag.uid).dropFirst(level).first
    }
    guard let first = answers.first else { return air.timed(.silence) }
    return air.timed(answers.allSatisfy { $0 == first } ? .bare(first) : .collision)
  }

  private func selectRaw(_ level: Int, _ wanted: [UInt8]) -> AirAnswer {
    rawAnticollision.removeAll { Anticollision.levels($0.uid).dropFirst(level).first != wanted }
    guard let tag = rawAnticollision.first else { return air.timed(.silence) }
    guard level == Anticollision.levels(tag.uid).count - 1 else {
      return air.timed(.data([tag.sakBeforeLast]))
    }
    rawAnticollision = []
    hasOpenSector = false
    return air.timed(
      air.exchange(with: tag) {
        air.select(tag)
        return .data([tag.sak])
      })
  }
}
