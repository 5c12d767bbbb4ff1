import Readers
import TagMemory

/// What a trailer write that lost power may have left of keys.
extension ClassicSurveyor {
  /// How many torn keys a pass tries at most: each takes up to 37 ms at 115200 baud, so this takes
  /// five seconds.
  private static let mostKeys = 130

  /// The survey tries at most so many keys in a sector that this run has not written.
  private static let mostInOthers = 60

  /// How many authentications a closed sector that may be a stranger's costs a run at most, those
  /// with the usual keys included: 2.2 seconds at 115200 baud.
  private static let mostAuthentications = 60

  /// How many torn keys are tried where such a sector is closed: two passes ask it twelve usual
  /// keys each, the eight of `KeyCandidate.surveyOrder` and once more the four likeliest.
  private static let mostInClosed = mostAuthentications - 2 * (8 + 4)

  /// How many where nothing but its place tells it from a stranger's: of a sector that the
  /// directory names each pass asks nine usual keys as it looks for the area, eight as it looks at
  /// all sectors, and once more the three likeliest.
  private static let mostAtEnd = mostAuthentications - 2 * (9 + 8 + 3)

  /// Where more sectors are closed the tag is somebody else's.
  private static let mostClosed = 4

  /// Looks for what a trailer write that lost power may have left of keys, in sectors that stayed
  /// closed and in those whose trailer nothing may change, and surveys in full what it finds.
  ///
  /// All that may be left is tried where this run has sent the trailer. Another sector may be a
  /// stranger's: there the likeliest are tried, once in a run.
  mutating func findTornKeys() throws(ReaderError) {
    try askAgain([.trailer, .trailerWriter, .data])
    var left = Self.mostKeys
    func likely(_ keys: [KeyCandidate], in sector: Sector) -> ArraySlice<KeyCandidate> {
      let isOwn = state.sent[sector.trailer] != nil
      let most =
        state.sectors[sector]?.opener == nil ? Self.mostInClosed : Self.mostInOthers
      let some = keys.prefix(isOwn ? left : min(left, most))
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
      if state.sent[sector.trailer] != nil {
        torn = tornKeysA(of: sector)
      } else if let found = session.torn[sector] {
        torn = [found]
      } else if closed.count <= Self.mostClosed, let trace = trace(in: sector),
        session.searches(sector)
      {
        let isOwn = trace == .job && closed.count == 1 && intended[sector] != nil
        let all = isOwn ? tornKeysA(of: sector) : usualTornKeysA(of: sector)
        torn = trace == .job ? all : Array(all.prefix(Self.mostAtEnd))
      } else {
        continue
      }
      guard let found = try first(of: likely(torn, in: sector), in: sector) else { continue }
      session.torn[sector] = found
      state.sectors[sector]?.opener = found
      try survey(sector, [.trailer, .trailerWriter, .data])
    }
    let lacking = sectors.filter { state.lacksWriterB($0) }
    for sector in lacking where lacking.count == 1 || state.sent[sector.trailer] != nil {
      let keys = likely(tornKeysB(of: sector), in: sector)
      guard let found = try first(of: keys, in: sector) else { continue }
      state.sectors[sector]?.trailerWriter = found
      state.sectors[sector]?.hasDamagedKeyB = true
    }
  }

  /// What shows that a job was cut short in a closed sector that this run has not written.
  private enum Trace {
    /// The sectors around it, or that nothing has formatted it yet.
    case job
    /// Its place alone, at an end of the area, where a stranger's looks alike.
    case place
  }

  /// Nil where nothing does. A sector that a whole directory calls NFC was formatted to the end:
  /// there the job has left a trace only where the sector lies between those that it has done and
  /// those that it has not come to.
  private func trace(in sector: Sector) -> Trace? {
    guard state.directory()?[sector] == .nfc else { return .job }
    guard isWhereCutShort(sector) else { return nil }
    let others = intended.keys.filter { $0 != sector && !MAD.Version.two.sectors.contains($0) }
    let isAtEnd = others.allSatisfy { $0 < sector } || others.allSatisfy { $0 > sector }
    return isAtEnd ? .place : .job
  }

  /// Returns whether the closed `sector` lies between those that the job has done, going by their
  /// key A, and those that it has not come to, or at either end of them.
  private func isWhereCutShort(_ sector: Sector) -> Bool {
    func isDone(_ other: Sector) -> Bool? {
      guard let own = intended[other], let opener = state.sectors[other]?.opener else { return nil }
      return opener == KeyCandidate(.a, own.keyA)
    }
    let others = intended.keys.filter { $0 != sector && !MAD.Version.two.sectors.contains($0) }
    let (before, behind) = (others.filter { $0 < sector }, others.filter { $0 > sector })
    func all(_ sectors: [Sector], are done: Bool) -> Bool {
      sectors.allSatisfy { isDone($0).map { $0 == done } ?? true }
    }
    guard !others.isEmpty else { return false }
    return all(before, are: true) && all(behind, are: false)
      || all(behind, are: true) && all(before, are: false)
  }

  /// As formatting a sector as delivered, or a reset, may have left key A: first between two of its
  /// bytes.
  private func usualTornKeysA(of sector: Sector) -> [KeyCandidate] {
    let isReset = intended[sector]?.keyA == .factory
    let (old, new): (Key, Key) = isReset ? (.nfc, .factory) : (.factory, .nfc)
    let cuts = (1..<6).compactMap { Key(new.bytes[..<$0] + old.bytes[$0...]) }
    return Self.unique((cuts + TornKeys.between(old, new)).map { KeyCandidate(.a, $0) })
  }

  /// Between the key A that the sector had and the one that it gets, and as formatting or a reset
  /// may have left it: the likeliest first.
  private func tornKeysA(of sector: Sector) -> [KeyCandidate] {
    let formatted: Key = MAD.Version.two.sectors.contains(sector) ? .mad : .nfc
    let new = intended[sector]?.keyA ?? state.sentTrailer(of: sector)?.keyA ?? formatted
    let other: Key = new == .factory ? formatted : .factory
    let old = [other] + keys + [.zeros, .sampleB, .factory, formatted]
    let torn =
      TornKeys.likely(old, new) + TornKeys.between(.factory, formatted)
      + TornKeys.between(formatted, .factory)
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
    return Self.unique(TornKeys.likely(old, new).map { KeyCandidate(.b, $0) })
  }
}
