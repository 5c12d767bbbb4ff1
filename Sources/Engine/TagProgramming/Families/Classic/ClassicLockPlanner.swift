import TagMemory

/// Plans the NFC sectors of a MIFARE Classic read-only for good (AN1304, 6.4): trailers with access
/// bits 07 8F 0F and general purpose byte 43, each read back, and opened with both keys, before its
/// sector is left.
///
/// From the last sector to the first, where the message starts: a sector that is lost while its
/// trailer is written is lost with everything before it still writable.
///
/// Where other sectors can still be written, the directory's get the same access bits last of all:
/// else a message in one of those and another directory would lead readers away from this one.
struct ClassicLockPlanner {
  let state: ClassicState
  let sectors: [Sector]

  func plan() throws(JobFailure) -> TagProgram {
    var program = TagProgram(.locks)
    var closed: [Sector] = []
    var hidden: [Sector] = []
    for sector in sectors.reversed() {
      if state.isLocked(sector), !state.hasWrongLock(sector) {
        if state.isPublic(sector) {
          program.unchanged += 1
        } else {
          hidden.append(sector)
        }
      } else if let writer = state.sectors[sector]?.trailerWriter {
        add(sector, writer, to: &program)
      } else {
        closed.append(sector)
      }
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    guard hidden.isEmpty else { throw ClassicRefusal.notPublic(hidden.sorted()) }
    if !state.openSectors(beside: sectors).isEmpty { closeDirectory(&program) }
    return program
  }

  private func closeDirectory(_ program: inout TagProgram) {
    for sector in state.directorySectors.reversed() {
      if state.isLocked(sector), !state.hasWrongLock(sector) {
        program.unchanged += 1
      } else if let known = state.sectors[sector], let writer = known.trailerWriter,
        let byte = known.trailer?.generalPurposeByte
      {
        let trailer = SectorTrailer(
          keyA: .mad, conditions: .nfcReadOnly, generalPurposeByte: byte,
          keyB: writer.type == .b ? writer.key : .factory)
        program.addTrailer(trailer, of: sector, writer)
      }
    }
  }

  /// Throws where a tag in `state`, which readers take for no NDEF tag, is one but for a sector
  /// that its directory calls NFC: one that opens with no key, or that is locked with another key A
  /// than theirs.
  static func requireAccess(to state: ClassicState) throws(JobFailure) {
    if let failure = ClassicRefusal.notTaken(state.geometry.sectors, state: state) { throw failure }
    let sectors = state.directory()?.nfcSectors(on: state.geometry) ?? []
    let closed = sectors.filter { state.sectors[$0].map { $0.opener == nil } ?? false }
    guard closed.isEmpty else { throw ClassicRefusal.unopened(closed, state: state) }
    let hidden = sectors.filter { state.isLocked($0) && !state.isPublic($0) }
    guard hidden.isEmpty else { throw ClassicRefusal.notPublic(hidden) }
  }

  private func add(_ sector: Sector, _ writer: KeyCandidate, to program: inout TagProgram) {
    // Key B gives no more rights than the public key A once the sector is read-only: it stays what
    // it is.
    let trailer = SectorTrailer.nfcReadOnly(keyB: writer.type == .b ? writer.key : .factory)
    program.steps += [
      .authenticate(sector, writer),
      .writeBlock(sector.trailer, trailer.serialize(), .lock),
      .authenticate(sector, KeyCandidate(.b, trailer.keyB)),
      .authenticate(sector, KeyCandidate(.a, trailer.keyA)),
      .checkBlock(
        sector.trailer,
        trailer.serialize().enumerated().map { 6...9 ~= $0.offset ? $0.element : nil }),
    ]
  }
}

extension ClassicState {
  /// The sectors that hold the directory, by the general purpose byte of sector 0; none where that
  /// was not read.
  var directorySectors: [Sector] {
    sectors[.mad]?.trailer?.generalPurposeByte.madVersion?.sectors ?? []
  }

  /// The sectors beside `locked` ones and the directory's that are not known to be locked.
  func openSectors(beside locked: [Sector]) -> [Sector] {
    geometry.sectors.filter {
      !locked.contains($0) && !directorySectors.contains($0) && !isLocked($0)
        && sectors[$0]?.isDestroyed != true
    }
  }

  /// Returns whether this run has locked `sector` and that went wrong. A general purpose byte that
  /// was torn to another value which forbids writing can never be put right, and says the same.
  func hasWrongLock(_ sector: Sector) -> Bool {
    guard hasWrongTrailer(sector), let sent = sentTrailer(of: sector), let known = sectors[sector],
      let trailer = known.trailer
    else { return hasWrongTrailer(sector) }
    return known.opener != KeyCandidate(.a, sent.keyA) || known.provedKeyB != sent.keyB
      || trailer.conditions != sent.conditions || trailer.generalPurposeByte.isWriteFree
  }

  /// Returns whether every reader opens `sector` and may read it: its key A is the public NFC key,
  /// and its access bits, where they were read, let key A read all of its data.
  func isPublic(_ sector: Sector) -> Bool {
    sectors[sector]?.opener == KeyCandidate(.a, .nfc) && isReadableWithA(sector)
  }

  /// The locked ones of `sectors` whose general purpose byte says that they may be written.
  func mislabelledLocks(in sectors: [Sector]) -> [Sector] {
    sectors.filter {
      isLocked($0) && self.sectors[$0]?.trailer?.generalPurposeByte.isWriteFree == true
    }
  }

  /// Returns whether nobody can ever write `sector` any more, by its trailer as it was read.
  func isLocked(_ sector: Sector) -> Bool {
    guard let conditions = sectors[sector]?.trailer?.conditions, conditions.isFrozen else {
      return false
    }
    return BlockGroup.allCases.allSatisfy { group in
      KeyType.allCases.allSatisfy { !conditions.allows(.write, group, with: $0) }
    }
  }
}
