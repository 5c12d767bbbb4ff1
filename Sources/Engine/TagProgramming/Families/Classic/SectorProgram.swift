import TagMemory

extension TagProgram {
  /// What one data block is to hold.
  typealias BlockWrite = (block: Block, bytes: [UInt8], purpose: Purpose)

  /// Adds what brings one sector to its wanted content, each write with a key that may do it: data
  /// first, the trailer after it, then, under the new keys, everything read back before the sector
  /// is left. Data that the present trailer lets no key write follow the new one; with
  /// `trailerFirst` all do that it lets a key write.
  ///
  /// `data` are the blocks that are to hold something; blocks that do already are not written.
  /// `anyKeyB` as in `hasTrailer`. Returns false, with nothing added, when a write is needed and
  /// nothing that is known may do it.
  mutating func addSector(
    _ sector: Sector, data: [BlockWrite], trailer: SectorTrailer, anyKeyB: Bool = false,
    trailerFirst: Bool = false, from state: ClassicState
  ) -> Bool {
    let missing = data.filter { state.blocks[$0.block] != $0.bytes }
    let hasTrailer = state.hasTrailer(trailer, in: sector, anyKeyB: anyKeyB)
    let isLate = { (write: BlockWrite) in
      !hasTrailer && trailer.writer(of: [write.block]) != nil
        && (trailerFirst || state.dataWriter(of: sector, blocks: [write.block]) == nil)
    }
    let late = missing.filter(isLate)
    guard
      let steps = state.steps(
        early: missing.filter { !isLate($0) }, late: late, sector, hasTrailer ? nil : trailer)
    else { return false }
    unchanged += data.count - missing.count + (hasTrailer ? 1 : 0)
    self.steps += steps
    return true
  }
}

extension ClassicState {
  /// The steps that write `early` under the present trailer of `sector`, then `trailer` and `late`
  /// under it, and read all of it back; nil where no key that is known may do one of them.
  fileprivate func steps(
    early: [TagProgram.BlockWrite], late: [TagProgram.BlockWrite], _ sector: Sector,
    _ trailer: SectorTrailer?
  ) -> [TagProgram.Step]? {
    guard !early.isEmpty || !late.isEmpty || trailer != nil else { return [] }
    guard let known = sectors[sector], !known.isDestroyed else { return nil }
    guard trailer == nil || known.trailerWriter != nil else { return nil }
    guard
      let groups = writers(
        of: early, in: sector, preferring: trailer.flatMap { _ in known.trailerWriter })
    else { return nil }
    var steps: [TagProgram.Step] = []
    func write(_ data: [TagProgram.BlockWrite]) -> [TagProgram.Step] {
      data.map { .writeBlock($0.block, $0.bytes, $0.purpose) }
    }
    func check(_ data: [TagProgram.BlockWrite]) -> [TagProgram.Step] {
      data.map { .checkBlock($0.block, $0.bytes) }
    }
    for (writer, data) in groups {
      steps.append(.authenticate(sector, writer))
      steps += write(data)
      // Who may write a block may read it (MF1S50YYX_V1, 8.7.3).
      if trailer == nil { steps += check(data) }
    }
    guard let trailer, let writer = known.trailerWriter else { return steps }
    guard late.isEmpty || trailer.writer(of: late.map(\.block)) != nil else { return nil }
    if groups.last?.writer != writer { steps.append(.authenticate(sector, writer)) }
    steps.append(.writeBlock(sector.trailer, trailer.serialize(), .trailer))
    // A key B that did not arrive whole would lock the sector permanently, and it does not show: it
    // proves itself now.
    let isLastB = trailer.writer(of: late.map(\.block))?.type == .b
    let (keyA, keyB) = (KeyCandidate(.a, trailer.keyA), KeyCandidate(.b, trailer.keyB))
    let proofs = trailer.conditions.canUse(.b) ? (isLastB ? [keyA, keyB] : [keyB, keyA]) : [keyA]
    steps += proofs.map { .authenticate(sector, $0) }
    steps += write(late) + check(early + late)
    // Key A never shows; key B does where it is data, as in the state of delivery.
    let shown = trailer.conditions.keyBIsReadable ? 6...15 : 6...9
    let bytes = trailer.serialize()
    steps.append(.checkBlock(sector.trailer, bytes.indices.map { shown ~= $0 ? bytes[$0] : nil }))
    return steps
  }

  /// `data` by the key that may write it: one key for all of it where there is one, `preferred`
  /// before others. Nil where no key that was found may write a block.
  private func writers(
    of data: [TagProgram.BlockWrite], in sector: Sector, preferring preferred: KeyCandidate?
  ) -> [(writer: KeyCandidate, data: [TagProgram.BlockWrite])]? {
    guard !data.isEmpty else { return [] }
    let conditions = sectors[sector]?.trailer?.conditions
    let isAble = { (key: KeyCandidate, data: [TagProgram.BlockWrite]) in
      conditions?.allows(.write, on: data.map(\.block), with: key.type) ?? true
    }
    if let preferred, isAble(preferred, data) { return [(preferred, data)] }
    if let writer = dataWriter(of: sector, blocks: data.map(\.block)) { return [(writer, data)] }
    var groups: [(writer: KeyCandidate, data: [TagProgram.BlockWrite])] = []
    for write in data {
      guard let writer = dataWriter(of: sector, blocks: [write.block]) else { return nil }
      if groups.last?.writer == writer {
        groups[groups.count - 1].data.append(write)
      } else {
        groups.append((writer, [write]))
      }
    }
    return groups
  }
}

extension TagProgram {
  /// Adds the writes of `data` in one sector, each block with a key that may write it under the
  /// present trailer, read back before the sector is left. Returns false, with nothing added, where
  /// no key that was found may.
  mutating func addData(_ data: [BlockWrite], in sector: Sector, from state: ClassicState) -> Bool {
    guard let steps = state.steps(early: data, late: [], sector, nil) else { return false }
    self.steps += steps
    return true
  }

  /// Adds a trailer that `writer` may write, both its keys tried and what shows of it read back,
  /// and behind it `data`, which its keys may write.
  mutating func addTrailer(
    _ trailer: SectorTrailer, of sector: Sector, _ writer: KeyCandidate,
    then data: [BlockWrite] = []
  ) {
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
    guard !data.isEmpty, let key = trailer.writer(of: data.map(\.block)) else { return }
    if key.type == .b { steps.append(.authenticate(sector, key)) }
    steps += data.map { .writeBlock($0.block, $0.bytes, $0.purpose) }
    steps += data.map { .checkBlock($0.block, $0.bytes) }
  }
}

extension AccessConditions {
  /// Returns whether a reader that authenticated with `key` may write every data block.
  func allowsDataWrites(with key: KeyType) -> Bool {
    [BlockGroup.first, .second, .third].allSatisfy { allows(.write, $0, with: key) }
  }
}
