import Readers
import TagMemory

/// What a trailer write that lost power may have left of keys.
extension ClassicSurveyor {
  /// In how many sectors at most torn keys are looked for, which takes seconds in each: power is
  /// lost in one at a time, and where more are closed the tag is somebody else's.
  private static let mostTorn = 4

  /// Looks for what a trailer write that lost power may have left of keys, in sectors that stayed
  /// closed (but for those that the directory calls another application's or defective) and in
  /// those whose trailer nothing may change, and surveys in full what it finds.
  mutating func findTornKeys() throws(ReaderError) {
    try askAgain([.trailer, .trailerWriter, .data])
    let directory = state.directory(verifyingChecksum: false)
    let sectors = state.geometry.sectors.filter { state.sectors[$0]?.isDestroyed == false }
    let closed = sectors.filter { sector in
      let isStrange = directory?[sector].map { $0.isForeign || $0 == .defect } ?? false
      return state.sectors[sector]?.opener == nil && !isStrange
    }
    for sector in closed where closed.count <= Self.mostTorn {
      guard let found = try first(of: tornKeysA(of: sector), in: sector) else { continue }
      state.sectors[sector]?.opener = found
      try survey(sector, [.trailer, .trailerWriter, .data])
    }
    let lacking = sectors.filter { state.lacksWriterB($0) }
    for sector in lacking where lacking.count <= Self.mostTorn {
      guard let found = try first(of: tornKeysB(of: sector), in: sector) else { continue }
      state.sectors[sector]?.trailerWriter = found
      state.sectors[sector]?.hasDamagedKeyB = true
    }
  }

  /// Between the key A that the sector had and the one that it gets, and as formatting or a reset
  /// may have left it.
  private func tornKeysA(of sector: Sector) -> [KeyCandidate] {
    let formatted: Key = sector == .mad || sector == .secondMAD ? .mad : .nfc
    var torn = TornKeys.likely(.factory, formatted) + TornKeys.between(formatted, .factory)
    if let new = intended[sector]?.keyA {
      torn += TornKeys.oneBitOff(new)
      let old = [.factory, formatted] + keys + [.sampleB, .zeros]
      torn += old.flatMap { TornKeys.likely($0, new) }
    }
    return Self.unique(torn.map { KeyCandidate(.a, $0) })
  }

  /// Between the key B that the sector had, which was one of those that are always tried, and the
  /// one that it gets.
  ///
  /// Where the job gives none, that is the factory's as a formatting leaves it, with one bit wrong:
  /// asked for where other sectors have it, so that a tag with a key B of its own is not searched.
  private func tornKeysB(of sector: Sector) -> [KeyCandidate] {
    guard let new = intended[sector]?.keyB ?? state.sentTrailer(of: sector)?.keyB else {
      let isUsual = intended[sector] != nil && state.hasFactoryKeyB
      return isUsual ? TornKeys.oneBitOff(.factory).map { KeyCandidate(.b, $0) } : []
    }
    let old =
      [.factory] + keys + [.nfc, .sampleB, .zeros]
      + (state.sectors[sector]?.opener.map { [$0.key] } ?? [])
    let torn = TornKeys.oneBitOff(new) + old.flatMap { TornKeys.likely($0, new) }
    return Self.unique(torn.map { KeyCandidate(.b, $0) })
  }
}
