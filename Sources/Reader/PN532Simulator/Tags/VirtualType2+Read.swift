extension VirtualType2 {
  /// READ (10.2): four pages. Past the last readable page it goes on at page 0.
  func read(from page: Int) -> TagAnswer {
    let end = readableEnd
    let isBehind = silicon.beyond == .again && page >= silicon.pageCount
    let first = isBehind ? page % silicon.pageCount : page
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

  /// The memory as a read shows it: password and PACK, or keys, as zeros, the ASCII mirror in
  /// place.
  private func visibleMemory() -> [UInt8] {
    var memory = eeprom.bytes
    guard silicon.configuration != nil else { return memory }
    for page in hiddenPages {
      memory.replaceSubrange(page * 4..<page * 4 + 4, with: [0, 0, 0, 0])
    }
    for part in mirror {
      memory.replaceSubrange(part.offset..<part.offset + part.text.count, with: part.text)
    }
    return memory
  }

  private var hiddenPages: [Int] {
    Array(silicon.hasAES ? Self.keyPages : cfg + 2..<cfg + 4)
      + Array(silicon.codeKey ?? 0..<0) + (hidesTamperMessage ? [cfg + 4] : [])
  }

  /// The first READ or FAST_READ after power-up counts, while NFC_CNT_EN is set (8.6).
  private func countRead() {
    guard silicon.counters == .reads, !hasCounted, countsReads else { return }
    hasCounted = true
    registers.counters[2] = min(registers.counters[2] + 1, 0xFF_FFFF)
  }
}
