import PN532
import Readers
import TagMemory

/// The steps of a Type 3 tag: how each is carried out, and in which commands.
enum FeliCaSteps {
  /// Nil when all is as wanted.
  static func perform(_ step: TagProgram.Step, in session: FeliCaSession) throws(ReaderError)
    -> Execution.Trouble?
  {
    switch (step.place, step.action) {
    case (.feliCaBlock(let block), .write(let bytes, _)):
      try session.wake()
      try session.reader.writeFeliCa(block, bytes)
      return nil
    case (.feliCaBlock(let block), .check(let expected)):
      let blocks = (0..<expected.count / AttributeBlock.byteCount).map { block + UInt16($0) }
      let trouble = try read(blocks, step, expected, in: session)
      guard trouble != nil, block == MemoryConfiguration.block else { return trouble }
      // A tag may show what was written there only once it has lost its power.
      try session.reader.fieldOff()
      try session.selectAgain()
      return try read(blocks, step, expected, in: session)
    default: return step.isOfAnotherFamily()
    }
  }

  private static func read(
    _ blocks: [UInt16], _ step: TagProgram.Step, _ expected: [UInt8?], in session: FeliCaSession
  ) throws(ReaderError) -> Execution.Trouble? {
    let found = try session.read(blocks, atOnce: session.blocksPerRead)
    return step.trouble(finding: found.flatMap { $0 ?? [] }, for: expected)
  }

  /// The commands of `step` as the reader sends them, and the answers expected.
  static func commands(of step: TagProgram.Step, in session: FeliCaSession) -> [PlannedExchange] {
    switch (step.place, step.action) {
    case (.feliCaBlock(let block), .write(let bytes, _)):
      return [PlannedExchange(.feliCaWrite(block: block, data: bytes))]
    case (.feliCaBlock(let block), .check(let expected)):
      let count = expected.count / AttributeBlock.byteCount
      let limit = max(1, session.blocksPerRead)
      return stride(from: 0, to: count, by: limit).map { start in
        let part = min(limit, count - start)
        let blocks = (start..<start + part).map { block + UInt16($0) }
        return PlannedExchange(.feliCaRead(blocks), answerCount: 1 + 16 * part)
      }
    default: return []
    }
  }
}
