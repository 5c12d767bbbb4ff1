/// A sector of a MIFARE Classic card, 0 to 39 (MF1S70YYX_V1, 8.6).
///
/// Sectors 0 to 31 have four blocks, sectors 32 to 39 sixteen. The last block is the trailer.
package struct Sector: Hashable, Sendable {
  /// 0 to 39.
  package let index: Int

  /// Nil unless `index` lies between 0 and 39.
  package init?(_ index: Int) {
    guard 0...39 ~= index else { return nil }
    self.index = index
  }

  /// `index` must lie between 0 and 39.
  init(known index: Int) { self.index = index }

  /// The sector of the first MAD part, and of the manufacturer block.
  package static let mad = Sector(known: 0)
  /// The sector of the second MAD part, on cards with MAD2.
  package static let secondMAD = Sector(known: 16)

  /// 4 or 16, the trailer included.
  package var blockCount: Int { index < 32 ? 4 : 16 }

  package var firstBlock: Block {
    Block(UInt8(index < 32 ? index * 4 : 128 + (index - 32) * 16))
  }

  /// The block with the keys and access bits.
  package var trailer: Block { Block(firstBlock.index + UInt8(blockCount - 1)) }

  /// All blocks in ascending order.
  package var blocks: [Block] { (firstBlock.index...trailer.index).map { Block($0) } }

  /// The blocks that data may go to: neither the trailer nor the manufacturer block.
  package var dataBlocks: [Block] {
    blocks.filter { $0 != trailer && $0 != .manufacturer }
  }
}

extension Sector: Comparable {
  package static func < (left: Sector, right: Sector) -> Bool { left.index < right.index }
}

extension Sector: ExpressibleByIntegerLiteral {
  /// A literal must lie between 0 and 39.
  package init(integerLiteral index: Int) {
    precondition(0...39 ~= index, "a MIFARE Classic card has no sector \(index)")
    self.index = index
  }
}

extension Sector: CustomStringConvertible {
  package var description: String { "sector \(index)" }
}
