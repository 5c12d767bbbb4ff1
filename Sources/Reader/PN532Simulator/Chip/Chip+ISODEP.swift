import PN532

extension Chip {
  /// The longest part of an answer that fits one frame beside its status, in bytes.
  static let longestPart = 262

  /// An APDU through the ISO-DEP protocol (ISO/IEC 14443-4, 7): the firmware cuts it into frames of
  /// the card's size. The host fetches a long answer by asking again without data while bit 6 of
  /// the status is set.
  ///
  /// With NAD in use (SetParameters, bit 0) the first byte is the NAD, and the answer's comes
  /// behind the status with bit 7 set.
  func exchangeAPDU(_ data: [UInt8], target index: Int) -> ChipOutcome {
    if data.isEmpty, !targets[index].rest.isEmpty {
      return deliver(targets[index].rest, target: index)
    }
    targets[index].rest = []
    let nad = usesNAD ? data.first : nil
    let command = usesNAD ? Array(data.dropFirst()) : data
    guard !command.isEmpty else { return .syntaxError }
    guard var link = targets[index].link, let tag = tag(targets[index]) else {
      air.spent.rf += targets[index].link?.parameters.frameWait ?? .zero
      return status(.inDataExchange, .timeout)
    }
    if nad != nil, !link.parameters.takesNAD { return status(.inDataExchange, .nadMissing) }
    let outcome = link.exchange(
      command, nad: nad, with: tag, in: air, retries: communicationRetries)
    targets[index].link = link
    switch outcome {
    case .answer(let bytes, let answered):
      guard let answered, nad != nil else { return deliver(bytes, target: index) }
      let part = Array(bytes.prefix(longestAnswer - 1))
      targets[index].rest = Array(bytes.dropFirst(part.count))
      let flags: UInt8 = targets[index].rest.isEmpty ? 0x80 : 0xC0
      return answer(.inDataExchange, [flags, answered] + part)
    case .timeout: return status(.inDataExchange, .timeout)
    case .garbled, .broken: return status(.inDataExchange, .rfProtocol)
    }
  }

  private func deliver(_ bytes: [UInt8], target index: Int) -> ChipOutcome {
    targets[index].rest = Array(bytes.dropFirst(longestAnswer))
    let isMore = !targets[index].rest.isEmpty
    let part = ExchangeAnswer(
      status: .ok, more: isMore, data: Array(bytes.prefix(longestAnswer)))
    return answer(.inDataExchange, part.serialize())
  }

  /// InPSL (UM0701-02, 7.3.7): another speed, 0 to 2 for 106 to 424 kbit/s, each way. An ISO-DEP
  /// card is asked for it with PPS; what the manual says of other targets is not known: they are
  /// left at the speed that they were found at.
  func inPSL(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count == 3 else { return .syntaxError }
    guard let target = targets.first(where: { $0.number == parameters[0] }) else {
      return status(.inPSL, .wrongContext)
    }
    guard parameters[1] <= 2, parameters[2] <= 2 else { return status(.inPSL, .invalidParameter) }
    guard let link = target.link, case .typeA = target.identity else { return status(.inPSL, .ok) }
    let request = [
      0xD0 | (link.cid ?? 0), 0x11, parameters[2] << 2 | parameters[1],
    ]
    let answer = air.exchangeBlock(
      request, with: tag(target), wait: link.parameters.frameWait)
    switch answer {
    case .data: return status(.inPSL, .ok)
    case .silence: return status(.inPSL, .timeout)
    default: return status(.inPSL, .rfProtocol)
    }
  }
}

extension Air {
  /// One block to a card in the ISO-DEP protocol, and its answer. `wait`: how long the chip
  /// listens.
  func exchangeBlock(
    _ block: [UInt8], with tag: (any VirtualTag)?, wait: Duration? = nil
  ) -> AirAnswer {
    spent.rf += model.air(bytes: block.count + 2)
    let wait = wait ?? patience ?? .seconds(1)
    guard let tag, isInProtocol(tag), let card = cards[ObjectIdentifier(tag)] else {
      spent.rf += wait
      return .silence
    }
    field.hostExchanged()
    let answer = exchange(with: tag, isPatient: true) {
      card.respond(to: block) { self.extensions(of: card, pages: $0) }.map { .data($0) }
        ?? .silence
    }
    guard answer == .silence else { return timed(answer) }
    spent.rf += wait
    return .silence
  }

  /// How often `card` asks for more time before it answers a command that took programming `pages`
  /// pages: when they last longer than it may be silent, and as often as it is made to.
  private func extensions(of card: ProtocolCard, pages: Int) -> Int {
    guard pages > 0 else { return 0 }
    let wait = card.parameters.frameWait
    spent.rf += wait * card.tag.waitExtensions
    let programming = model.programming(card.tag) * pages
    return card.tag.waitExtensions + Int(programming / wait)
  }
}
