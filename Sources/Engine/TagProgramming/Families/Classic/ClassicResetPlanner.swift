import TagMemory

/// Plans a MIFARE Classic back to its state of delivery: the directory first, so that the tag stops
/// being an NDEF tag before its sectors do; then every sector's data, then its trailer.
///
/// In sector 0 the trailer goes first: with it the tag has no directory any more, where one of its
/// two blocks alone would leave it with a wrong one. The other sectors, behind the second
/// directory, follow from the last block to the first, where a message begins: as long as it is
/// there, the same command knows its other blocks.
struct ClassicResetPlanner {
  let state: ClassicState
  /// The operator's word that data which are no NDEF message may be lost.
  var overwrites = true

  func plan() throws(JobFailure) -> TagProgram {
    let unopened = state.geometry.sectors.filter {
      state.sectors[$0]?.opener == nil && state.sectors[$0]?.isDestroyed != true
    }
    guard unopened.isEmpty else { throw ClassicRefusal.unopened(unopened, state: state) }
    // What a run has begun was decided before its first write.
    if !overwrites, state.sent.isEmpty { try requireNothingForeign() }
    let blank = [UInt8](repeating: 0, count: Block.byteCount)
    var program = TagProgram(.reset)
    var closed: [Sector] = []
    let directories = state.geometry.sectors.filter(MAD.Version.two.sectors.contains)
    let sectors =
      directories + state.geometry.sectors.filter { !directories.contains($0) }.reversed()
    for sector in sectors where state.sectors[sector]?.isDestroyed != true {
      let blocks = sector == .mad ? sector.dataBlocks : sector.dataBlocks.reversed()
      let data = blocks.map {
        (block: $0, bytes: blank, purpose: TagProgram.Purpose.blank)
      }
      if !program.addSector(
        sector, data: data, trailer: .transport, trailerFirst: sector == .mad, from: state)
      {
        closed.append(sector)
      }
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    var showing = Showing(state.isFormatted ? .oldMessage : .notNDEF)
    if let first = program.steps.firstIndex(where: \.isWrite) {
      showing.change(to: .notNDEF, after: first)
    }
    program.showing = showing
    return program
  }

  private func requireNothingForeign() throws(JobFailure) {
    let others = state.directory()?.entries.filter { $0.aid.isForeign } ?? []
    guard others.isEmpty else {
      let names = Dictionary(uniqueKeysWithValues: others.map { ($0.sector, $0.aid) })
      throw JobFailure(.classic(.foreignDirectory(names)), remedy: .permitOverwrite)
    }
    let foreign = state.blocksBesideNDEF
    guard foreign.isEmpty else { throw ClassicRefusal.foreignData(foreign, state: state) }
  }
}

extension ClassicState {
  /// The data blocks that hold anything but zeros, or were not read, and are neither the
  /// directory's nor of a sector for NFC nor of a message that formatting has begun with.
  fileprivate var blocksBesideNDEF: [Block] {
    let named = directory()?.entries.filter { $0.aid == .nfc }.map(\.sector) ?? []
    let begun = NDEFArea(geometry.nfcSectors(.one).prefix { sectors[$0]?.opener != nil })
    let message = scan(of: begun).message.flatMap { $0.offset == 0 ? $0 : nil }
    let own = message.map { begun.blocks(holding: 0..<2 + $0.length + 3) } ?? []
    // A reset begins with the directory, and may have been cut short in it.
    let isBegun = sectors.values.contains { $0.opener?.key == .nfc }
    return geometry.sectors.filter { sector in
      let known = sectors[sector]
      return known?.isDestroyed != true && known?.opener?.key != .nfc && !named.contains(sector)
    }
    .flatMap(\.dataBlocks)
    .filter { block in
      if isBegun, MAD.Version.two.sectors.contains(block.sector) { return false }
      guard let bytes = blocks[block] else { return true }
      if bytes.allSatisfy({ $0 == 0 }) || own.contains(block) { return false }
      return !ClassicLayout.isDirectoryOfNFC(bytes, at: block)
    }
  }
}
