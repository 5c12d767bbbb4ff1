extension VirtualType2 {
  /// READ (10.2): four pages. Past the last readable page it goes on at page 0.
  func read(from first: Int) -> TagAnswer {
    let end = readableEnd
    guard first < end else { return refuse() }
    countRead()
    let memory = visibleMemory()
    return .data((first..<first + 4).flatMap { memory[$0 % end * 4..<$0 % end * 4 + 4] })
  }

  /// FAST_READ (10.3): the pages `first` to `last`, all of them readable.
  func fastRead(_ first: Int, through last: Int) -> TagAnswer {
    guard first <= last, last < readableEnd else { return refuse() }
    countRead()
    return .data(Array(visibleMemory()[first * 4..<last * 4 + 4]))
  }

  /// The memory as a read shows it: password and PACK, or AES keys, as zeros, the ASCII mirror in
  /// place.
  private func visibleMemory() -> [UInt8] {
    var memory = eeprom.bytes
    guard silicon.configuration != nil else { return memory }
    let secrets = silicon.hasAES ? Self.keyPages : cfg + 2..<cfg + 4
    for offset in secrets.lowerBound * 4..<secrets.upperBound * 4 { memory[offset] = 0 }
    if let mirror {
      memory.replaceSubrange(mirror.offset..<mirror.offset + mirror.text.count, with: mirror.text)
    }
    return memory
  }

  /// What is overlaid, and where (8.7); nil while switched off or where it would leave the user
  /// memory.
  private var mirror: (offset: Int, text: [UInt8])? {
    let configuration = stored(cfg)
    let page = Int(configuration[2])
    guard silicon.mirror != .none, page > 3 else { return nil }
    let uidText = ascii(uid)
    let counterText = ascii(counterBytes(2).reversed())
    let text: [UInt8]
    switch (silicon.mirror, configuration[0] >> 6) {
    case (.uid, _), (.uidAndCounter, 1): text = uidText
    case (.uidAndCounter, 2): text = counterText
    case (.uidAndCounter, 3): text = uidText + Array("x".utf8) + counterText
    default: return nil
    }
    let offset = page * 4 + Int(configuration[0] >> 4 & 3)
    guard offset + text.count <= (silicon.lastUserPage + 1) * 4 else { return nil }
    return (offset, text)
  }

  /// Two upper-case hexadecimal digits a byte.
  private func ascii(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
  }

  /// The first READ or FAST_READ after power-up counts, while NFC_CNT_EN is set (8.6).
  private func countRead() {
    guard silicon.counters == .reads, !hasCounted, access & 0x10 != 0 else { return }
    hasCounted = true
    registers.counters[2] = min(registers.counters[2] + 1, 0xFF_FFFF)
  }
}
