import TagMemory

/// What a run has sent to the memory of one tag: a later pass knows its own bytes by it.
///
/// A unit that does not hold what was sent last holds a write of this run that went wrong, never somebody's data.
struct SentWrites: Hashable, Sendable {
  /// The bytes last sent to each block of a MIFARE Classic, whatever came of it.
  private(set) var blocks: [Block: [UInt8]] = [:]
  /// The bytes last sent to each page of a Type 2 tag, whatever came of it.
  private(set) var pages: [Page: [UInt8]] = [:]

  /// Takes note of what `step` is about to write.
  mutating func note(_ step: TagProgram.Step) {
    switch step {
    case .writeBlock(let block, let bytes, _): blocks[block] = bytes
    case .writePage(let page, let bytes, _): pages[page] = bytes
    case .authenticate, .checkBlock, .checkPages, .enterPassword, .checkRefusal: break
    }
  }
}
