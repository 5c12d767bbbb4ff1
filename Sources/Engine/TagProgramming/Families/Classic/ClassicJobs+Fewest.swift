import Readers
import TagMemory

/// Looks at no more of a MIFARE Classic than the fewest sectors that a message takes, and the
/// directory's. Where anything there is neither as delivered nor as a formatter leaves it, all of
/// the tag is looked at.
extension ClassicJobs {
  /// The directory's sector and those that take the message, the first of them last; nil unless all
  /// are as delivered.
  func surveyBlank(for format: ClassicFormat) throws(ReaderError) -> ClassicSurveyor? {
    let factory = KeyCandidate(.a, .factory)
    guard format.directory != .mad2, try session.opens(.mad, with: factory) else { return nil }
    var surveyor = surveyor(expecting: [factory])
    let all = geometry.nfcSectors(.one)
    guard let count = format.sectorCount(in: all) else { return nil }
    for sector in [.mad] + all.prefix(count).reversed() {
      try surveyor.survey(sector, [.trailer, .trailerWriter, .data])
      guard surveyor.state.sectors[sector]?.opener == factory,
        surveyor.state.sectors[sector]?.trailer?.conditions == .transport,
        surveyor.state.data(of: sector)?.allSatisfy({ $0 == 0 }) == true
      else { return nil }
    }
    return surveyor
  }

  /// What an earlier pass of the same run has begun on a blank tag: the directory's sector and
  /// those that take the message. Nil where one of them does not open, and where a directory names
  /// others.
  func surveyBegun(for format: ClassicFormat) throws(ReaderError) -> ClassicSurveyor? {
    guard format.sectors == .fewest, format.directory != .mad2, isThorough,
      session.decided?.state.directory() == nil
    else { return nil }
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad)])
    let all = geometry.nfcSectors(.one)
    guard let count = format.sectorCount(in: all) else { return nil }
    let needed = [.mad] + all.prefix(count)
    for sector in needed {
      surveyor.intended[sector] = (sector == .mad ? .mad : .nfc, format.keyB)
      try surveyor.survey(sector, [.trailer, .trailerWriter, .data])
      let found = surveyor.state.sectors[sector]
      guard found?.opener != nil, found?.isDestroyed == false else { return nil }
    }
    guard surveyor.state.data(of: .mad) != nil else { return nil }
    let named = surveyor.state.directory(verifyingChecksum: false)?.nfcSectors(on: geometry) ?? []
    return Set(named).isSubset(of: needed) ? surveyor : nil
  }

  /// The directory's sectors, those of an NDEF tag, and as many behind them as the message takes;
  /// nil unless all of them open.
  func surveyNeeded(of found: Found, for format: ClassicFormat)
    throws(ReaderError) -> ClassicSurveyor?
  {
    guard format.sectors == .fewest, format.directory != .mad2 else { return nil }
    var surveyor = found.surveyor
    let depth: ClassicSurveyor.Depth = [.trailer, .trailerWriter]
    guard let directory = surveyor.state.directory() else { return nil }
    let run = geometry.nfcSectors(directory.version).drop { $0 != found.area.sectors.first }
      .prefix { directory[$0] != .defect && directory[$0]?.isForeign != true }
    let leading = surveyor.state.leading(of: found.area)
    guard let count = format.sectorCount(in: Array(run), behind: leading) else { return nil }
    let sectors = run.prefix(max(count, found.area.sectors.count))
    for sector in directory.version.sectors + sectors {
      let isDirectory = directory.version.sectors.contains(sector)
      surveyor.intended[sector] = (isDirectory ? .mad : .nfc, format.keyB)
      let isNew = !isDirectory && !found.area.sectors.contains(sector) && !format.overwrite
      try surveyor.survey(sector, isNew ? depth.union(.data) : depth)
      guard surveyor.state.sectors[sector]?.opener != nil else { return nil }
    }
    try surveyor.findTornKeys()
    // A message that stays is looked at as a whole.
    var looked = Found(surveyor: surveyor, area: found.area)
    if format.messageBytes == nil, let end = looked.scan.message?.endOffset {
      _ = try looked.read(end)
    }
    return looked.surveyor
  }
}
