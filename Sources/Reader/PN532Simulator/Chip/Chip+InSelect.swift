import PN532

extension Chip {
  /// InSelect (UM0701-02, 7.3.12): the tag is woken and selected again, which ends an open sector.
  func select(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count == 1 else { return .syntaxError }
    if deviations.isClone { return .pending }
    return status(.inSelect, select(number: parameters[0]))
  }

  /// HLTA for whoever is awake, WUPA, anticollision with the known UID, RATS where the tag had it.
  func select(number: UInt8) -> StatusCode {
    guard let index = targets.firstIndex(where: { $0.number == number }) else {
      return .wrongContext
    }
    closeSector()
    authenticationIsShut = false
    let uid: [UInt8]
    switch targets[index].identity {
    case .typeA(let known): uid = known
    case .typeB(let pupi): return selectTypeB(pupi, index: index)
    case .feliCa, .topaz:
      // Neither is ever put to sleep.
      current = number
      return .ok
    }
    air.halt()
    current = 0
    let candidates = air.request(wakingHalted: true).filter { $0.uid == uid }
    guard let tag = air.activate(candidates) else {
      _ = air.timed(.silence)
      return .timeout
    }
    if targets[index].isISODEP {
      guard let link = startProtocol(with: tag, number: number)?.link else { return .timeout }
      targets[index].link = link
    }
    for other in targets.indices { targets[other].isHalted = other != index }
    targets[index].rest = []
    current = number
    return .ok
  }

  /// InDeselect and InRelease (7.3.10, 7.3.11): one target, or all with 0.
  func release(_ code: CommandCode, _ parameters: [UInt8], forget: Bool) -> ChipOutcome {
    guard parameters.count == 1 else { return .syntaxError }
    let number = parameters[0]
    guard number == 0 || targets.contains(where: { $0.number == number }) else {
      return status(code, .wrongContext)
    }
    if number == 0 || number == current {
      air.halt()
      closeSector()
      authenticationIsShut = false
      if let index = targets.firstIndex(where: { $0.number == current }) {
        air.deselectB(targets[index].identity)
        targets[index].isHalted = targets[index].identity.canSleep
      }
      current = 0
    }
    if forget { targets.removeAll { number == 0 || $0.number == number } }
    return status(code, .ok)
  }
}
