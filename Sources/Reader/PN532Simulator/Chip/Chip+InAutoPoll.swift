import PN532

extension Chip {
  /// InAutoPoll (UM0701-02, 7.3.13): how often (FFh without a limit), every so many 150 ms, for
  /// which target types.
  ///
  /// Types: 00h, 10h, 20h any, MIFARE or ISO-DEP type A; 01h, 11h FeliCa 212; 02h, 12h FeliCa 424;
  /// 03h, 23h type B; 04h Jewel. Others (peers) are polled for in vain. At most two targets, of the
  /// first type that finds any.
  func autoPoll(_ parameters: [UInt8]) -> ChipOutcome {
    guard (3...17).contains(parameters.count), parameters[0] >= 1, (1...15).contains(parameters[1])
    else { return .syntaxError }
    switchField(on: true)
    forgetTargets()
    field.hostLooks()
    let isForEver = parameters[0] == 0xFF
    let rounds = isForEver ? 2 : max(2, Int(parameters[0]))
    for _ in 0..<rounds {
      for type in parameters.dropFirst(2) {
        let found = poll(type: type)
        if !found.isEmpty {
          let entries = found.flatMap { [type, UInt8($0.count)] + $0 }
          return answer(.inAutoPoll, [UInt8(found.count)] + entries)
        }
      }
      air.spent.rf += .milliseconds(150) * Int(parameters[1])
    }
    return isForEver ? .pending : answer(.inAutoPoll, [0])
  }

  private func poll(type: UInt8) -> [[UInt8]] {
    switch type {
    case 0x00, 0x10, 0x20:
      registers.setFraming(baudRateAndType: 0)
      let found = look(type: 0x00, limit: 1, data: [])
      let fits = type == 0x00 || targets.first.map { $0.isISODEP == (type == 0x20) } ?? false
      guard fits else {
        // Not the type asked for: it is left as it was found.
        air.halt()
        if let tag = air.typeA.first(where: { $0.state == .halt }) { tag.powerOff() }
        forgetTargets()
        return []
      }
      return found
    case 0x01, 0x02, 0x11, 0x12:
      registers.setFraming(baudRateAndType: type & 0x03)
      return look(type: type & 0x03, limit: 2, data: [0x00, 0xFF, 0xFF, 0x01, 0x00])
    case 0x03, 0x23:
      registers.setFraming(baudRateAndType: 0x03)
      return look(type: 0x03, limit: 2, data: [0x00])
    case 0x04:
      registers.setFraming(baudRateAndType: 0x04)
      return look(type: 0x04, limit: 1, data: [])
    default:
      air.spent.rf += model.emptyRequest
      return []
    }
  }
}
