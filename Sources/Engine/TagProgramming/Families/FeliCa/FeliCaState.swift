import NDEF
import PN532
import TagMemory

/// What was learnt of a Type 3 tag, and what follows from it for whoever writes it.
struct FeliCaState: Hashable {
  let chip: FeliCaChip
  /// Is true if the tag answered to the system code of NDEF; of a FeliCa Lite its memory
  /// configuration says it.
  var answered = true
  /// What it answered as it was polled.
  var polled: [UInt8] = []
  /// The blocks that were read.
  private(set) var blocks: [UInt16: [UInt8]] = [:]
  /// Blocks that the tag has and does not show.
  var hidden: Set<UInt16> = []
  /// What this run has sent to each block, whatever came of it.
  private(set) var sent: [UInt16: [UInt8]] = [:]
  /// What blocks held before this run wrote them.
  var firstSeen: [UInt16: [UInt8]] = [:]

  /// The most bytes that the reader carries in one exchange.
  var limit = ExchangeLimit.pn532

  init(chip: FeliCaChip) { self.chip = chip }

  mutating func note(_ bytes: [UInt8], at block: UInt16) { blocks[block] = bytes }
  mutating func noteSent(_ bytes: [UInt8], to block: UInt16) { sent[block] = bytes }

  /// Returns what the tag holds there; nil where it was not read.
  subscript(block: UInt16) -> [UInt8]? { blocks[block] }

  /// Returns what this run means the tag to hold there: a write of this run that went wrong left
  /// nobody's data.
  func meant(_ block: UInt16) -> [UInt8]? { sent[block] ?? blocks[block] }
}

extension FeliCaState {
  static let blank = [UInt8](repeating: 0, count: AttributeBlock.byteCount)
  static let userBlocks = MemoryConfiguration.userBlocks

  /// Nil for a tag that is no FeliCa Lite, and where the block was not read.
  var configuration: MemoryConfiguration? {
    blocks[MemoryConfiguration.block].flatMap(configuration)
  }

  /// Returns what block 88h with these bytes means on this chip; nil where that has none.
  func configuration(_ bytes: [UInt8]) -> MemoryConfiguration? {
    chip.lite.flatMap { MemoryConfiguration(parsing: bytes, of: $0) }
  }

  /// Is true if readers look for a message on it.
  var declaresNDEF: Bool { configuration?.declaresNDEF ?? answered }

  /// The tag as an NDEF tag; nil as long as block 0 is not known.
  var ndef: Type3NDEF? {
    blocks[AttributeBlock.number].map {
      Type3NDEF(block0: $0, configuration: configuration, answersNDEF: declaresNDEF)
    }
  }

  /// The message that readers find, not a byte perhaps; nil where they find none, and where not all
  /// of it was read.
  var message: [UInt8]? {
    guard let length = ndef?.messageLength else { return nil }
    let count = AttributeBlock.blockCount(of: length)
    let read = (0..<count).map { blocks[UInt16($0 + 1)] }
    guard !read.contains(nil) else { return nil }
    return Array(read.flatMap { $0 ?? [] }.prefix(length))
  }

  /// Blocks that one read may ask for: what the chip is known to take, else what the attribute
  /// block allows, within what passes the reader.
  var blocksPerRead: Int {
    if chip.isLite { return Int(chip.blocksPerRead) }
    return min(max(1, Int(ndef?.attributes?.blocksPerRead ?? 1)), limit.feliCaReads)
  }

  /// Blocks that one write may carry, likewise.
  func blocksPerWrite(by attributes: AttributeBlock) -> Int {
    if chip.isLite { return 1 }
    return min(
      max(1, Int(attributes.blocksPerWrite)), attributes.messageBlockCount > 255 ? 12 : 13,
      limit.feliCaWrites)
  }

  /// The state once `program` was carried out.
  func applying(_ program: TagProgram) -> FeliCaState {
    var state = self
    for step in program.steps {
      guard let (place, bytes) = step.written, let first = place.feliCaBlock else { continue }
      for (index, part) in bytes.feliCaBlocks.enumerated() {
        let block = first + UInt16(index)
        var stored = part
        if let old = state.configuration, block == MemoryConfiguration.block,
          let next = state.configuration(part)
        {
          stored = old.merged(with: next).serialize()
        }
        state.blocks[block] = stored
        state.sent[block] = nil
      }
    }
    return state
  }

  /// Returns whether a write of this run is known to have left something else there than it held
  /// before.
  func wasDamaged(_ block: UInt16) -> Bool {
    firstSeen[block].map { $0 != blocks[block] } ?? false
  }

  /// The user memory and what else was read, a row a block.
  var rows: [MemoryRow] {
    let numbers =
      chip.lite.map { $0.blocks.filter { blocks[$0] != nil || hidden.contains($0) } }
      ?? blocks.keys.sorted()
    return numbers.map { number in
      let name = chip.isLite ? LiteMemory.name(of: number).map { " (\($0))" } ?? "" : ""
      return MemoryRow(label: "Block \(LiteMemory.text(of: number))\(name)", bytes: blocks[number])
    }
  }
}

extension Collection<UInt8> where Index == Int {
  /// Cut into blocks of 16 bytes.
  var feliCaBlocks: [[UInt8]] {
    stride(from: startIndex, to: endIndex, by: AttributeBlock.byteCount).map {
      Array(self[$0..<Swift.min($0 + AttributeBlock.byteCount, endIndex)])
    }
  }
}
