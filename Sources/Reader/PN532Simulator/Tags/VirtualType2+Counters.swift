extension VirtualType2 {
  /// A counter's three bytes, low byte first.
  func counterBytes(_ number: Int) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: registers.counters[number] >> UInt32(8 * $0)) }
  }

  /// READ_CNT (10.6; MF0ULx1, 10.8). NTAG: number 2 only, while it is enabled and, where it is
  /// protected, after the password.
  func readCounter(_ number: Int) -> TagAnswer {
    switch silicon.counters {
    case .three:
      guard number < 3, isOpen(counter: number, byBit: 0x04) else { return refuse() }
    default:
      guard number == 2, access & 0x10 != 0, access & 0x08 == 0 || isAuthenticated else {
        return refuse()
      }
    }
    return .data(counterBytes(number))
  }

  /// INCR_CNT (MF0ULx1, 10.7): a sum above FFFFFFh is refused with NAK 4.
  func increment(_ number: Int, by bytes: [UInt8]) -> TagAnswer {
    guard number < 3, isOpen(counter: number, byBit: 0x08) else { return refuse() }
    let sum = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } + registers.counters[number]
    guard sum <= 0xFF_FFFF else { return refuse(0x4) }
    registers.counters[number] = sum
    return .nibble(Nibble.ack)
  }

  /// Counter 2 of an Ultralight AES is open to everybody where CNT_RD_EN (04) or CNT_INC_EN (08) is
  /// set, otherwise after authentication.
  private func isOpen(counter number: Int, byBit bit: UInt8) -> Bool {
    !silicon.hasAES || number != 2 || access & bit != 0 || isAuthenticated
  }

  /// CHECK_TEARING_EVENT (MF0ULx1, 10.10): BDh, the counter was never torn.
  func checkTearing(_ number: Int) -> TagAnswer {
    number < 3 ? .data([0xBD]) : refuse()
  }
}
