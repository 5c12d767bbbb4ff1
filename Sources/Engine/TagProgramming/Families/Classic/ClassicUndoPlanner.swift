import TagMemory

/// Plans what a run has written to a MIFARE Classic back to what was there: for a card that looked
/// as delivered and, in a later sector, takes no trailer.
///
/// Not every sector that opens with the factory's key A is asked for its trailer before it is
/// written. Only a trailer as delivered lets that key change it (MF1S50YYX_V1, 8.7.2), so that is
/// what a sector had which took one.
struct ClassicUndoPlanner {
  private let state: ClassicState
  private let first: ClassicState

  /// What the tag holds then: what it did before, or, where the run did not look at what it wrote
  /// over, the state of delivery.
  var holds: Holds {
    let written = Set(state.sent.keys.map(\.sector)).sorted()
    let keys = written.filter { !isWritten($0) && keysBack(in: $0)?.isEmpty == false }
    let unseen = isSurveyed ? [] : written.filter { !keys.contains($0) }
    let (refused, delivered) = (
      unseen.filter(state.refusedTrailer), unseen.filter { !state.refusedTrailer($0) }
    )
    let erased = refused.filter { sector in
      sector.dataBlocks.contains {
        state.sent[$0] != nil && state.dataWriter(of: sector, blocks: [$0]) != nil
      }
    }
    return keys.isEmpty && delivered.isEmpty && erased.isEmpty
      ? .unchanged : .putBack(asDelivered: delivered, erased: erased, withKeys: keys)
  }

  private let isSurveyed: Bool

  /// Nil where the run has written nothing.
  init?(basis: ClassicBasis) {
    guard let decided = basis.decided else { return nil }
    (state, first) = (basis.state, decided.state)
    isSurveyed = decided.isSurveyed
  }

  /// Nil where it is not known what was there, or no key may write it.
  func plan() -> TagProgram? {
    var program = TagProgram(.reset)
    for sector in Set(state.sent.keys.map(\.sector)).sorted() {
      var data: [TagProgram.BlockWrite] = []
      for block in sector.dataBlocks where state.sent[block] != nil {
        let blank = [UInt8](repeating: 0, count: Block.byteCount)
        guard let bytes = first.blocks[block] ?? (isSurveyed ? nil : blank) else {
          return nil
        }
        // One that no key may write has refused what was sent.
        let wasTaken =
          isWritten(sector) || state.dataWriter(of: sector, blocks: [block]) != nil
        if wasTaken, state.blocks[block] != bytes { data.append((block, bytes, .blank)) }
      }
      let isDone: Bool
      if isWritten(sector) {
        // Only one as delivered lets the factory's key A change it.
        guard let known = first.sectors[sector],
          known.trailer?.conditions ?? .transport == .transport,
          known.opener == KeyCandidate(.a, .factory)
        else { return nil }
        isDone = program.addSector(
          sector, data: data, trailer: .transport, trailerFirst: sector == .mad, from: state)
      } else {
        guard !hasTakenPart(sector), let keys = keysBack(in: sector) else { return nil }
        isDone = program.addData(data, in: sector, from: state)
        program.steps += keys
      }
      guard isDone else { return nil }
    }
    return program
  }

  /// Returns whether the run has given `sector` the trailer that it was to get.
  private func isWritten(_ sector: Sector) -> Bool {
    guard let sent = state.sentTrailer(of: sector), let now = state.sectors[sector]?.trailer else {
      return false
    }
    return now.agrees(with: sent) && !sent.conditions.isFrozen
  }

  /// Returns whether `sector` may have taken a part of the trailer that was sent: it is destroyed,
  /// closed or under another key A than before, and did not refuse it.
  private func hasTakenPart(_ sector: Sector) -> Bool {
    guard state.sent[sector.trailer] != nil, let known = state.sectors[sector] else { return false }
    let isAsBefore = known.opener == KeyCandidate(.a, .factory) && !known.isDestroyed
    return !isAsBefore && !state.refusedTrailer(sector)
  }

  /// What gives back the factory's keys to a sector that took new ones without its access bits,
  /// which are frozen; nothing for another one.
  private func keysBack(in sector: Sector) -> [TagProgram.Step]? {
    guard let opener = state.sectors[sector]?.opener, opener != KeyCandidate(.a, .factory),
      var trailer = state.sectors[sector]?.trailer
    else { return [] }
    guard first.sectors[sector]?.opener == KeyCandidate(.a, .factory), opener.type == .a,
      trailer.conditions.isFrozen,
      [.keyA, .keyB].allSatisfy({ trailer.conditions.canWriteTrailer($0, with: .a) })
    else { return nil }
    (trailer.keyA, trailer.keyB) = (.factory, .factory)
    let bytes = trailer.serialize()
    return [
      .authenticate(sector, opener),
      .writeBlock(sector.trailer, bytes, .trailer),
      .authenticate(sector, KeyCandidate(.a, .factory)),
      .checkBlock(sector.trailer, bytes.enumerated().map { $0.offset < 6 ? nil : $0.element }),
    ]
  }
}
