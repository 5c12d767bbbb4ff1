import PN532

extension Chip {
  /// REQA and RID: Tg, SENS_RES (high byte first), the four bytes of the ID that RID tells
  /// (UM0701-02, 7.3.5). The chip handles one such tag.
  func lookForTopaz() -> [[UInt8]] {
    guard let tag = air.requestTopaz().first else {
      air.spent.rf += model.emptyRequest
      return []
    }
    air.spent.rf += model.activation
    guard case .data(let answer) = air.transceiveTopaz([0x78, 0, 0, 0, 0, 0, 0]),
      answer.count == 6
    else { return [] }
    let id = Array(answer[2...])
    targets.append(Target(number: 1, identity: .topaz(id: id)))
    current = 1
    return [[1, UInt8(tag.atqa >> 8), UInt8(tag.atqa & 0xFF)] + id]
  }

  /// The commands of a Topaz that the firmware knows: RALL, READ, WRITE-NE, WRITE-E, RID; nothing
  /// else gets through (nfcpy, `pn532.py`: the eight-byte commands go bit by bit through the
  /// contactless unit's registers).
  func exchangeTopaz(_ data: [UInt8]) -> ChipOutcome {
    guard let command = data.first, [0x00, 0x01, 0x1A, 0x53, 0x78].contains(command),
      data.count == 7
    else { return .syntaxError }
    return report(air.transceiveTopaz(data))
  }
}

extension Air {
  /// REQA: the Topaz tags that answer. They are ready for commands then; there is no anticollision.
  func requestTopaz() -> [any VirtualTag] {
    let answering = powered(.topaz)
    for tag in answering { tag.select() }
    return answering
  }

  /// A command to the Topaz that was asked last. Each of its bytes is a frame of its own.
  func transceiveTopaz(_ frame: [UInt8]) -> AirAnswer {
    spent.rf += (model.air(bytes: 1) + model.frameDelay) * (frame.count + 2)
    guard let tag = powered(.topaz).first(where: { $0.state == .active }) else {
      return timed(.silence)
    }
    field.hostExchanged()
    return timed(exchange(with: tag) { tag.receive(frame) })
  }
}
