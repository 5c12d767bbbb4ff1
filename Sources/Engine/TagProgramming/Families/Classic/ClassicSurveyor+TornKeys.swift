import Readers
import TagMemory

/// What a trailer write that lost power may have left of keys.
extension ClassicSurveyor {
  /// How many authentications a closed sector that may be a stranger's costs a run at most, those
  /// with the operator's keys aside: 2.2 seconds at 115200 baud.
  private static let mostAuthentications = 60

  /// Where more sectors are closed the tag is somebody else's.
  private static let mostClosed = 4

  /// How many keys at the start of a list are asked for twice: where the run has sent the trailer
  /// the cuts between two keys and one wrong bit, elsewhere the cuts between two bytes.
  private static let (twiceInOwn, twiceElsewhere) = (59, 5)

  /// In how many sectors a wrong bit of key B is looked for: a search costs 48 keys.
  private static let mostWithoutKeyB = 2

  /// Looks for what a trailer write that lost power may have left of keys, in sectors that stayed
  /// closed and in those whose trailer nothing may change, and surveys in full what it finds.
  ///
  /// All that may be left is tried where this run has sent the trailer. Another sector may be a
  /// stranger's: there the likeliest are tried.
  mutating func findTornKeys() throws(ReaderError) {
    try askAgain([.trailer, .trailerWriter, .data])
    let directory = state.directory(verifyingChecksum: false)
    let sectors = state.geometry.sectors.filter { state.sectors[$0]?.isDestroyed == false }
    let closed = sectors.filter { sector in
      let isStrange = directory?[sector].map { $0.isForeign || $0 == .defect } ?? false
      return state.sectors[sector]?.opener == nil && !isStrange
    }
    for sector in closed {
      var torn: [KeyCandidate] = []
      if state.sent[sector.trailer] != nil {
        torn = tornKeysA(of: sector)
      } else if closed.count <= Self.mostClosed, let trace = trace(in: sector) {
        let isOwn = trace == .job && closed.count == 1 && intended[sector] != nil
        torn = isOwn ? tornKeysA(of: sector) : usualTornKeysA(of: sector)
      }
      guard let found = try find(.a, among: torn, in: sector) else { continue }
      state.sectors[sector]?.opener = found
      try survey(sector, [.trailer, .trailerWriter, .data])
    }
    let lacking = sectors.filter { state.lacksWriterB($0) }
    for sector in lacking
    where lacking.count <= Self.mostWithoutKeyB || state.sent[sector.trailer] != nil {
      guard let found = try find(.b, among: tornKeysB(of: sector), in: sector) else { continue }
      state.sectors[sector]?.trailerWriter = found
      state.sectors[sector]?.hasDamagedKeyB = true
    }
  }

  /// The torn key of `sector` that an earlier pass has found, or the first of `keys` that opens it.
  private func find(_ type: KeyType, among keys: [KeyCandidate], in sector: Sector)
    throws(ReaderError) -> KeyCandidate?
  {
    if let found = session.torn[sector]?[type],
      let again = try first(of: [found], in: sector, asking: 2)
    {
      return again
    }
    // The next pass asks the usual keys once more, and what they open is read.
    let usual = 2 * session.authentications(in: sector, besides: self.keys) + 4
    let isWhole = isOwn(sector) || type == .b && isAsFormatted(sector)
    let most = isWhole ? Int.max : max(0, Self.mostAuthentications - usual)
    guard session.searches(sector, type) else { return nil }
    let count = min(most, session.tornKeysLeft(for: sector))
    // A lost answer looks like a wrong key: the likeliest are asked for twice. For want of key B no
    // sector is given up, and this run's own are searched in each pass.
    let isSent = state.sent[sector.trailer] != nil
    let twice = type == .b ? 0 : isSent ? Self.twiceInOwn : Self.twiceElsewhere
    let once = keys.prefix(isSent ? max(count - twice, count / 2) : count)
    var found: KeyCandidate?
    for (tries, key) in [(1, once), (2, once.prefix(min(twice, count - once.count)))]
      .flatMap({ tries, keys in keys.map { (tries, $0) } })
    where found == nil {
      session.countTornKey(of: sector)
      found = try first(of: [key], in: sector, asking: tries)
    }
    session.noteSearch(sector, type)
    if let found { session.torn[sector, default: [:]][type] = found }
    return found
  }

  /// Returns whether key B of `sector` is likely the one that the job gives sectors: it gives none,
  /// or others have it already.
  private func isAsFormatted(_ sector: Sector) -> Bool {
    guard let key = intended[sector]?.keyB else { return true }
    return key != .factory && state.hasKeyB(key)
  }

  /// Returns whether this very job was at `sector`: this run has written its trailer, a torn key
  /// was found there, or it opens with a key A that the job alone gives.
  private func isOwn(_ sector: Sector) -> Bool {
    if state.sent[sector.trailer] != nil || session.torn[sector] != nil { return true }
    guard let key = intended[sector]?.keyA, ![.factory, .nfc, .mad].contains(key) else {
      return false
    }
    return state.sectors[sector]?.opener == KeyCandidate(.a, key)
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
  /// may have left it: the likeliest first. A run that has opened the sector knows what it had.
  private func tornKeysA(of sector: Sector) -> [KeyCandidate] {
    let formatted: Key = MAD.Version.two.sectors.contains(sector) ? .mad : .nfc
    let sent = state.sentTrailer(of: sector)?.keyA
    let new = sent ?? intended[sector]?.keyA ?? formatted
    let had = (session.proved[sector] ?? []).filter { $0.type == .a && $0.key != new }.map(\.key)
    if sent != nil, !had.isEmpty { return TornKeys.likely(had, new).map { KeyCandidate(.a, $0) } }
    let other: Key = new == .factory ? formatted : .factory
    let old = [other] + keys + [.zeros, .sampleB, .factory, formatted]
    let torn =
      TornKeys.likely(old, new) + TornKeys.between(.factory, formatted)
      + TornKeys.between(formatted, .factory)
    // A reset gives sector 0 the directory's key where nothing else shows whose its blocks are.
    let marks = sector == .mad && new == .factory ? TornKeys.cuts(.factory, .mad) : []
    let most = TornKeys.mostCuts * (1 + keys.count)
    return Self.unique(
      (torn.prefix(most) + marks + torn.dropFirst(most)).map { KeyCandidate(.a, $0) })
  }

  /// Between the key B that the sector had, which was one of those that are always tried, and the
  /// one that it gets.
  ///
  /// Where the job gives none, that is the factory's as a formatting leaves it, with one bit wrong:
  /// asked for where other sectors have it, so that a tag with a key B of its own is not searched.
  private func tornKeysB(of sector: Sector) -> [KeyCandidate] {
    guard let new = intended[sector]?.keyB ?? state.sentTrailer(of: sector)?.keyB else {
      let isUsual = intended[sector] != nil && state.hasKeyB(.factory)
      return isUsual ? TornKeys.oneBitOff(.factory).map { KeyCandidate(.b, $0) } : []
    }
    let old =
      [.factory] + keys + [.nfc, .sampleB, .zeros]
      + (state.sectors[sector]?.opener.map { [$0.key] } ?? [])
    return Self.unique(TornKeys.likely(old, new).map { KeyCandidate(.b, $0) })
  }
}
