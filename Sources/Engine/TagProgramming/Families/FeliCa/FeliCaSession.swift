import Readers
import TagMemory

/// A Type 3 tag on a reader.
final class FeliCaSession: TagSession {
  /// What a block held before this run wrote it.
  var seenBlocks: [UInt16: [UInt8]] = [:]

  var chip: FeliCaChip { FeliCaChip(pmm: tag.feliCa?.pmm ?? []) }

  /// Blocks that one read may ask for; the survey finds out.
  var blocksPerRead = 1

  static let ndefSystem: UInt16 = 0x12FC
  /// The system of NDEF was asked for, and answered.
  private var isNDEFSystemOpen = false

  /// Directs commands to the system of NDEF; false where the tag has none.
  func openNDEFSystem() throws(ReaderError) -> Bool {
    isNDEFSystemOpen = false
    // Silence is the tag's no, and what a lost answer looks like.
    for _ in 0..<2 where !isNDEFSystemOpen {
      isNDEFSystemOpen = try reader.serves(systemCode: Self.ndefSystem)
    }
    return isNDEFSystemOpen
  }

  override func selectAgain() throws(ReaderError) {
    try super.selectAgain()
    // The tag is found again by the IDm of its first system.
    guard isNDEFSystemOpen, try !openNDEFSystem() else { return }
    throw .tagLost(expected: tag.uid, found: nil)
  }

  /// Reads `blocks`, `limit` at a time; nil for each that the tag has and does not show.
  func read(_ blocks: [UInt16], atOnce limit: Int) throws(ReaderError) -> [[UInt8]?] {
    var found: [[UInt8]?] = []
    for start in stride(from: 0, to: blocks.count, by: max(1, limit)) {
      let part = Array(blocks[start..<min(start + max(1, limit), blocks.count)])
      found += try readAtOnce(part)
    }
    for (block, bytes) in zip(blocks, found) where sent[.feliCaBlock(block)] == nil {
      if seenBlocks[block] == nil { seenBlocks[block] = bytes }
    }
    return found
  }

  /// One command; where the tag refuses it for one of several blocks, each by itself.
  private func readAtOnce(_ blocks: [UInt16]) throws(ReaderError) -> [[UInt8]?] {
    do throws(ReaderError) {
      try wake()
      return try reader.readFeliCa(blocks).feliCaBlocks
    } catch .feliCaStatus {
      guard blocks.count > 1 else { return [nil] }
      var found: [[UInt8]?] = []
      for block in blocks { found += try readAtOnce([block]) }
      return found
    }
  }
}
