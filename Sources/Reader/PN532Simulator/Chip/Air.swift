import PN532

/// The space above the antenna: the field, the tags that hear it, what an exchange costs and what
/// befalls it.
final class Air {
  let field: Field
  let faults: FaultInjector
  let model: TimeModel
  /// Modelled time since it was last taken.
  var spent = TimeSplit()
  /// How long the chip waits for an answer; nil: without a limit, here a second.
  var patience: Duration? = .microseconds(51_200)
  private(set) var isOn = false
  private(set) var exchangeCount = 0
  /// Which time slot each FeliCa tag takes; seeded, so that every run is the same.
  var slots = SplitMix64(state: 0)
  private(set) var programmingCount = 0
  /// Tags that have answered RATS or ATTRIB: they listen to ISO-DEP blocks only.
  private(set) var cards: [ObjectIdentifier: ProtocolCard] = [:]

  /// From now on `tag` listens to ISO-DEP blocks only. `readerFrame`: FSDI.
  func enterProtocol(
    _ tag: any VirtualTag, _ parameters: ProtocolParameters, readerFrame: UInt8, cid: UInt8
  ) {
    // Those that have been taken away are not kept alive.
    cards = cards.filter { entry in field.present.contains { $0 === entry.value.tag } }
    cards[ObjectIdentifier(tag)] = ProtocolCard(
      tag, parameters, readerFrame: ProtocolParameters.sizes[min(8, Int(readerFrame))], cid: cid)
    tag.enterProtocol()
  }

  init(field: Field, faults: FaultInjector, model: TimeModel) {
    self.field = field
    self.faults = faults
    self.model = model
    // Weak: a fault may itself hold a tag, the one that it lays in another's place.
    field.onArrival = { tag in
      tag.eeprom.fate = { [weak faults, weak eeprom = tag.eeprom] _ in
        faults?.nextEEPROMWrite(of: eeprom?.lastUnit) ?? .completes
      }
      if !faults.stuckBits.isEmpty { tag.eeprom.stuckBits = faults.stuckBits }
    }
    for tag in field.present { field.onArrival(tag) }
  }

  /// Switches the carrier. Off: every tag forgets what is volatile.
  func switchField(on: Bool) {
    guard on != isOn else { return }
    isOn = on
    spent.rf += model.guardTime
    if !on {
      for tag in field.present { tag.powerOff() }
      cards = [:]
    }
  }

  /// The type A tags that have power.
  var typeA: [any VirtualTag] { powered(.a) }
  /// The FeliCa tags that have power.
  var typeF: [any VirtualTag] { powered(.f) }

  /// The tags of one modulation that have power.
  func powered(_ technology: TagTechnology) -> [any VirtualTag] {
    isOn ? field.present.filter { $0.technology == technology && $0.isAwake } : []
  }

  /// The tag that hears type A frames.
  var active: (any VirtualTag)? { typeA.first { $0.state == .active } }

  func isInProtocol(_ tag: any VirtualTag) -> Bool {
    tag.state == .active && cards[ObjectIdentifier(tag)] != nil
  }

  /// REQA, or WUPA with `wakingHalted`: the tags that answer. An active tag takes it for an error
  /// and falls back without an answer (ISO/IEC 14443-3, 6.2); one in the ISO-DEP protocol ignores
  /// it.
  func request(wakingHalted: Bool) -> [any VirtualTag] {
    let answering = typeA.filter { tag in
      switch tag.state {
      case .idle: return true
      case .halt: return wakingHalted
      case .active:
        if !isInProtocol(tag) { disturb(tag) }
        return false
      }
    }
    if answering.isEmpty { spent.rf += model.emptyRequest }
    return answering
  }

  /// Anticollision and select among tags that have answered a request: the one that wins, or nil
  /// when it was lost.
  func activate(_ candidates: [any VirtualTag]) -> (any VirtualTag)? {
    guard let winner = Anticollision.winner(of: candidates) else { return nil }
    let steps = winner.uid.count / 3 - 1 + candidates.count - 1
    spent.rf += model.activation + model.activationStep * steps
    let answer = exchange(with: winner) {
      self.select(winner)
      return .data([winner.sak])
    }
    guard case .data = answer else { return nil }
    return winner
  }

  func select(_ tag: any VirtualTag) {
    cards[ObjectIdentifier(tag)] = nil
    tag.select()
  }

  /// HLTA to the active tag, or S(DESELECT) within the ISO-DEP protocol.
  func halt() {
    guard let tag = active else { return }
    spent.rf += model.air(bytes: 4) + model.frameDelay
    tag.halt()
  }

  /// RATS: the answer to select with its length byte. `parameter`: FSDI in the high nibble, CID in
  /// the low one.
  func rats(_ tag: any VirtualTag, parameter: UInt8) -> AirAnswer {
    spent.rf += model.air(bytes: 4)
    return timed(
      exchange(with: tag) {
        guard !tag.ats.isEmpty else { return .silence }
        self.enterProtocol(
          tag, ProtocolParameters(ats: tag.ats), readerFrame: parameter >> 4,
          cid: parameter & 0x0F)
        return .data([UInt8(tag.ats.count + 1)] + tag.ats)
      })
  }

  /// Sends a frame to the active tag.
  func transceive(_ frame: [UInt8]) -> AirAnswer {
    spent.rf += model.air(bytes: frame.count + 2)
    guard let tag = active else { return timed(.silence) }
    field.hostExchanged()
    guard tag.obeysWithoutRATS else {
      // An ISO-DEP card waits for RATS; anything else sends it back.
      disturb(tag)
      return timed(.silence)
    }
    return timed(exchange(with: tag) { tag.receive(frame) })
  }

  /// Sends `count` bytes that do not end in their CRC to the active tag.
  func transceiveDamaged(_ count: Int) -> AirAnswer {
    spent.rf += model.air(bytes: count)
    guard let tag = active, !isInProtocol(tag), tag.obeysWithoutRATS, count > 2 else {
      if let tag = active { disturb(tag) }
      return timed(.silence)
    }
    field.hostExchanged()
    return timed(exchange(with: tag) { tag.receiveDamaged() })
  }

  /// A frame that the tag cannot understand: it falls back to IDLE or HALT.
  func disturb(_ tag: any VirtualTag) {
    if isInProtocol(tag) { return }
    if tag.obeysWithoutRATS {
      _ = tag.receive([0x26])
    } else {
      tag.returnToIdle()
    }
  }

  /// One exchange with `tag`, whatever befalls it.
  ///
  /// Unless the card asks for the time that it needs (`isPatient`), the chip gives up when
  /// programming takes too long.
  func exchange(
    with tag: any VirtualTag, isPatient: Bool = false, _ body: () -> TagAnswer
  ) -> AirAnswer {
    exchangeCount += 1
    let (cycles, pages) = (tag.eeprom.programmingCycles, tag.eeprom.programmedPages)
    var answer = befall(tag, faults.nextExchange(), body)
    let programmed = tag.eeprom.programmingCycles - cycles
    programmingCount += programmed
    let time = model.programming(tag) * (tag.eeprom.programmedPages - pages)
    spent.eeprom += time
    // The tag obeys, and answers when nobody listens any more.
    if !isPatient, programmed > 0, let patience, time > patience { answer = .silence }
    if let putBack = faults.takePowerLoss() {
      putBack ? tag.powerOff() : field.take(tag)
      answer = .silence
    }
    return answer
  }

  private func befall(
    _ tag: any VirtualTag, _ fault: ExchangeFault?, _ body: () -> TagAnswer
  ) -> AirAnswer {
    switch fault {
    case nil: return AirAnswer(body())
    case .silence: return .silence
    case .answerLost:
      _ = body()
      return .silence
    case .answerCorrupt:
      return body() == .silence ? .silence : .garbled
    case .nak(let code):
      disturb(tag)
      return .nibble(code)
    case .removed(let obeying):
      if obeying { _ = body() }
      field.take(tag)
      return .silence
    case .interrupted(let obeying):
      if obeying { _ = body() }
      tag.powerOff()
      return .silence
    case .swapped(let other):
      field.take(tag)
      field.join(other)
      return .silence
    case .joined(let other):
      field.join(other)
      return AirAnswer(body())
    }
  }

  /// Adds what waiting for `answer` and receiving it costs.
  func timed(_ answer: AirAnswer) -> AirAnswer {
    switch answer {
    case .data(let bytes): spent.rf += model.frameDelay * 2 + model.air(bytes: bytes.count + 2)
    case .bare(let bytes): spent.rf += model.frameDelay * 2 + model.air(bytes: bytes.count)
    case .nibble: spent.rf += model.frameDelay * 2 + model.nibble
    case .garbled, .collision: spent.rf += model.frameDelay * 2 + model.air(bytes: 4)
    case .silence: spent.rf += patience ?? .seconds(1)
    }
    return answer
  }
}
