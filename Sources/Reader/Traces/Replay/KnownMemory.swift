import PN532

/// What a trace shows of a tag's pages and blocks: what was read, and what was written.
struct KnownMemory {
  /// What an exchange says of them.
  struct Fact {
    let frame: [UInt8]
    /// What the tag sent behind the status; nil where it refused.
    let data: [UInt8]?
    let isWrite: Bool
    /// It came before now.
    let isPast: Bool
    /// It was read in the state that the tag is in now.
    let isReadable: Bool

    init?(
      _ exchange: RecordedExchange, _ effect: CommandEffect, isPast: Bool, isReadable: Bool
    ) {
      guard effect == .read || effect == .write, let command = exchange.plainCommand,
        let frame = TagFrame.bytes(in: command), frame.count > 1
      else { return nil }
      (self.frame, isWrite) = (frame, effect == .write)
      (self.isPast, self.isReadable) = (isPast, isReadable)
      let plain = exchange.answer.flatMap { answer -> [UInt8]? in
        let bytes = answer.compactMap(\.self)
        return bytes.count == answer.count && bytes.first == 0 ? bytes : nil
      }
      data = plain.map { Array($0.dropFirst()) }
    }
  }

  let facts: [Fact]
  let isClassic: Bool

  /// What a READ or a FAST_READ gets now, without the status; nil: not known.
  func answer(to frame: [UInt8]) -> [UInt8]? {
    switch (frame.first, frame.count) {
    case (0x30, 2) where isClassic: return unit(Int(frame[1]))
    case (0x30, 2): return pages(Int(frame[1])...Int(frame[1]) + 3)
    case (0x3A, 3) where frame[1] <= frame[2]: return pages(Int(frame[1])...Int(frame[2]))
    default: return nil
    }
  }

  private func pages(_ range: ClosedRange<Int>) -> [UInt8]? {
    // Behind the last page that was asked for by itself a READ goes on with page 0.
    guard range.upperBound <= lastPage else { return nil }
    var bytes: [UInt8] = []
    for page in range {
      guard let known = unit(page) else { return nil }
      bytes += known
    }
    return bytes
  }

  /// The last page that a command has named and that was there.
  private var lastPage: Int {
    facts.lazy.filter { $0.data != nil }.map { fact in
      fact.frame[0] == 0x3A && fact.frame.count > 2 ? Int(fact.frame[2]) : Int(fact.frame[1])
    }.max() ?? -1
  }

  /// The bytes of a page, or a block, now: what was last read or written, or what is read before
  /// the next write of it.
  private func unit(_ number: Int) -> [UInt8]? {
    for fact in facts.reversed() where fact.isPast {
      if fact.isWrite {
        guard writes(fact, number) else { continue }
        return fact.data == nil ? nil : Array(fact.frame.dropFirst(2))
      }
      if let bytes = read(fact, number) { return bytes }
    }
    for fact in facts where !fact.isPast {
      if fact.isWrite, writes(fact, number) { return nil }
      if let bytes = read(fact, number) { return bytes }
    }
    return nil
  }

  /// Returns whether a write may change it: also one that nobody understands here.
  private func writes(_ fact: Fact, _ number: Int) -> Bool {
    switch fact.frame[0] {
    case 0xA0 where isClassic, 0xA2: Int(fact.frame[1]) == number
    default: true
    }
  }

  private func read(_ fact: Fact, _ number: Int) -> [UInt8]? {
    guard fact.isReadable, let data = fact.data else { return nil }
    let first = Int(fact.frame[1])
    switch (fact.frame[0], fact.frame.count) {
    case (0x30, 2) where isClassic: return first == number && data.count == 16 ? data : nil
    case (0x30, 2), (0x3A, 3):
      let offset = 4 * (number - first)
      guard offset >= 0, offset + 4 <= data.count else { return nil }
      return Array(data[offset..<offset + 4])
    default: return nil
    }
  }
}
