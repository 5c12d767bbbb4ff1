import PN532

extension Chip {
  /// REQB, then ATTRIB with frames of 64 bytes and a CID, the target's number (nfcpy, `pn532.py`,
  /// says so of the firmware).
  ///
  /// An entry is Tg, ATQB (12 bytes, 50h first), the length of the answer to ATTRIB and that answer
  /// (UM0701-02, 7.3.5).
  func lookForTypeB(limit: Int, family: UInt8) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    while entries.count < limit,
      let (tag, answer) = air.requestB(family: family, without: lostTypeB)
    {
      let number = UInt8(entries.count + 1)
      guard case .data(let attrib) = air.attrib(tag, cid: number) else { break }
      // Protocol info, byte 2: the card speaks ISO/IEC 14443-4.
      let isISODEP = answer[10] & 0x01 != 0
      let parameters = ProtocolParameters(protocolInfo: Array(answer[9...]))
      targets.append(
        Target(
          number: number, identity: .typeB(pupi: Array(answer[1...4])),
          link: isISODEP ? ProtocolReader(parameters, cid: number) : nil))
      current = number
      if deviations.typeB == .lost { lostTypeB.insert(tag.uid) }
      entries.append([number] + answer + [UInt8(attrib.count)] + attrib)
    }
    return entries
  }

  /// WUPB and ATTRIB for a tag that the chip knows and has put to sleep; one that is awake stays
  /// so.
  func selectTypeB(_ pupi: [UInt8], index: Int) -> StatusCode {
    let number = targets[index].number
    guard let tag = air.powered(.b).first(where: { $0.uid == pupi }),
      deviations.typeB == .selected
    else {
      _ = air.timed(.silence)
      return .timeout
    }
    if targets[index].isHalted || !air.isInProtocol(tag) {
      guard tag.state != .active, case .data = air.attrib(tag, cid: number) else {
        return .timeout
      }
      targets[index].link = targets[index].link.map {
        ProtocolReader($0.parameters, cid: number)
      }
    }
    targets[index].isHalted = false
    current = number
    return .ok
  }

  /// The tag behind an ISO-DEP target, if it still listens.
  func tag(_ target: Target) -> (any VirtualTag)? {
    switch target.identity {
    case .typeA: return air.active
    case .typeB(let pupi):
      return air.powered(.b).first { $0.uid == pupi && $0.state == .active }
    case .feliCa, .topaz: return nil
    }
  }
}

extension Air {
  /// REQB (or WUPB): one of the tags that answer, those with the PUPIs `lost` aside, and its ATQB.
  /// Slots keep several apart.
  func requestB(
    family: UInt8, wakingHalted: Bool = false, without lost: Set<[UInt8]> = []
  ) -> (tag: any VirtualTag, answer: [UInt8])? {
    for tag in powered(.b)
    where !lost.contains(tag.uid) && (tag.state == .idle || wakingHalted && tag.state == .halt) {
      let answer = exchange(with: tag) {
        tag.requestB(family: family).map { .data($0) } ?? .silence
      }
      guard case .data(let bytes) = answer, bytes.count == 12 else { continue }
      spent.rf += model.activation
      return (tag, bytes)
    }
    spent.rf += model.emptyRequest
    return nil
  }

  /// ATTRIB: the tag is selected; it answers with its buffer (0: not told) and the CID.
  func attrib(
    _ tag: any VirtualTag, cid: UInt8, frameSizeIndex: UInt8 = ProtocolReader.frameSizeIndex
  ) -> AirAnswer {
    spent.rf += model.air(bytes: 11)
    return timed(
      exchange(with: tag) {
        guard let answer = tag.requestB(family: 0) else { return .silence }
        tag.select()
        self.enterProtocol(
          tag, ProtocolParameters(protocolInfo: Array(answer[9...])),
          readerFrame: frameSizeIndex, cid: cid & 0x0F)
        return .data([cid & 0x0F])
      })
  }

  /// S(DESELECT) to a type B tag.
  func deselectB(_ identity: Chip.Target.Identity) {
    guard case .typeB(let pupi) = identity,
      let tag = powered(.b).first(where: { $0.uid == pupi && $0.state == .active })
    else { return }
    spent.rf += model.air(bytes: 4) + model.frameDelay
    tag.halt()
  }

  /// A bare frame with type B framing, as InCommunicateThru sends it: REQB, WUPB, ATTRIB, HLTB,
  /// blocks of the protocol.
  func transceiveTypeB(_ frame: [UInt8]) -> AirAnswer {
    switch (frame.first, frame.count) {
    case (0x05, 3):
      let found = requestB(family: frame[1], wakingHalted: frame[2] & 0x08 != 0)
      return timed(found.map { .data($0.answer) } ?? .silence)
    case (0x1D, 9...):
      let tag = powered(.b).first { $0.uid == Array(frame[1...4]) && $0.state != .active }
      return tag.map { attrib($0, cid: frame[8], frameSizeIndex: frame[6] & 0x0F) }
        ?? timed(.silence)
    case (0x50, 5):
      guard let tag = powered(.b).first(where: { $0.uid == Array(frame[1...4]) }) else {
        return timed(.silence)
      }
      return timed(
        exchange(with: tag) {
          tag.halt()
          return .data([0x00])
        })
    default: return exchangeBlock(frame, with: powered(.b).first { isInProtocol($0) })
    }
  }
}
