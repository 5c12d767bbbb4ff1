import NDEF
import Readers
import TagMemory

/// What has to be known of a tag before it is formatted.
extension ClassicJobs {
  /// Learns what has to be known before `format` is planned as a whole. With `keeping`, a tag whose
  /// area any reader finds gets its message only; `known` is what was learnt of it before.
  func learn(for format: ClassicFormat, keeping: Bool, from known: Found? = nil)
    throws(ReaderError) -> ClassicBasis
  {
    // Fewest sectors are for series of blank tags: so the factory key is asked for first.
    let isFirst = known == nil && format.sectors == .fewest && !isThorough
    var few = isFirst && !format.overwrite ? try surveyBlank(for: format) : nil
    if isFirst, format.overwrite, let state = try assumeFactory(for: format) {
      return ClassicBasis(state: state, way: .format(isSurveyed: false), keepsArea: keeping)
    }
    if few == nil {
      let present = keeping || isFirst ? try learnSurely(toWrite: format, from: known) : nil
      if keeping, !isUnfinished(format), let present,
        !present.surveyor.state.lacksSectors(for: format, in: present.area)
      {
        return ClassicBasis(
          state: present.surveyor.state, way: .message(in: present.area), keepsArea: keeping)
      }
      if format.overwrite, !isThorough, !isFirst, let state = try assumeFactory(for: format) {
        return ClassicBasis(state: state, way: .format(isSurveyed: false), keepsArea: keeping)
      }
      few = try present.flatMap { found throws(ReaderError) in
        try surveyNeeded(of: found, for: format)
      }
      if few == nil { few = try surveyBegun(for: format) }
    }
    var surveyor = if let few { few } else { try surveyAll(for: format) }
    if let message = format.messageBytes, surveyor.isFormatted,
      let (program, area) = try? ClassicFormatPlanner(
        state: surveyor.state, format: format.withoutMessage, isSurveyed: true,
        decided: session.decided
      ).plan()
    {
      let found = Found(surveyor: surveyor, area: area)
      surveyor = try look(at: found, after: program, toWrite: message.count).surveyor
    }
    return ClassicBasis(state: surveyor.state, way: .format(isSurveyed: true), keepsArea: keeping)
  }

  /// Returns whether this run formats the tag, and has not come to the last write of that, the
  /// trailer of the directory: readers may find the area before. With a lock that is written once
  /// more in the end.
  private func isUnfinished(_ format: ClassicFormat) -> Bool {
    guard !format.lock, let decided = session.decided, decided.keptArea == nil else { return false }
    return session.sent[.block(Sector.mad.trailer)] == nil
  }

  /// Learns what has to be known of a tag whose area any reader finds before its message is
  /// replaced, and asks once more where this run has found an area before: it has changed neither
  /// the directory nor a key since, so an answer was lost. Returns nil when it is no such tag.
  private func learnSurely(toWrite format: ClassicFormat, from known: Found?) throws(ReaderError)
    -> Found?
  {
    if let found = try learn(toWrite: format, from: known) { return found }
    guard session.decided?.keptArea != nil else { return nil }
    try session.selectAgain()
    return try learn(toWrite: format, from: nil)
  }

  /// What has to be known of a tag whose area any reader finds before its message is replaced; nil
  /// when it is none.
  private func learn(toWrite format: ClassicFormat, from known: Found?) throws(ReaderError)
    -> Found?
  {
    // Locking looks at the trailers too.
    var found = format.lock ? nil : known
    if found == nil { found = try find(withTrailers: format.lock) }
    guard let found, found.isPublic else { return nil }
    let looked = try look(at: found, toWrite: format.messageBytes?.count ?? 0)
    return looked.isPublic && looked.isWhole ? looked : nil
  }

  /// When sector 0 opens with the factory key, the others are taken to do so too: one that does not
  /// is found out, and left out where there is leave for that. Nil where the directory's own
  /// sectors, without which there is nothing to write, cannot be changed with that key.
  private func assumeFactory(for format: ClassicFormat) throws(ReaderError) -> ClassicState? {
    let factory = KeyCandidate(.a, .factory)
    guard try session.opens(.mad, with: factory) else { return nil }
    var surveyor = surveyor(expecting: [factory])
    /// Returns whether `sector` is as delivered, which the rest of the job rests on.
    func isAsDelivered(_ sector: Sector) throws(ReaderError) -> Bool {
      try surveyor.survey(sector, [.trailer, .trailerWriter])
      return surveyor.state.sectors[sector]?.trailer?.conditions == .transport
    }
    guard try isAsDelivered(.mad) else { return nil }
    // Every card has what a MAD1 names.
    let isSmall =
      format.sectors == .fewest && format.sectorCount(in: geometry.nfcSectors(.one)) != nil
    if !isSmall { try surveyor.probeSize() }
    let hasSecond =
      !isSmall && format.directory != .mad1 && surveyor.state.geometry.contains(.secondMAD)
    if hasSecond, try !isAsDelivered(.secondMAD) { return nil }
    var state = surveyor.state
    for sector in state.geometry.sectors where state.sectors[sector] == nil {
      state.sectors[sector] = ClassicState.SectorState(opener: factory, trailerWriter: factory)
    }
    return state
  }

  /// Every sector: what opens it and what may change it.
  private func surveyAll(for format: ClassicFormat) throws(ReaderError) -> ClassicSurveyor {
    var surveyor = surveyor()
    for sector in geometry.sectors {
      let isDirectory = sector == .mad || sector == .secondMAD
      surveyor.intended[sector] = (isDirectory ? .mad : .nfc, format.keyB)
    }
    for sector in geometry.sectors where surveyor.state.geometry.contains(sector) {
      var depth: ClassicSurveyor.Depth = [.trailer, .trailerWriter]
      let isDirectory = sector == .mad || sector == .secondMAD
      let isNFC = surveyor.state.directory()?[sector] == .nfc
      let isKept = surveyor.isFormatted && (isNFC || format.sectors == .usual)
      if !format.overwrite, !isKept || isDirectory { depth.insert(.data) }
      try surveyor.survey(sector, depth)
      if isDirectory { try surveyor.read(sector.dataBlocks) }
      if sector == .mad, !surveyor.hasDirectory(for: format) { try surveyor.probeSize() }
    }
    try surveyor.findTornKeys()
    let directory = surveyor.state.directory(verifyingChecksum: false)
    guard let area = directory.map({ NDEFArea($0.nfcSectors(on: surveyor.state.geometry)) }),
      !area.sectors.isEmpty
    else { return surveyor }
    var found = Found(surveyor: surveyor, area: area)
    try found.readHeader()
    // One that stays is looked at as a whole: what readers cannot decode is no message to keep.
    if format.messageBytes == nil, let end = found.scan.message?.endOffset {
      _ = try found.read(end)
    }
    return found.surveyor
  }
}

extension ClassicSurveyor {
  /// Returns whether sector 0 holds a directory of the version that `format` lays out.
  fileprivate func hasDirectory(for format: ClassicFormat) -> Bool {
    let version = state.sectors[.mad]?.trailer?.generalPurposeByte.madVersion
    let wanted = format.directory == .mad1 ? .one : state.geometry.madVersion
    // The second part of a MAD2 was not read yet.
    guard version == wanted, let bytes = state.data(of: .mad) else { return false }
    return (try? MAD(parsing: bytes)) != nil
  }
}
