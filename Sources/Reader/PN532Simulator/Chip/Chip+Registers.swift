import PN532

extension Chip {
  /// ReadRegister (UM0701-02, 7.2.4): one byte for each address.
  func readRegisters(_ parameters: [UInt8]) -> ChipOutcome {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 2) else { return .syntaxError }
    let addresses = stride(from: 0, to: parameters.count, by: 2)
      .map { Self.register(parameters[$0], parameters[$0 + 1]) }
    return answer(.readRegister, addresses.map(read))
  }

  /// WriteRegister (7.2.5): address and value, in order.
  func writeRegisters(_ parameters: [UInt8]) -> ChipOutcome {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 3) else { return .syntaxError }
    for index in stride(from: 0, to: parameters.count, by: 3) {
      write(
        parameters[index + 2], to: Self.register(parameters[index], parameters[index + 1]))
    }
    return answer(.writeRegister, [])
  }

  private static func register(_ high: UInt8, _ low: UInt8) -> Register {
    Register(rawValue: UInt16(high) << 8 | UInt16(low))
  }

  private func read(_ register: Register) -> UInt8 {
    switch register {
    case .fifoLevel: UInt8(registers.fifo.count)
    case .fifoData: registers.fifo.isEmpty ? 0 : registers.fifo.removeFirst()
    default: registers[register]
    }
  }

  private func write(_ value: UInt8, to register: Register) {
    switch register {
    case .fifoData:
      if registers.fifo.count < 64 { registers.fifo.append(value) }
    case .fifoLevel:
      if value & 0x80 != 0 { registers.fifo = [] }
    case .bitFraming:
      registers[.bitFraming] = value & 0x7F
      if value & 0x80 != 0, registers[.command] & 0x0F == 0x0C { transceiveFIFO() }
    default: registers[register] = value
    }
  }

  /// The contactless unit's own Transceive command: the buffer goes out, the answer comes back into
  /// it.
  private func transceiveFIFO() {
    let received = transceiveRaw(registers.fifo)
    registers.fifo = received.status == .ok ? Array(received.data.prefix(64)) : []
  }
}
