import CardCrypto
import TagMemory

/// Back to delivery.
extension ProofPlanner {
  /// Settings first, which end the mirrors; then the file's zeros, keys 4 to 1, and key 0 last.
  func reset() throws(JobFailure) -> [Part] {
    let (found, held) = try surveyed()
    var content = TagProgram()
    let isDelivered = held == .deliveredMessage
    if !isDelivered { content.steps = try opening(found, held) }
    let zeros = [UInt8](repeating: 0, count: container.message.byteCount)
    if found.file != zeros || held.mirror != nil {
      content.steps += erasing(zeros)
    }
    if content.steps.isEmpty { content.unchanged = 1 }
    var keys = TagProgram()
    let pending = KeyRing.keyNumbers.reversed().filter { found.keys[Int($0)] != .wanted }
    keys.unchanged = 5 - pending.count
    if !pending.isEmpty {
      keys.steps = try keySteps(pending, settling: nil, found, held, opens: false)
    }
    return [(.message, content), (.protection, keys)]
  }

  /// Zeros all over the file, its length first.
  func erasing(_ zeros: [UInt8]) -> [TagProgram.Step] {
    let piece = min(access.longestWrite, state.product.wholeUpdateByteCount ?? access.longestWrite)
    let id = container.message.file.rawValue
    let writes = stride(from: 0, to: zeros.count, by: piece).map { offset in
      TagProgram.Step(
        .write(Array(zeros[offset..<min(offset + piece, zeros.count)]), .blank),
        at: .file(id: id, offset: offset))
    }
    return writes
      + Type4MessagePlanner.checks(zeros, of: container.message.file, with: access)
  }
}
