import Readers
import TagMemory

/// What a card turned out to be whose SAK says something else.
struct ClassicSize: Hashable {
  /// What its SAK says.
  let label: Geometry
  /// What it is.
  let product: Product

  var geometry: Geometry {
    Geometry.allCases.first { $0.sectorCount == product.classicSectorCount } ?? label
  }

  /// Is true if it has less memory than its SAK says.
  var isSmaller: Bool { geometry.sectorCount < label.sectorCount }
}

/// SAKs lie about the size, both ways: 4K and MIFARE Plus 2K cards say 08h, 1K cards 18h. Looked at
/// where a directory is to be laid out, since it costs an authentication, and where sector 16 or 32
/// of a card that is to have it stays closed.
extension ClassicSurveyor {
  /// The first sectors that a 1K and a 2K do not have.
  private static let firstBeyond: Set<Sector> = [.secondMAD, 32]

  /// Learns all there is to know of every sector that the card has, and reads the manufacturer
  /// block.
  mutating func surveyWhole() throws(ReaderError) {
    for sector in state.geometry.sectors where state.geometry.contains(sector) {
      do {
        try survey(sector, [.trailer, .trailerWriter, .data, .manufacturer])
      } catch .exchangeFailed
        where Self.firstBeyond.contains(sector) && state.sectors[sector]?.opener == nil
      {
        // It may lie behind the card's end.
        try session.selectAgain()
      } catch {
        throw error
      }
      if Self.firstBeyond.contains(sector), state.sectors[sector]?.opener == nil {
        try probeSize()
      }
    }
    try findTornKeys()
    // Sector 0 may have opened when it was asked again.
    try read([.manufacturer])
  }

  /// Finds out what the card is, and goes on with no more sectors than there are.
  ///
  /// It is larger where the last sector of the next larger card opens with one of `keys`. It is
  /// smaller where the sectors behind those of a smaller card open with no likely key: behind the
  /// last sector of a card, nothing answers.
  mutating func probeSize(asking keys: [KeyCandidate] = [KeyCandidate(.a, .factory)])
    throws(ReaderError)
  {
    guard let product = Identification(session.tag).product else { return }
    let label = state.geometry
    let probes = product.classicSizeProbes
    var found: Product?
    for probe in probes.reversed() where probe.sectorCount > label.sectorCount {
      guard try opens(probe.lastSector, with: keys, times: 1) else { break }
      found = probe.product
    }
    if found == nil, label.contains(.secondMAD) {
      found = try smaller(probes.filter { $0.sectorCount <= label.sectorCount })
    }
    guard let found, found.classicSectorCount != label.sectorCount else { return }
    state = state.taking(ClassicSize(label: label, product: found))
  }

  /// The largest card of `probes`, which descend, of which a sector opens that smaller ones lack;
  /// the 1K where none does.
  ///
  /// Three sectors are asked: one alone may be torn, or another application's.
  private func smaller(_ probes: [Product.ClassicSizeProbe]) throws(ReaderError) -> Product? {
    let likely = likelyKeys
    for (probe, next) in zip(probes, probes.dropFirst()) {
      guard probe.lastSector > .secondMAD else { return probe.product }
      let asked = [probe.sectorCount - 1, next.sectorCount, probe.sectorCount - 2]
      for sector in asked.compactMap(Sector.init) where try opens(sector, with: likely) {
        return probe.product
      }
    }
    return nil
  }

  /// Returns whether `sector` opens with one of `keys`; asked twice, since a lost answer looks like
  /// a wrong key. Of a block behind the card's end some chips tell another failure than a wrong
  /// key.
  private func opens(_ sector: Sector, with keys: [KeyCandidate], times: Int = 2)
    throws(ReaderError) -> Bool
  {
    for _ in 1...times {
      for key in keys {
        do {
          if try session.opens(sector, with: key) { return true }
        } catch .exchangeFailed {
          // A tag that can be selected again is there.
          try session.selectAgain()
        }
      }
    }
    return false
  }
}

extension ClassicState {
  /// This state of a card of another size; one that is larger than its SAK says is used as far as
  /// its SAK says.
  fileprivate func taking(_ size: ClassicSize) -> ClassicState {
    var state = ClassicState(geometry: size.isSmaller ? size.geometry : geometry, sent: sent)
    state.sectors = sectors.filter { state.geometry.contains($0.key) }
    state.blocks = blocks.filter { state.geometry.contains($0.key) }
    state.probed = size
    return state
  }
}

extension Product.ClassicSizeProbe {
  fileprivate var sectorCount: Int { product.classicSectorCount ?? 0 }
  fileprivate var lastSector: Sector { Block(UInt8(block)).sector }
}
