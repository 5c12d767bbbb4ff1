import TagMemory

/// What a block holds, and what it counts as.
///
/// A block that this run has written counts as what was sent to it: should it hold anything else,
/// that is a write of this run that went wrong, and never somebody's message, directory or data.
/// Plans ask what blocks *mean* to decide what the tag is to hold, and compare that with what the
/// blocks *hold* to decide what has to be written: so such a block is written again.
extension ClassicState {
  /// What `block` counts as; nil where this run has not written it and it was not read.
  func meaning(of block: Block) -> [UInt8]? { sent[block] ?? blocks[block] }

  /// Returns whether this run has written the data block, which does not hold what was sent, as far
  /// as is known.
  func isWrong(_ block: Block) -> Bool { sent[block].map { blocks[block] != $0 } ?? false }

  /// The trailer that this run has sent to `sector` last.
  func sentTrailer(of sector: Sector) -> SectorTrailer? {
    sent[sector.trailer].flatMap { try? SectorTrailer(parsing: $0) }
  }

  /// Returns whether this run has written the trailer of `sector`, which was looked at since and is
  /// not seen to hold what was sent.
  func hasWrongTrailer(_ sector: Sector) -> Bool {
    guard let trailer = sentTrailer(of: sector), let known = sectors[sector],
      known.trailer != nil || known.opener == nil
    else { return false }
    return !hasTrailer(trailer, in: sector)
  }

  /// Returns whether the access bits of `sector` are frozen, and this run has sent none that are.
  func wasFrozen(_ sector: Sector) -> Bool {
    sectors[sector]?.trailer?.conditions.isFrozen == true
      && sentTrailer(of: sector)?.conditions.isFrozen == false
  }

  /// Returns whether `sector` has refused the trailer that this run has sent last: it still has the
  /// factory's key A, which its access bits do not let change them, and nothing that was tried may;
  /// or these are frozen, and it got back its key.
  func refusedTrailer(_ sector: Sector) -> Bool {
    guard let sent = sentTrailer(of: sector), let known = sectors[sector],
      let conditions = known.trailer?.conditions
    else { return false }
    let isGivenBack = sent.conditions.isFrozen && sent.keyA == .factory
    let isAsBefore =
      known.opener == KeyCandidate(.a, .factory) && !conditions.canChangeTrailer(with: .a)
      && (conditions != sent.conditions || known.trailerWriter == nil)
    return wasFrozen(sector) || isGivenBack || isAsBefore
  }

  /// Returns whether a block or a trailer of the directory, or a trailer of `sectors` that may be
  /// written still, is a write of this run that went wrong: then the tag is to be formatted again.
  /// Locking sees to its own trailers.
  func hasWrongFrame(in sectors: [Sector]) -> Bool {
    let open = sectors.filter { sentTrailer(of: $0)?.conditions.isFrozen == false }
    let directory = MAD.Version.two.sectors.filter {
      sentTrailer(of: $0)?.conditions.isFrozen != true
    }
    return (directory + open).contains(where: hasWrongTrailer)
      || MAD.Version.two.sectors.flatMap(\.dataBlocks).contains(where: isWrong)
  }

  /// This state as whoever reads the tag now finds it.
  var asRead: ClassicState {
    var state = self
    state.sent = [:]
    return state
  }
}
