/// The data blocks of some sectors as one run of bytes, in the order of their sectors (AN1304, 3).
package struct NDEFArea: Hashable, Sendable {
  /// Ascending, each once.
  package let sectors: [Sector]
  /// The sectors' data blocks, ascending.
  package let blocks: [Block]

  /// The area of `sectors`, whatever their order.
  package init(_ sectors: some Sequence<Sector>) {
    self.sectors = Set(sectors).sorted()
    blocks = self.sectors.flatMap(\.dataBlocks)
  }

  package var byteCount: Int { blocks.count * Block.byteCount }

  /// For a scan or a layout of the area's TLVs.
  package var tlvArea: TLVArea { .classic(byteCount: byteCount) }

  /// The longest NDEF message in bytes, with nothing in front of it; nil for an empty area.
  package var capacity: Int? { TLV.messageCapacity(room: byteCount) }

  /// Where byte `offset` of the area lies: its block, and its place in it. Nil beyond the area.
  package func location(of offset: Int) -> (block: Block, byte: Int)? {
    guard 0..<byteCount ~= offset else { return nil }
    return (blocks[offset / Block.byteCount], offset % Block.byteCount)
  }

  /// Where `block` starts in the area; nil when it is not a part of it.
  package func offset(of block: Block) -> Int? {
    blocks.firstIndex(of: block).map { $0 * Block.byteCount }
  }

  /// The blocks that hold the bytes of `offsets`; what lies beyond the area is left out.
  package func blocks(holding offsets: Range<Int>) -> ArraySlice<Block> {
    let inside = offsets.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return [] }
    return blocks[
      inside.lowerBound / Block.byteCount...(inside.upperBound - 1) / Block.byteCount]
  }
}
