import Readers
import TagMemory

/// What a trailer write that lost power may have left of keys.
extension ClassicSurveyor {
  /// How many torn keys a pass tries at most: each takes up to 37 ms at 115200 baud, so this takes
  /// five seconds.
  private static let mostKeys = 130

  /// Where more sectors are closed the tag is somebody else's.
  private static let mostClosed = 4

  /// Looks for what a trailer write that lost power may have left of keys, in sectors that stayed
  /// closed and in those whose trailer nothing may change, and surveys in full what it finds.
  ///
  /// All that may be left is tried where this very job has left a trace: this run has sent the
  /// trailer, or the sector lies where an earlier run of it was cut short. Another
  /// card may be a stranger's: there the few keys that formatting leaves are tried, once.
  mutating func findTornKeys() throws(ReaderError) {
    try askAgain([.trailer, .trailerWriter, .data])
    var left = Self.mostKeys
    func likely(_ keys: [KeyCandidate]) -> ArraySlice<KeyCandidate> {
      let some = keys.prefix(left)
      left -= some.count
      return some
    }
    let directory = state.directory(verifyingChecksum: false)
    let sectors = state.geometry.sectors.filter { state.sectors[$0]?.isDestroyed == false }
    let closed = sectors.filter { sector in
      let isStrange = directory?[sector].map { $0.isForeign || $0 == .defect } ?? false
      return state.sectors[sector]?.opener == nil && !isStrange
    }
    for sector in closed {
      let torn: [KeyCandidate]
      if state.sent[sector.trailer] != nil || closed.count == 1 && isWhereCutShort(sector) {
        torn = tornKeysA(of: sector)
      } else if closed.count <= Self.mostClosed, state.directory()?[sector] != .nfc,
        !MAD.Version.two.sectors.contains(sector),
        session.searches(sector)
      {
        torn = usualTornKeysA(of: sector)
      } else {
        continue
      }
      guard let found = try first(of: likely(torn), in: sector) else { continue }
      state.sectors[sector]?.opener = found
      try survey(sector, [.trailer, .trailerWriter, .data])
    }
    let lacking = sectors.filter { state.lacksWriterB($0) }
    for sector in lacking where lacking.count == 1 || state.sent[sector.trailer] != nil {
      guard let found = try first(of: likely(tornKeysB(of: sector)), in: sector) else { continue }
      state.sectors[sector]?.trailerWriter = found
      state.sectors[sector]?.hasDamagedKeyB = true
    }
  }

  /// Whether the closed `sector` lies between those that the job has done, going by their key A,
  /// and those that it has not come to: where an earlier run of it was cut short. The directory's
  /// come last, so where one of them is closed the others are done.
  private func isWhereCutShort(_ sector: Sector) -> Bool {
    func isDone(_ other: Sector) -> Bool? {
      guard let own = intended[other], let opener = state.sectors[other]?.opener else { return nil }
      return opener == KeyCandidate(.a, own.keyA)
    }
    let directory = MAD.Version.two.sectors
    let others = intended.keys.filter { $0 != sector && !directory.contains($0) }
    let (before, behind) = (others.filter { $0 < sector }, others.filter { $0 > sector })
    func all(_ sectors: [Sector], are done: Bool) -> Bool {
      sectors.allSatisfy { isDone($0).map { $0 == done } ?? true }
    }
    if directory.contains(sector) {
      return intended[sector]?.keyA != .factory && !others.isEmpty && all(others, are: true)
    }
    let isAscending = !before.isEmpty && all(before, are: true) && all(behind, are: false)
    let isDescending = !behind.isEmpty && all(behind, are: true) && all(before, are: false)
    // At the end of its way nothing tells it from another's card but the directory, which is not
    // there yet.
    let isAtEnd = (isAscending && behind.isEmpty) || (isDescending && before.isEmpty)
    return (isAscending || isDescending) && (!isAtEnd || isDone(.mad) == false)
  }

  /// As formatting a sector as delivered, or a reset, may have left key A.
  private func usualTornKeysA(of sector: Sector) -> [KeyCandidate] {
    let isReset = intended[sector]?.keyA == .factory
    let keys =
      isReset ? TornKeys.between(.nfc, .factory) : TornKeys.between(.factory, .nfc)
    return keys.map { KeyCandidate(.a, $0) }
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
