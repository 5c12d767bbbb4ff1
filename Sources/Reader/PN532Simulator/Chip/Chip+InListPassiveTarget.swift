import PN532

extension Chip {
  /// InListPassiveTarget (UM0701-02, 7.3.5): MaxTg, BrTy, then what the modulation wants.
  ///
  /// Targets known so far are forgotten.
  func listPassiveTargets(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count >= 2, (1...2).contains(parameters[0]), parameters[1] <= 0x04 else {
      return .syntaxError
    }
    let (limit, type, data) = (Int(parameters[0]), parameters[1], Array(parameters.dropFirst(2)))
    let isWellFormed =
      switch type {
      case 0x00: [0, 4, 8, 12].contains(data.count)
      // A polling command starts with its code, 00h; anything else gets the error frame
      // (github.com/nfc-tools/libnfc/issues/671).
      case 0x01, 0x02: data.count == 5 && data[0] == 0x00
      case 0x03: (1...2).contains(data.count)
      default: data.isEmpty
      }
    guard isWellFormed else { return .syntaxError }
    registers.setFraming(baudRateAndType: type)
    switchField(on: true)
    forgetTargets()
    rawAnticollision = []
    field.hostLooks(for: type == 0x00 ? .a : type == 0x03 ? .b : type == 0x04 ? .topaz : .f)
    let isForEver = retries.passive == 0xFF
    // A waiting chip is asked again whenever the field changes, so a few looks suffice here.
    for _ in 0...(isForEver ? 2 : Int(retries.passive)) {
      let found = look(type: type, limit: limit, data: data)
      // REQA and WUPA have seven bits, all that follows them has whole bytes.
      registers[.bitFraming] = found.isEmpty && (type == 0x00 || type == 0x04) ? 0x07 : 0x00
      if !found.isEmpty {
        return answer(.inListPassiveTarget, [UInt8(found.count)] + found.joined())
      }
    }
    return isForEver ? .pending : answer(.inListPassiveTarget, [0])
  }

  /// One look: an entry of the answer for each target.
  func look(type: UInt8, limit: Int, data: [UInt8]) -> [[UInt8]] {
    switch type {
    case 0x00: return lookForTypeA(limit: limit, uid: Self.uid(fromCascade: data))
    case 0x01, 0x02:
      return pollFeliCa(limit: limit, payload: data)
    case 0x03: return lookForTypeB(limit: limit, family: data[0])
    default: return lookForTopaz()
    }
  }

  /// REQA finds what is IDLE; with a UID, WUPA finds that tag in HALT too. Looking for a second tag
  /// puts the first one into HALT, and it stays there when no second one answers; an ISO-DEP tag
  /// ends the search.
  private func lookForTypeA(limit: Int, uid: [UInt8]) -> [[UInt8]] {
    guard let first = activateTypeA(number: 1, uid: uid) else { return [] }
    guard limit == 2, uid.isEmpty, !targets[0].isISODEP else { return [first] }
    air.halt()
    targets[0].isHalted = true
    current = 0
    if let second = activateSecond() { return [first, second] }
    if deviations.leavesAwake { _ = select(number: 1) }
    return [first]
  }

  /// The second tag of a look for two, as far as this chip finds it.
  private func activateSecond() -> [UInt8]? {
    switch deviations.pairs {
    case .none: return nil
    case .all: return activateTypeA(number: 2, uid: [])
    case .alike:
      guard case .typeA(let first) = targets[0].identity else { return nil }
      return activateTypeA(number: 2, uid: [], uidSize: first.count)
    }
  }

  private func activateTypeA(
    number: UInt8, uid: [UInt8], uidSize: Int? = nil
  ) -> [UInt8]? {
    // Without an answer the request is what is left in the buffer, which some hosts look at.
    let hasTopaz = !air.requestTopaz().isEmpty
    registers.fifo = hasTopaz ? [] : [0x26]
    let seeksHalted = !uid.isEmpty && !deviations.seeksIdle
    let candidates = air.request(wakingHalted: seeksHalted || deviations.wakesHalted)
      .filter { uid.isEmpty || $0.uid == uid }
      .filter { uidSize == nil || $0.uid.count == uidSize }
    guard let tag = air.activate(candidates) else { return nil }
    var entry = TypeATarget(number: number, atqa: tag.atqa, sak: tag.sak, uid: tag.uid)
    var link: ProtocolReader?
    if tag.sak & 0x20 != 0, hasAutomaticRATS {
      guard let started = startProtocol(with: tag, number: number) else { return nil }
      (entry.ats, link) = started
      entry.hasATS = true
    }
    registers.fifo = []
    targets.append(Target(number: number, identity: .typeA(uid: tag.uid), link: link))
    current = number
    return entry.serialize()
  }

  /// RATS; the ATS without its length byte, and the protocol that it makes possible. Nil: no
  /// answer.
  func startProtocol(
    with tag: any VirtualTag, number: UInt8
  ) -> (ats: [UInt8], link: ProtocolReader)? {
    let cid = usesCID ? number : nil
    guard
      case .data(let answer) = air.rats(
        tag, parameter: ProtocolReader.frameSizeIndex << 4 | (cid ?? 0))
    else { return nil }
    let ats = Array(answer.dropFirst())
    return (ats, ProtocolReader(ProtocolParameters(ats: ats), cid: cid))
  }

  /// The UID in InitiatorData, its cascade tags removed.
  static func uid(fromCascade data: [UInt8]) -> [UInt8] {
    switch data.count {
    case 8: Array(data.dropFirst())
    case 12: Array(data[1...3] + data[5...])
    default: data
    }
  }
}
