import PN532

extension Chip {
  /// The longest part of an answer that fits one frame beside its status, in bytes.
  static let longestPart = 262

  /// An APDU through the ISO-DEP protocol (ISO/IEC 14443-4, 7). The host may chain it (`more`), and fetches a long
  /// answer by asking again without data while bit 6 of the status is set.
  func exchangeAPDU(_ data: [UInt8], target index: Int, more: Bool) -> ChipOutcome {
    if data.isEmpty, !targets[index].rest.isEmpty {
      return deliver(targets[index].rest, target: index)
    }
    if more {
      chainedAPDU += data
      return status(.inDataExchange, .ok)
    }
    let command = chainedAPDU + data
    chainedAPDU = []
    guard !command.isEmpty else { return .syntaxError }
    switch air.transceiveAPDU(command) {
    case .data(let bytes): return deliver(bytes, target: index)
    case .silence: return status(.inDataExchange, .timeout)
    default: return status(.inDataExchange, .rfProtocol)
    }
  }

  private func deliver(_ bytes: [UInt8], target index: Int) -> ChipOutcome {
    targets[index].rest = Array(bytes.dropFirst(longestAnswer))
    let isMore = !targets[index].rest.isEmpty
    let part = ExchangeAnswer(
      status: .ok, more: isMore, data: Array(bytes.prefix(longestAnswer)))
    return answer(.inDataExchange, part.serialize())
  }
}

extension Air {
  /// Blocks of the PICC's size carry an APDU there and its answer back; each has three bytes of prologue and CRC.
  func transceiveAPDU(_ apdu: [UInt8]) -> AirAnswer {
    guard let tag = active, isInProtocol(tag) else { return timed(.silence) }
    field.hostExchanged()
    spent.rf += blockTime(apdu.count)
    let answer = exchange(with: tag) { tag.receive(apdu) }
    if case .data(let bytes) = answer {
      spent.rf += blockTime(bytes.count)
      return answer
    }
    return timed(answer)
  }

  private func blockTime(_ count: Int) -> Duration {
    let blocks = max(1, (count + 252) / 253)
    return model.air(bytes: count + 3 * blocks) + model.frameDelay * blocks
  }

  /// One bare block to a tag in the ISO-DEP protocol, as InCommunicateThru sends it: I-blocks, R(NAK), S(DESELECT).
  func blockExchange(_ block: [UInt8]) -> AirAnswer {
    spent.rf += model.air(bytes: block.count + 2)
    guard let tag = active, isInProtocol(tag), let control = block.first else {
      return timed(.silence)
    }
    field.hostExchanged()
    let answer = exchange(with: tag) {
      switch control {
      case 0x02, 0x03:
        guard case .data(let bytes) = tag.receive(Array(block.dropFirst())) else { return .silence }
        return .data([control] + bytes)
      // R(NAK) asks whether the tag is there; it answers R(ACK) (7.5.6.2).
      case 0xB2, 0xB3: return .data([control ^ 0x10])
      case 0xC2:
        tag.halt()
        return .data([0xC2])
      default: return .silence
      }
    }
    return timed(answer)
  }

  /// A frame to whichever FeliCa tag feels addressed; the length byte comes first, both ways.
  func transceiveFeliCa(_ frame: [UInt8]) -> AirAnswer {
    spent.rf += model.air(bytes: frame.count + 2) / 2
    for tag in typeF {
      field.hostExchanged()
      let answer = exchange(with: tag) { tag.receive(frame) }
      if answer != .silence { return timed(answer) }
    }
    return timed(.silence)
  }
}
