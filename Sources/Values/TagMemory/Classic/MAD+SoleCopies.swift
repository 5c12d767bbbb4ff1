/// What only the directory tells, and not the sectors that it points at.
extension MAD {
  /// The blocks with an info byte other than the usual one, or with an entry for another
  /// application: torn, they cannot be put together again from the rest of the card.
  package var soleCopies: Set<Block> {
    Set(
      serialize().filter { block, bytes in
        let isFirst = block == MAD.firstBlock || block == Sector.secondMAD.firstBlock
        if isFirst, bytes[1] != MAD.usualInfo { return true }
        return stride(from: isFirst ? 2 : 0, to: bytes.count, by: 2).contains {
          AID(cluster: bytes[$0 + 1], application: bytes[$0]).isForeign
        }
      }.map(\.block))
  }

  private static let firstBlock: Block = 1
}
