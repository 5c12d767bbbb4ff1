import PN532

extension Chip {
  /// One command with its parameters. What has a wrong number of them gets the error frame.
  func perform(_ code: CommandCode, _ parameters: [UInt8]) -> ChipOutcome {
    if !code.keepsTarget { leaveTargetMode() }
    return switch code {
    case .diagnose: diagnose(parameters)
    case .getFirmwareVersion: fixed(code, parameters, 0) { [0x32, 0x01, 0x06, 0x07] }
    case .getGeneralStatus: fixed(code, parameters, 0) { generalStatus() }
    case .readRegister: readRegisters(parameters)
    case .writeRegister: writeRegisters(parameters)
    case .readGPIO: fixed(code, parameters, 0) { [0x3F, 0x07, 0x00] }
    case .writeGPIO: fixed(code, parameters, 2) { [] }
    case .setSerialBaudRate: setSerialBaudRate(parameters)
    case .setParameters: setParameters(parameters)
    case .samConfiguration: configureSAM(parameters)
    case .powerDown: powerDown(parameters)
    case .rfConfiguration: configureRF(parameters)
    case .rfRegulationTest: parameters.count == 1 ? .pending : .syntaxError
    case .inListPassiveTarget: listPassiveTargets(parameters)
    case .inAutoPoll: autoPoll(parameters)
    case .inDataExchange: exchangeData(parameters)
    case .inCommunicateThru: communicateThru(parameters)
    case .inSelect: select(parameters)
    case .inDeselect: release(code, parameters, forget: false)
    case .inRelease: release(code, parameters, forget: true)
    case .inPSL: inPSL(parameters)
    case .inATR: parameters.count >= 2 ? status(code, .timeout) : .syntaxError
    case .inJumpForDEP, .inJumpForPSL: jumpForDEP(code, parameters)
    case .tgInitAsTarget: initAsTarget(parameters)
    case .tgGetTargetStatus: fixed(code, parameters, 0) { targetStatus }
    case .tgGetData: parameters.isEmpty ? getTargetData() : .syntaxError
    case .tgSetData: setTargetData(parameters)
    case .tgGetInitiatorCommand, .tgResponseToInitiator: exchangeRaw(code)
    // Peer-to-peer: nobody here speaks it.
    case .tgSetGeneralBytes, .tgSetMetaData: status(code, .wrongContext)
    }
  }

  func answer(_ code: CommandCode, _ bytes: [UInt8]) -> ChipOutcome {
    .answer([code.answer] + bytes)
  }

  func status(_ code: CommandCode, _ status: StatusCode) -> ChipOutcome {
    answer(code, [status.rawValue])
  }

  private func fixed(
    _ code: CommandCode, _ parameters: [UInt8], _ count: Int, _ body: () -> [UInt8]
  ) -> ChipOutcome {
    parameters.count == count ? answer(code, body()) : .syntaxError
  }

  /// No peer is ever in the field: the chip tries as often as it was told to (MxRtyATR).
  private func jumpForDEP(_ code: CommandCode, _ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count >= 3 else { return .syntaxError }
    air.switchField(on: true)
    if retries.attribute == 0xFF, isSAMConfigured { return .pending }
    return status(code, .timeout)
  }
}
