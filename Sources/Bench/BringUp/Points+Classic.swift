import Bench
import Bytes
import PN532
import Readers

/// A MIFARE Classic: how refusals of keys are reported, and what the card says of itself.
extension BoardQuestions {
  static let classicPoints: [BringUpPoint] = [
    wrongKey, beyondEnd, sak, classicHalts, classicFieldReset, absentTag,
  ]
  static let classicWritingPoints: [BringUpPoint] = [classicWriteTime]

  private static let session = BringUpPoint.CodePlace(
    module: "TagProgramming", file: "Families/Classic/ClassicSession.swift",
    type: "ClassicSession.authenticate")
  private static let advice14 =
    "14h does not prove that a key is wrong: the program selects the card again and asks the likely keys once more. Send this report."

  /// Keys that cards are delivered with, or that directories use (MF1S50YYX_V1, 8.7.2; AN10787,
  /// 3.6).
  static let knownKeys: [[UInt8]] = [
    [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5],
    [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7],
  ]
  /// A key that no card is delivered with.
  private static let noKey: [UInt8] = [0x13, 0x57, 0x9B, 0xDF, 0x24, 0x68]

  /// Selects the card without RATS, which a smart card takes for a change of its protocol.
  static func select(
    _ bench: BringUpBench, patience: RFTimeout = RFTimeout(atLeast: .milliseconds(12)),
    isUndoing: Bool = false
  ) throws(ReaderError) -> SeenTag? {
    try bench.send("set-up", .setParameters(automaticRATS: false))
    try bench.reset(patience: patience, isUndoing: isUndoing)
    let look = try bench.look()
    try bench.send("set-up", .setParameters(automaticRATS: true))
    return bench.tags(in: look, automaticRATS: false).first
  }

  /// Opens a block's sector with `key` as key A.
  @discardableResult
  static func authenticate(
    _ label: String, _ bench: BringUpBench, _ tag: SeenTag, block: UInt8, _ key: [UInt8]
  ) throws(ReaderError) -> Bool {
    let reply = try bench.exchange(label, [0x60, block] + key + tag.uid.suffix(4))
    return reply.status == .ok && reply.data?.isEmpty == true
  }

  private static let wrongKey = BringUpPoint(
    name: "wrong-key",
    question:
      "How does the chip report a wrong key, and what comes after it without a new selection?",
    expected: "14h for the wrong key, then 01h: the card is silent until it is selected again",
    wish: .classic, place: session,
    ask: { bench throws(ReaderError) in
      guard let tag = try select(bench) else { return Evidence(obstacle: "the card was not found") }
      try authenticate("wrong", bench, tag, block: 4, noKey)
      try authenticate("after", bench, tag, block: 4, noKey)
      return Evidence()
    },
    judge: { evidence in
      guard let wrong = evidence["wrong"], let after = evidence["after"] else {
        return .unclear("nothing was sent")
      }
      let seen = "\(wrong.outcome), then \(after.outcome)"
      return wrong.status == .authentication && after.status == .timeout
        ? .passed(seen) : .failed(seen, advice14)
    })

  private static let absentTag = BringUpPoint(
    name: "absent-tag",
    question: "How does the chip report an authentication that no card answers?",
    expected: "01h", wish: .classic, place: session,
    ask: { bench throws(ReaderError) in
      guard let tag = try select(bench) else { return Evidence(obstacle: "the card was not found") }
      guard try bench.lift() else { return Evidence(obstacle: "the card was not taken away") }
      try authenticate("absent", bench, tag, block: 4, knownKeys[0])
      return Evidence()
    },
    judge: { evidence in
      guard let reply = evidence["absent"] else { return .unclear("nothing was sent") }
      if reply.status == .timeout { return .passed(reply.outcome) }
      if reply.status == .ok { return .unclear("the card answered: it was not taken away") }
      return .failed(reply.outcome, advice14)
    })

  private static let beyondEnd = BringUpPoint(
    name: "beyond-end",
    question: "How are a block that is not there, and a READ without a key, refused?",
    expected: "an error status for both", wish: .classic,
    place: .init(
      module: "TagMemory", file: "Identification+ClassicSize.swift", type: "ClassicSizeProbe"),
    ask: { bench throws(ReaderError) in
      guard let tag = try select(bench) else { return Evidence(obstacle: "the card was not found") }
      if ![0x18, 0x38, 0x98].contains(tag.sak) {
        try authenticate("beyond", bench, tag, block: 255, knownKeys[0])
        _ = try select(bench)
      }
      try bench.exchange("closed", [0x30, 0x04])
      return Evidence()
    },
    judge: { evidence in
      guard let closed = evidence["closed"] else { return .unclear("nothing was sent") }
      let beyond = evidence["beyond"]
      let seen =
        (beyond.map { "block 255: \($0.outcome); " } ?? "")
        + "READ without a key: \(closed.outcome)"
      if closed.data?.isEmpty == true {
        return .failed(
          seen,
          "A refusal that looks like an answer may be taken for data. Do not use this board with this card; send this report."
        )
      }
      if closed.data != nil {
        return .failed(
          seen, "The card shows blocks without a key: it is a copy. Do not rely on its keys.")
      }
      guard beyond.map({ $0.status == .ok }) != true else {
        return .failed(
          seen,
          "The card has more blocks than its SAK says: finding card-size. It is used as far as the SAK says."
        )
      }
      return .passed(seen)
    })

  private static let sak = BringUpPoint(
    name: "sak", question: "Is the SAK that the card shows the one in its block 0?",
    expected: "the same byte", wish: .classic,
    place: .init(
      module: "TagMemory", file: "Identification+ClassicSize.swift", type: "ClassicSizeProbe"),
    ask: { bench throws(ReaderError) in
      var evidence = Evidence()
      for key in knownKeys {
        guard let tag = try select(bench) else { continue }
        evidence.numbers["sak"] = Int(tag.sak)
        evidence.numbers["offset"] = tag.uid.count == 7 ? 7 : 5
        guard try authenticate("open", bench, tag, block: 0, key) else { continue }
        try bench.exchange("block", [0x30, 0x00])
        break
      }
      return evidence
    },
    judge: { evidence in
      guard let sak = evidence.numbers["sak"], let offset = evidence.numbers["offset"] else {
        return .unclear("the card was not found")
      }
      guard let block = evidence["block"]?.data, block.count == 16 else {
        return .unclear("block 0 does not open with a known key")
      }
      let inside = Int(block[offset])
      let seen = "SAK \(hexadecimal(sak)), block 0 has \(hexadecimal(inside))"
      // Infineon's and later NXP cards keep 88h there and show 08h.
      if inside == sak || inside == sak | 0x80 { return .passed(seen) }
      return .failed(
        seen,
        "A copy, or a card in another housing. Its size is probed, not taken from the SAK; no choice is needed."
      )
    })

  private static let classicHalts = BringUpPoint(
    name: "classic-halts", question: "Does the card obey HLTA?",
    expected: "after 42 50 00 no answer to REQA, and one to WUPA", wish: .classic,
    place: .init(module: "Readers", file: "TagReader+Looking.swift", type: "TagReader.look"),
    ask: { bench throws(ReaderError) in
      _ = try select(bench)
      try bench.through("halt", [0x50, 0x00])
      try bench.request("REQA", 0x26)
      try bench.request("WUPA", 0x52)
      return Evidence()
    },
    judge: haltJudgement)

  private static func hexadecimal(_ byte: Int) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return "\(text.count < 2 ? "0" : "")\(text)h"
  }

  /// The blocks that are timed: 12 data blocks, in sectors 1 to 4 of any card.
  private static let timedBlocks: [UInt8] = [4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18]

  private static let classicWriteTime = BringUpPoint(
    name: "classic-write-time",
    question: "Does the card program each block within 12.8 ms, and refuse one without a key?",
    expected: "WRITE of 12 blocks: status 00h with a key; an error without", wish: .blankClassic,
    place: .init(module: "Readers", file: "Care.swift", type: "Care"),
    ask: { bench throws(ReaderError) in
      let zeros = [UInt8](repeating: 0, count: 16)
      var evidence = Evidence()
      for block in timedBlocks where evidence.damage == nil {
        guard let tag = try select(bench),
          try authenticate("open", bench, tag, block: block, knownKeys[0]),
          try bench.exchange("before", [0x30, block]).data == zeros
        else {
          evidence.numbers["closed"] = Int(block)
          break
        }
        try bench.exchange("usual", [0xA0, block] + zeros.map(~))
        evidence.damage = restore(bench, block, zeros)
      }
      guard evidence.numbers["closed"] != Int(timedBlocks[0]) else {
        return Evidence(
          obstacle: "the card is not blank (block 4, with the key of delivery); nothing was written"
        )
      }
      guard evidence.damage == nil else { return evidence }
      _ = try select(bench)
      try bench.exchange("closed", [0xA0, timedBlocks[0]] + zeros.map(~))
      bench.wait(.milliseconds(100))
      // A chip may hide the refusal: what the block holds decides.
      if let tag = try select(bench, patience: .communicationDefault, isUndoing: true),
        try authenticate("open", bench, tag, block: timedBlocks[0], knownKeys[0]),
        let now = try bench.exchange("after", [0x30, timedBlocks[0]]).data
      {
        evidence.numbers["changed"] = now == zeros ? 0 : 1
      }
      if evidence.numbers["changed"] != 0 {
        evidence.damage = restore(bench, timedBlocks[0], zeros)
      }
      return evidence
    },
    judge: { evidence in
      let writes = evidence.all("usual")
      guard !writes.isEmpty, let closed = evidence["closed"] else {
        return .unclear("nothing was written")
      }
      let refused = writes.first { $0.status != .ok }
      let slowest = writes.map(\.duration).max() ?? .zero
      let withKey =
        refused?.outcome
        ?? "\(writes.count) blocks, the slowest after \(Int(slowest / .milliseconds(1))) ms"
      let seen = "with a key: \(withKey); without: \(closed.outcome)"
      if evidence.numbers["changed"] == 1 {
        return .failed(seen, "The card can be written without a key: it is a copy.")
      }
      if closed.status == .ok {
        return .unclear(
          evidence.numbers["changed"] == 0
            ? "\(seen), and nothing was written: see beyond-end"
            : "\(seen); the block could not be read again")
      }
      if refused != nil {
        return .failed(seen, patienceAdvice, BoardLimits(hasSlowTags: true))
      }
      if let block = evidence.numbers["closed"] {
        return .unclear("\(seen); block \(block) is not blank, so it was not written")
      }
      return .passed(seen)
    })

  /// Writes a block as it was; a full sentence where that is not seen.
  private static func restore(
    _ bench: BringUpBench, _ block: UInt8, _ content: [UInt8]
  ) -> String? {
    var held: [UInt8]?
    for _ in 1...8 {
      do throws(ReaderError) {
        bench.wait(.milliseconds(100))
        guard let tag = try select(bench, patience: .communicationDefault, isUndoing: true),
          try authenticate("restore", bench, tag, block: block, knownKeys[0])
        else { continue }
        try bench.exchange("restore", [0xA0, block] + content)
        bench.wait(.milliseconds(100))
        guard let again = try select(bench, patience: .communicationDefault, isUndoing: true),
          try authenticate("restore", bench, again, block: block, knownKeys[0])
        else { continue }
        held = try bench.exchange("restore", [0x30, block]).data ?? held
        if held == content { return nil }
      } catch {}
    }
    let now =
      held.map { "Block \(block) holds \(Hex.string($0).uppercased())" }
      ?? "Block \(block) could not be read again"
    return
      "\(now); it held \(Hex.string(content)). Write that with nfcprog write-blocks --block \(block); a bit that stays as it is is defective."
  }
}
