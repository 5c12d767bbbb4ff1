import NDEF
import Readers
import TagMemory

/// Surveys a MIFARE Classic for each job: as much as the job as a whole needs, before anything is
/// planned.
struct ClassicJobs {
  let session: ClassicSession
  let geometry: Geometry
  let credentials: Credentials
  /// The first pass failed: take nothing for granted.
  var isThorough: Bool

  func surveyor(expecting expected: [KeyCandidate] = []) -> ClassicSurveyor {
    ClassicSurveyor(
      session: session, geometry: geometry, keys: credentials.keys, expected: expected)
  }

  // MARK: Formatting

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
      let present = keeping || isFirst ? try learn(toWrite: format, from: known) : nil
      if keeping, let present, !present.surveyor.state.lacksSectors(for: format, in: present.area) {
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
        state: surveyor.state, format: format.withoutMessage, isSurveyed: true
      ).plan()
    {
      let found = Found(surveyor: surveyor, area: area)
      surveyor = try look(at: found, after: program, toWrite: message.count).surveyor
    }
    return ClassicBasis(state: surveyor.state, way: .format(isSurveyed: true), keepsArea: keeping)
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

  /// When sector 0 opens with the factory key, the others are taken to do so too: a sector that
  /// does not refuses the program's first step in it, with nothing changed, and the tag is surveyed
  /// in full.
  private func assumeFactory(for format: ClassicFormat) throws(ReaderError) -> ClassicState? {
    let factory = KeyCandidate(.a, .factory)
    guard try session.authenticate(.mad, factory) else { return nil }
    var surveyor = surveyor()
    // Every card has what a MAD1 names.
    let isSmall =
      format.sectors == .fewest && format.sectorCount(in: geometry.nfcSectors(.one)) != nil
    if !isSmall { try surveyor.probeSize() }
    var state = surveyor.state
    for sector in state.geometry.sectors {
      state.sectors[sector] = ClassicState.SectorState(opener: factory, trailerWriter: factory)
    }
    return state
  }

  /// Every sector: what opens it and what may change it. Sectors as delivered show their trailers
  /// only to a thorough survey.
  private func surveyAll(for format: ClassicFormat) throws(ReaderError) -> ClassicSurveyor {
    var surveyor = surveyor()
    for sector in geometry.sectors {
      let isDirectory = sector == .mad || sector == .secondMAD
      surveyor.intended[sector] = (isDirectory ? .mad : .nfc, format.keyB)
    }
    for sector in geometry.sectors where surveyor.state.geometry.contains(sector) {
      var depth: ClassicSurveyor.Depth = [.trailerWriter]
      // Nothing is taken for granted of a sector that the directory says cannot be used.
      let isDefect = surveyor.state.directory(verifyingChecksum: false)?[sector] == .defect
      if isThorough || isDefect { depth.insert(.trailer) }
      let isDirectory = sector == .mad || sector == .secondMAD
      if !format.overwrite, !surveyor.isFormatted || isDirectory { depth.insert(.data) }
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

  // MARK: Resetting

  /// Every sector, with the keys of delivery among those that are tried.
  func surveyForReset() throws(ReaderError) -> ClassicState {
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad)])
    for sector in geometry.sectors { surveyor.intended[sector] = (.factory, .factory) }
    try surveyor.surveyWhole()
    return surveyor.state
  }

  // MARK: Messages

  /// What was learnt of an NDEF tag, its area and the message TLV in it.
  struct Found {
    var surveyor: ClassicSurveyor
    let area: NDEFArea

    var scan: TLVScan { surveyor.state.scan(of: area) }

    /// Whether every sector that was looked at opens with the public NFC key, so that any reader
    /// finds the message, and no directory block or trailer is a write of this run that went wrong.
    var isPublic: Bool {
      let isOpen = area.sectors.allSatisfy { sector in
        surveyor.state.sectors[sector].map {
          $0.opener == KeyCandidate(.a, .nfc) && !$0.isDestroyed
        } ?? true
      }
      return isOpen && !surveyor.state.hasWrongFrame(in: area.sectors)
    }

    /// Whether what the first trailer says of writing is a formatter's word: a general purpose byte
    /// that is neither of the two in a sector that may still be changed was torn while it was
    /// written.
    var isWhole: Bool {
      guard let first = area.sectors.first, let trailer = surveyor.state.sectors[first]?.trailer
      else { return true }
      let byte = trailer.generalPurposeByte
      return byte.isWriteFree || byte == .nfcReadOnly || trailer.conditions.isFrozen
    }

    /// Reads on until the message TLV is found, or that there is none. One that does not start the
    /// area is read whole: whether it is a message says whether what stands before it are TLVs.
    mutating func readHeader() throws(ReaderError) {
      var needed = Block.byteCount
      while try read(needed), scan.message == nil, case .needs(let more) = scan.progress {
        needed = more
      }
      if let message = scan.message, message.offset > 0, let end = message.endOffset {
        _ = try read(end)
      }
    }

    /// Reads on until the first `byteCount` bytes of the area are known; false when the tag refuses
    /// some of them.
    mutating func read(_ byteCount: Int) throws(ReaderError) -> Bool {
      for block in area.blocks(holding: 0..<byteCount) {
        if surveyor.state.sectors[block.sector] == nil { try surveyor.open(block.sector) }
        try surveyor.read([block])
        guard surveyor.state.blocks[block] != nil else { return false }
      }
      return true
    }
  }

  /// The NDEF area of a formatted tag, with the header of its message read, and with what may
  /// change each of its sectors where `withTrailers` asks for that; nil when the tag is none.
  func find(withTrailers: Bool = false) throws(ReaderError) -> Found? {
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad), KeyCandidate(.a, .factory)])
    // The directory and the area open with their public keys on every NDEF tag.
    guard try surveyor.opens(.mad, with: KeyCandidate(.a, .mad)) else { return nil }
    try surveyor.read(Sector.mad.dataBlocks)
    // Its general purpose byte is programmed behind key A: without it readers find no directory
    // (AN10787, 3).
    try surveyor.readTrailer(of: .mad)
    let version = surveyor.state.sectors[.mad]?.trailer?.generalPurposeByte.madVersion
    guard let version, version == .one || geometry.contains(.secondMAD) else { return nil }
    if version == .two {
      try surveyor.open(.secondMAD)
      try surveyor.read(Sector.secondMAD.dataBlocks)
    }
    guard let directory = surveyor.state.directory() else { return nil }
    let sectors = directory.nfcSectors(on: geometry)
    guard let first = sectors.first else { return nil }
    guard try surveyor.opens(first, with: KeyCandidate(.a, .nfc)) else { return nil }
    if isThorough || withTrailers {
      for sector in sectors { try surveyor.survey(sector, [.trailer, .trailerWriter]) }
    }
    var found = Found(surveyor: surveyor, area: NDEFArea(sectors))
    try found.readHeader()
    return found
  }

  /// Learns what has to be known before a message of so many bytes is written there: that the first
  /// sector can be written and, before a message that is there is given up, what the others hold
  /// and that they can be written, too.
  ///
  /// `format` goes before the message: what it leaves decides, and the sectors that it rewrites
  /// can be written.
  func look(at known: Found, after format: TagProgram = TagProgram(), toWrite byteCount: Int)
    throws(ReaderError) -> Found
  {
    var found = known
    let made = Set(format.writtenTrailers)
    func learnWriter(of sector: Sector) throws(ReaderError) {
      guard !made.contains(sector) else { return }
      try found.surveyor.findDataWriter(of: sector)
    }
    guard let first = found.area.sectors.first else { return found }
    try learnWriter(of: first)
    let scan = found.surveyor.state.applying(format).scan(of: found.area)
    let isOff = scan.message.map { $0.length == 0 } ?? false
    guard !isOff || isThorough else { return found }
    let header = byteCount > TLV.longestShortValue ? 4 : 2
    let end = min(scan.messageOffset + header + byteCount + 1, found.area.byteCount)
    var covered = 0
    for sector in found.area.sectors where covered < end {
      covered += sector.dataBlocks.count * Block.byteCount
      _ = try found.read(min(end, covered))
      try learnWriter(of: sector)
    }
    return found
  }

  /// The directory and the trailers of the sectors that it calls NFC, and of those that this run
  /// has written.
  func surveyTrailers() throws(ReaderError) -> ClassicState {
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad)])
    for sector in MAD.Version.two.sectors where geometry.contains(sector) {
      try surveyor.survey(sector, [.trailer, .data])
    }
    let named = surveyor.state.directory()?.nfcSectors(on: geometry) ?? []
    for sector in geometry.sectors
    where named.contains(sector) || session.sent[.block(sector.trailer)] != nil {
      try surveyor.survey(sector, [.trailer, .trailerWriter])
    }
    try surveyor.askAgain([.trailer, .trailerWriter])
    return surveyor.state
  }

  // MARK: Everything

  /// `trailers` are those that the tag is to have, as far as they are known.
  func surveyAll(intending trailers: [Sector: SectorTrailer] = [:]) throws(ReaderError)
    -> ClassicState
  {
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad)])
    surveyor.intended = trailers.mapValues { ($0.keyA, $0.keyB) }
    try surveyor.surveyWhole(with: [.manufacturer])
    return surveyor.state
  }
}

extension ClassicSurveyor {
  /// Whether sector 0 holds a directory of the version that `format` lays out.
  fileprivate func hasDirectory(for format: ClassicFormat) -> Bool {
    let version = state.sectors[.mad]?.trailer?.generalPurposeByte.madVersion
    let wanted = format.directory == .mad1 ? .one : state.geometry.madVersion
    // The second part of a MAD2 was not read yet.
    guard version == wanted, let bytes = state.data(of: .mad) else { return false }
    return (try? MAD(parsing: bytes)) != nil
  }
}

extension TagProgram {
  /// The sectors that get a trailer.
  var writtenTrailers: [Sector] {
    steps.compactMap(\.written?.place.block).filter(\.isTrailer).map(\.sector)
  }
}
