import Readers
import TagMemory

/// The steps of a MIFARE Classic: how each is carried out, and in which commands.
enum ClassicSteps {
  /// Nil when all is as wanted.
  static func perform(_ step: TagProgram.Step, in session: ClassicSession) throws(ReaderError)
    -> Execution.Trouble?
  {
    switch (step.place, step.action) {
    case (.sector(let sector), .authenticate(.key(let candidate))):
      return try session.authenticate(sector, candidate) ? nil : .keyRefused
    case (.block(let block), .write(let bytes, _)):
      // A write whose answer is lost may have changed them, too.
      defer { if block.isTrailer { session.forgetKeys(of: block.sector) } }
      try session.reader.writeBlock(Int(block.index), bytes)
      return nil
    case (.block(let block), .check(let expected)):
      return step.trouble(finding: try session.reader.readBlock(Int(block.index)), for: expected)
    default: return step.isOfAnotherFamily()
    }
  }

  /// The commands of `step` as the reader sends them, and the answers expected.
  static func commands(of step: TagProgram.Step) -> [PlannedExchange] {
    switch (step.place, step.action) {
    case (.sector(let sector), .authenticate(.key(let candidate))):
      let block = Int(sector.trailer.index)
      return [
        PlannedExchange(.authenticate(block: block, key: candidate.key, type: candidate.type))
      ]
    case (.block(let block), .write(let bytes, _)):
      return [PlannedExchange(.writeBlock(Int(block.index), bytes))]
    case (.block(let block), .check):
      return [PlannedExchange(.readBlock(Int(block.index)), answerCount: Block.byteCount)]
    default: return []
    }
  }
}

extension TagProgram.Step {
  /// Open a MIFARE Classic sector.
  package static func authenticate(_ sector: Sector, _ candidate: KeyCandidate) -> Self {
    Self(.authenticate(.key(candidate)), at: .sector(sector))
  }

  /// Write the 16 bytes of a block.
  package static func writeBlock(
    _ block: Block, _ bytes: [UInt8], _ purpose: TagProgram.Purpose
  ) -> Self {
    Self(.write(bytes, purpose), at: .block(block))
  }

  /// Read a block; the bytes that are not nil must be there.
  package static func checkBlock(_ block: Block, _ bytes: [UInt8?]) -> Self {
    Self(.check(bytes), at: .block(block))
  }
}

extension SentWrites {
  /// The bytes last sent to each block.
  var blocks: [Block: [UInt8]] {
    var blocks: [Block: [UInt8]] = [:]
    for (place, bytes) in all { if let block = place.block { blocks[block] = bytes } }
    return blocks
  }
}
