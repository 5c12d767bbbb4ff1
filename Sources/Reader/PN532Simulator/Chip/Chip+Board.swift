import PN532

// The board itself, UM0701-02, 7.2.
extension Chip {
  /// Diagnose (7.2.1). ROM, RAM and antenna are always well; the echo test (5) never ends.
  func diagnose(_ parameters: [UInt8]) -> ChipOutcome {
    switch parameters.first {
    case 0x00: return answer(.diagnose, parameters)
    case 0x01 where parameters.count == 1: return answer(.diagnose, [0x00])
    case 0x02 where parameters.count == 1:
      return answer(.diagnose, [deviations.hasBadRAM ? 0xFF : 0x00])
    case 0x04 where parameters.count == 2: return answer(.diagnose, [0x80])
    case 0x05 where parameters.count == 4: return .pending
    case 0x06 where parameters.count == 1: return attention()
    case 0x07 where parameters.count == 2: return answer(.diagnose, [0x00])
    default: return .syntaxError
    }
  }

  /// Test 6: R(NAK) to the selected ISO-DEP target. Only such a target can be asked.
  private func attention() -> ChipOutcome {
    guard let target = targets.first(where: { $0.number == current }), target.isISODEP else {
      return answer(.diagnose, [StatusCode.wrongContext.rawValue])
    }
    let isPresent = tag(target).flatMap { target.link?.isPresent($0, in: air) } ?? false
    return answer(.diagnose, [isPresent ? 0x00 : StatusCode.timeout.rawValue])
  }

  func generalStatus() -> [UInt8] {
    let known = targets.map { target in
      let modulation: UInt8 =
        switch target.identity {
        case .feliCa: 0x10
        case .topaz: 0x02
        case .typeA, .typeB: 0x00
        }
      return GeneralStatus.Target(
        number: target.number, receiveRate: 0, sendRate: 0, modulation: modulation)
    }
    return GeneralStatus(
      lastError: lastError, externalField: field.initiator?.hasField ?? false, targets: known,
      sam: 0x80
    )
    .serialize()
  }

  /// The answer still goes out at the old speed; the new one holds once the host has sent an ACK
  /// (7.2.6).
  func setSerialBaudRate(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count == 1, let speed = LinkSpeed(rawValue: parameters[0]) else {
      return .syntaxError
    }
    announcedSpeed = speed
    return answer(.setSerialBaudRate, [])
  }

  func setParameters(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count == 1 else { return .syntaxError }
    hasAutomaticRATS = parameters[0] & 0x10 != 0
    playsCard = parameters[0] & 0x20 != 0
    (usesNAD, usesCID) = (parameters[0] & 0x01 != 0, parameters[0] & 0x02 != 0)
    return answer(.setParameters, [])
  }

  /// Mode 1 to 4, then a timeout and the use of IRQ, which may be left out (7.2.10).
  func configureSAM(_ parameters: [UInt8]) -> ChipOutcome {
    guard (1...3).contains(parameters.count), (1...4).contains(parameters[0]) else {
      return .syntaxError
    }
    isSAMConfigured = true
    return answer(.samConfiguration, [])
  }

  /// Wake-up sources, then optionally the use of IRQ (7.2.11). The field goes off, targets are
  /// forgotten.
  func powerDown(_ parameters: [UInt8]) -> ChipOutcome {
    guard (1...2).contains(parameters.count) else { return .syntaxError }
    air.switchField(on: false)
    forgetTargets()
    powerMode = .powerDown
    return status(.powerDown, .ok)
  }
}
