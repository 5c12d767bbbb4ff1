import PN532

/// The chip as a tag (UM0701-02, 7.3.14 to 7.3.21): what was asked of it by TgInitAsTarget, and who
/// has selected it.
struct TargetMode {
  enum Contact: Hashable {
    case none
    /// Selected; whether the host owes an answer.
    case active(owesAnswer: Bool)
    /// Selected without the firmware's ISO-DEP: the host would have to answer RATS within 8.5 ms.
    case raw
    case released
  }

  let face: TargetFace
  var contact = Contact.none
}

extension Chip {
  /// TgInitAsTarget: own field off, then PowerDown until somebody selects the card. Bytes from the
  /// host only wake the chip; the command goes on until it is aborted, or another comes.
  func initAsTarget(_ parameters: [UInt8]) -> ChipOutcome {
    let isResumed = targetMode != nil && isPending
    if !isResumed { leaveTargetMode() }
    let face = TargetFace(
      parameters, isCard: playsCard, answersFeliCa: registers[.mode] & 0x04 == 0)
    guard let face else { return .syntaxError }
    if !isResumed {
      air.switchField(on: false)
      forgetTargets()
    }
    targetMode = TargetMode(face: face)
    guard let first = field.initiator?.select(face) else {
      if !isResumed { powerMode = .powerDown }
      return .pending
    }
    powerMode = .awake
    targetMode?.contact = face.isCard ? .active(owesAnswer: false) : .raw
    return answer(.tgInitAsTarget, [face.isCard ? 0x08 : 0x00] + first)
  }

  /// TgGetData: the next APDU. A chained one is put together by the firmware.
  func getTargetData() -> ChipOutcome {
    guard case .active(owesAnswer: false)? = targetMode?.contact, let reader = field.initiator
    else { return status(.tgGetData, outOfTurn) }
    switch reader.next() {
    case .waits: return .pending
    case .left(let code):
      targetMode?.contact = .released
      return status(.tgGetData, code)
    case .command(let bytes):
      targetMode?.contact = .active(owesAnswer: true)
      return answer(.tgGetData, [0x00] + bytes)
    }
  }

  /// TgSetData: the answer to it.
  func setTargetData(_ parameters: [UInt8]) -> ChipOutcome {
    guard parameters.count <= 262 else { return .syntaxError }
    guard case .active(owesAnswer: true)? = targetMode?.contact, let reader = field.initiator
    else { return status(.tgSetData, outOfTurn) }
    let code = reader.take(parameters)
    targetMode?.contact = code == .ok ? .active(owesAnswer: false) : .released
    return status(.tgSetData, code)
  }

  /// TgGetInitiatorCommand and TgResponseToInitiator: RATS went unanswered for too long, and the
  /// reader has gone.
  func exchangeRaw(_ code: CommandCode) -> ChipOutcome {
    guard targetMode?.contact == .raw else {
      return status(code, outOfTurn)
    }
    field.initiator?.lose()
    targetMode?.contact = .released
    return status(code, .released)
  }

  /// What data get while nobody has selected the card, or the chip is none.
  private var outOfTurn: StatusCode { targetMode == nil ? .wrongContext : .depState }

  /// TgGetTargetStatus: 00 nobody, 01 selected, 02 released; then the speeds, 106 kbit/s.
  var targetStatus: [UInt8] {
    switch targetMode?.contact {
    case nil, .none?: [0x00, 0x00]
    case .active?, .raw?: [0x01, 0x00]
    case .released?: [0x02, 0x00]
    }
  }

  /// Readers see no card any more.
  func leaveTargetMode() {
    guard let mode = targetMode else { return }
    switch mode.contact {
    case .active, .raw: field.initiator?.lose()
    case .none, .released: field.initiator?.hide()
    }
    targetMode = nil
  }
}

extension CommandCode {
  /// Is true if a chip that plays a tag goes on with it.
  var keepsTarget: Bool {
    switch self {
    case .tgInitAsTarget, .tgGetData, .tgSetData, .tgSetMetaData, .tgGetInitiatorCommand,
      .tgResponseToInitiator, .tgGetTargetStatus, .tgSetGeneralBytes, .getGeneralStatus,
      .getFirmwareVersion, .readRegister, .writeRegister, .readGPIO, .writeGPIO, .diagnose,
      .setParameters, .setSerialBaudRate:
      true
    default: false
    }
  }
}
