import PN532

extension Chip {
  /// RFConfiguration (UM0701-02, 7.3.1). Analogue settings are taken and change nothing.
  func configureRF(_ parameters: [UInt8]) -> ChipOutcome {
    guard let item = parameters.first else { return .syntaxError }
    let values = Array(parameters.dropFirst())
    guard
      values.count
        == [0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9][item]
    else { return .syntaxError }
    switch item {
    case 0x01: switchField(on: values[0] & 0x01 != 0)
    case 0x02:
      guard let timeout = RFTimeout(index: values[2]) else { return .syntaxError }
      air.patience = timeout.duration
    case 0x04: communicationRetries = Int(values[0])
    case 0x05:
      retries = ActivationRetries(attribute: values[0], psl: values[1], passive: values[2])
    default: break
    }
    return answer(.rfConfiguration, [])
  }

  /// Off, an open sector is closed; the targets stay known to the chip, which does not notice that
  /// they sleep.
  func switchField(on: Bool) {
    guard isSAMConfigured || !on else { return }
    air.switchField(on: on)
    registers[.txControl] = on ? registers[.txControl] | 0x03 : registers[.txControl] & ~0x03
    if !on { closeSector() }
  }
}
