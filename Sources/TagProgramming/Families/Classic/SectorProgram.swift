import TagMemory

extension TagProgram {
  /// Adds what brings one sector to its wanted content: data first, the trailer after it, then,
  /// under the new keys, everything read back before the sector is left. With `trailerFirst` the
  /// data follow the trailer, where its key A may write them.
  ///
  /// `data` are the blocks that are to hold something; blocks that do already are not written.
  /// `anyKeyB` as in `hasTrailer`. Returns false when a write is needed and nothing that is known
  /// may do it.
  mutating func addSector(
    _ sector: Sector, data: [(block: Block, bytes: [UInt8], purpose: Purpose)],
    trailer: SectorTrailer, anyKeyB: Bool = false, trailerFirst: Bool = false,
    from state: ClassicState
  ) -> Bool {
    let missing = data.filter { state.blocks[$0.block] != $0.bytes }
    let hasTrailer = state.hasTrailer(trailer, in: sector, anyKeyB: anyKeyB)
    unchanged += data.count - missing.count + (hasTrailer ? 1 : 0)
    guard !missing.isEmpty || !hasTrailer else { return true }
    guard state.sectors[sector]?.isDestroyed != true else { return false }
    let writer =
      hasTrailer
      ? state.dataWriter(of: sector, blocks: missing.map(\.block))
      : state.sectors[sector]?.trailerWriter
    guard let writer else { return false }
    steps.append(.authenticate(sector, writer))
    let writes = missing.map { Step.writeBlock($0.block, $0.bytes, $0.purpose) }
    let isLate = trailerFirst && !hasTrailer && trailer.conditions.allowsDataWrites(with: .a)
    if !isLate { steps += writes }
    if !hasTrailer {
      steps.append(.writeBlock(sector.trailer, trailer.serialize(), .trailer))
      // A key B that did not arrive whole would lock the sector permanently, and it does not show:
      // it proves itself now.
      if trailer.conditions.canUse(.b) {
        steps.append(.authenticate(sector, KeyCandidate(.b, trailer.keyB)))
      }
      steps.append(.authenticate(sector, KeyCandidate(.a, trailer.keyA)))
    }
    if isLate { steps += writes }
    steps += missing.map { .checkBlock($0.block, $0.bytes) }
    if !hasTrailer {
      // Key A never shows; key B does where it is data, as in the state of delivery.
      let shown = trailer.conditions.keyBIsReadable ? 6...15 : 6...9
      let bytes = trailer.serialize()
      steps.append(
        .checkBlock(sector.trailer, bytes.indices.map { shown ~= $0 ? bytes[$0] : nil }))
    }
    return true
  }
}

extension TagProgram {
  /// Adds a trailer that `writer` may write, both its keys tried and what shows of it read back.
  mutating func addTrailer(_ trailer: SectorTrailer, of sector: Sector, _ writer: KeyCandidate) {
    let bytes = trailer.serialize()
    steps += [
      .authenticate(sector, writer),
      .writeBlock(sector.trailer, bytes, trailer.conditions.isFrozen ? .lock : .trailer),
    ]
    if trailer.conditions.canUse(.b) {
      steps.append(.authenticate(sector, KeyCandidate(.b, trailer.keyB)))
    }
    let shown = trailer.conditions.keyBIsReadable ? 6...15 : 6...9
    steps += [
      .authenticate(sector, KeyCandidate(.a, trailer.keyA)),
      .checkBlock(sector.trailer, bytes.indices.map { shown ~= $0 ? bytes[$0] : nil }),
    ]
  }
}

extension AccessConditions {
  /// Whether a reader that authenticated with `key` may write every data block.
  func allowsDataWrites(with key: KeyType) -> Bool {
    [BlockGroup.first, .second, .third].allSatisfy { allows(.write, $0, with: key) }
  }
}
