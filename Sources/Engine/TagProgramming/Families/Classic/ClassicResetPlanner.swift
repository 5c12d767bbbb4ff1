import TagMemory

/// Plans a MIFARE Classic back to its state of delivery: the directory first, so that the tag stops
/// being an NDEF tag before its sectors do; then every sector's data, then its trailer.
///
/// In sector 0 the trailer goes first: with it the tag has no directory any more, where one of its
/// two blocks alone would leave it with a wrong one. The other sectors, behind the second
/// directory, follow from the last block to the first, where a message begins.
///
/// Wherever it is cut short, what is left shows whose it is: as long as a sector holds data, it has
/// the public key of NFC sectors. One that the directory alone calls so, and that readers do not
/// open, goes before the directory does.
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
    var program = TagProgram(.reset)
    var closed: [Sector] = []
    let directories = state.geometry.sectors.filter(MAD.Version.two.sectors.contains)
    let named = namedAlone
    let others = state.geometry.sectors.filter { !directories.contains($0) && !named.contains($0) }
    for sector in named + directories + others.reversed()
    where state.sectors[sector]?.isDestroyed != true {
      if !add(sector, to: &program) { closed.append(sector) }
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    var showing = Showing(shown(beside: named))
    let writes = program.steps.indices.filter { program.steps[$0].isWrite }
    let end = writes.first { program.steps[$0].written?.place.block?.sector == .mad }
    if let last = end ?? writes.first { showing.change(to: .notNDEF, after: last) }
    program.showing = showing
    return program
  }

  /// What readers find, who do not open the sectors `named` by the directory alone.
  private func shown(beside named: [Sector]) -> Shows {
    let area = state.directory()?.nfcSectors(on: state.geometry) ?? []
    guard !named.isEmpty else { return area.isEmpty ? .notNDEF : .oldMessage }
    let open = Array(area.prefix { !named.contains($0) })
    guard !open.isEmpty else { return .notNDEF }
    return state.scan(of: NDEFArea(open)).message?.valueRuns == nil ? .noMessage : .oldMessage
  }

  /// Adds what resets `sector`; false where no key that was found may do it.
  private func add(_ sector: Sector, to program: inout TagProgram) -> Bool {
    let blank = [UInt8](repeating: 0, count: Block.byteCount)
    let blocks = sector == .mad ? sector.dataBlocks : sector.dataBlocks.reversed()
    let data = blocks.map { (block: $0, bytes: blank, purpose: TagProgram.Purpose.blank) }
    let missing = data.filter { state.blocks[$0.block] != blank }
    guard let (trailer, writer) = marking(sector, missing.map(\.block)) else {
      return program.addSector(
        sector, data: data, trailer: .transport, trailerFirst: sector == .mad && !isLedByKey,
        from: state)
    }
    program.addTrailer(trailer, of: sector, writer, then: missing)
    program.unchanged += data.count - missing.count
    return program.addSector(
      sector, data: [], trailer: .transport, from: state.applying(program.steps))
  }

  /// The trailer that `sector` gets while its `blocks` are written, and the key that may change it:
  /// where the one that it has forbids that, or does not show whose they are. Nil where none is
  /// needed.
  private func marking(_ sector: Sector, _ blocks: [Block]) -> (SectorTrailer, KeyCandidate)? {
    guard !blocks.isEmpty, let known = state.sectors[sector], let writer = known.trailerWriter
    else { return nil }
    let keyB = writer.type == .b ? writer.key : .factory
    if sector == .mad {
      guard isLedByKey, !known.saysNoDirectory else { return nil }
      return (.unled(keyB: keyB), writer)
    }
    guard known.opener == KeyCandidate(.a, .nfc),
      blocks.contains(where: { state.dataWriter(of: sector, blocks: [$0]) == nil })
    else { return nil }
    return (.nfcReadWrite(keyB: keyB), writer)
  }

  /// Is true if no sector has the public key of NFC sectors, and sector 0 holds a directory, or has
  /// its key: that is all that shows whose its blocks are.
  private var isLedByKey: Bool {
    !hasNFCKeys
      && (state.directory() != nil || state.sectors[.mad]?.opener == KeyCandidate(.a, .mad))
  }

  /// The sectors that the directory calls NFC, and that readers do not open.
  private var namedAlone: [Sector] {
    (state.directory()?.nfcSectors(on: state.geometry) ?? []).filter {
      state.sectors[$0]?.opener?.key != .nfc
    }
  }

  private var hasNFCKeys: Bool { state.sectors.values.contains { $0.opener?.key == .nfc } }

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
    let torn = tornDirectory
    return geometry.sectors.filter { sector in
      let known = sectors[sector]
      return known?.isDestroyed != true && known?.opener?.key != .nfc && !named.contains(sector)
    }
    .flatMap(\.dataBlocks)
    .filter { block in
      if torn.contains(block) { return false }
      guard let bytes = blocks[block] else { return true }
      if bytes.allSatisfy({ $0 == 0 }) || own.contains(block) { return false }
      return !ClassicLayout.isDirectoryOfNFC(bytes, at: block)
    }
  }

  /// The blocks of the directory that a reset may have left damaged. With an NFC key on the card
  /// all of them may be, but for the second part beside a whole first one that says there is none.
  /// A reset that has reached the directory says in sector 0 that there is none, and is cut short
  /// in one block.
  private var tornDirectory: Set<Block> {
    let version = directory()?.version ?? .two
    let sectors = version.sectors.filter { geometry.sectors.contains($0) }
    let all = sectors.flatMap(\.dataBlocks)
    guard !self.sectors.values.contains(where: { $0.opener?.key == .nfc }) else { return Set(all) }
    guard self.sectors[.mad].map(\.saysNoDirectory) == true, isBlankBesideDirectory else {
      return []
    }
    let odd = all.filter { block in
      guard let bytes = blocks[block] else { return true }
      return !bytes.allSatisfy { $0 == 0 } && !ClassicLayout.isDirectoryOfNFC(bytes, at: block)
    }
    return odd.count == 1 && odd[0].sector == .mad ? Set(odd) : []
  }

  /// Returns whether every data block beside the directory's sectors was read and is zero.
  private var isBlankBesideDirectory: Bool {
    geometry.sectors.filter { !MAD.Version.two.sectors.contains($0) }.allSatisfy { sector in
      sectors[sector]?.isDestroyed == true
        || data(of: sector)?.allSatisfy { $0 == 0 } == true
    }
  }
}

extension ClassicState.SectorState {
  /// Says whether sector 0 has the directory's key, and its trailer that there is no directory.
  fileprivate var saysNoDirectory: Bool {
    opener == KeyCandidate(.a, .mad) && trailer?.generalPurposeByte.madVersion == nil
  }
}

extension SectorTrailer {
  /// Sector 0 under the directory's key, where readers find none.
  fileprivate static func unled(keyB: Key) -> SectorTrailer {
    SectorTrailer(keyA: .mad, conditions: .mad, generalPurposeByte: .transport, keyB: keyB)
  }
}
