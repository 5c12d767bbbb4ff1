/// A block of a MIFARE Classic card: 16 bytes, addressed 0 to 255 (MF1S70YYX_V1, 8.6).
package struct Block: Hashable, Sendable {
  /// The address in READ, WRITE and authentication commands.
  package let index: UInt8

  package init(_ index: UInt8) { self.index = index }

  /// Bytes in a block.
  package static let byteCount = 16

  /// Block 0: written in the factory, read-only.
  package static let manufacturer = Block(0)

  package var sector: Sector {
    let index = Int(index)
    return Sector(known: index < 128 ? index / 4 : 32 + (index - 128) / 16)
  }

  /// Is true if this block holds its sector's keys and access bits.
  package var isTrailer: Bool { self == sector.trailer }

  /// The group that shares access conditions with this block; nil for a trailer.
  ///
  /// In sectors of four blocks each data block is a group, in sectors of sixteen each five blocks.
  package var group: BlockGroup? {
    let sector = sector
    let position = Int(index - sector.firstBlock.index)
    return BlockGroup(rawValue: position / (sector.blockCount == 4 ? 1 : 5))
  }
}

/// Data blocks of a sector that share access conditions (MF1S70YYX_V1, 8.7.1).
package enum BlockGroup: Int, Hashable, Sendable, CaseIterable {
  /// The sector's first block, or its first five.
  case first
  /// The second block, or blocks 5 to 9.
  case second
  /// The third block, or blocks 10 to 14.
  case third
}

extension Block: Comparable {
  package static func < (left: Block, right: Block) -> Bool { left.index < right.index }
}

extension Block: ExpressibleByIntegerLiteral {
  package init(integerLiteral index: UInt8) { self.index = index }
}

extension Block: CustomStringConvertible {
  package var description: String { "block \(index)" }
}
