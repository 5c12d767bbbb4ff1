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

    /// Says whether every sector that was looked at opens with the public NFC key and lets it read,
    /// so that any reader finds the message, and no directory block or trailer is a write of this
    /// run that went wrong.
    var isPublic: Bool {
      let isOpen = area.sectors.allSatisfy { sector in
        surveyor.state.sectors[sector].map {
          surveyor.state.isPublic(sector) && !$0.isDestroyed
        } ?? true
      }
      return isOpen && !surveyor.state.hasWrongFrame(in: area.sectors)
    }

    /// Is true if what the first trailer says of writing is a formatter's word: a general purpose
    /// byte that is neither of the two in a sector that may still be changed was torn while it was
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

    /// Learns what stands behind the message that is there, before the first write of a run: TLVs
    /// of others are walked to their end.
    mutating func lookBehindMessage() throws(ReaderError) {
      let session = surveyor.session
      defer { surveyor.state.behind = session.behind }
      guard session.behind == nil, session.sent.all.isEmpty else {
        // The planner then needs to know which bytes it has to keep.
        if let others = session.behind?.others { _ = try read(others + 1) }
        return
      }
      while case .needs(let more) = scan.behind {
        guard try read(more) else { break }
      }
      session.behind = surveyor.state.behindNow(in: area)
    }

    /// Reads on, with other keys than key A, as long as the message does not show with that.
    mutating func readWithOtherKeys() throws(ReaderError) {
      for sector in area.sectors where surveyor.state.content(of: area).obstacle != nil {
        try surveyor.survey(sector, [.trailer, .trailerWriter])
        try readHeader()
        if let end = scan.message?.endOffset { _ = try read(end) }
      }
    }

    /// Reads on until the first `byteCount` bytes of the area are known; false when the tag refuses
    /// some of them.
    mutating func read(_ byteCount: Int) throws(ReaderError) -> Bool {
      for block in area.blocks(holding: 0..<byteCount) {
        if surveyor.state.sectors[block.sector] == nil { try surveyor.open(block.sector) }
        try surveyor.readWithAnyKey(block)
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
    guard let version, version == .one || geometry.contains(.secondMAD),
      surveyor.state.isReadableWithA(.mad)
    else { return nil }
    if version == .two {
      guard try surveyor.opens(.secondMAD, with: KeyCandidate(.a, .mad)) else { return nil }
      try surveyor.read(Sector.secondMAD.dataBlocks)
    }
    guard !surveyor.state.lacksSecondDirectory, surveyor.state.directoryObstacle == nil,
      let directory = surveyor.state.directory()
    else { return nil }
    let sectors = directory.nfcSectors(on: geometry)
    guard let first = sectors.first else { return nil }
    guard try surveyor.opens(first, with: KeyCandidate(.a, .nfc)) else { return nil }
    if isThorough || withTrailers {
      for sector in sectors { try surveyor.survey(sector, [.trailer, .trailerWriter]) }
    } else {
      try surveyor.readTrailer(of: first)
    }
    // Behind the sectors of a MAD1 the card may end, whatever it says of its size.
    if withTrailers, version == .one, geometry.contains(.secondMAD) { try surveyor.probeSize() }
    if withTrailers, !surveyor.state.openSectors(beside: sectors).isEmpty {
      for sector in directory.version.sectors {
        try surveyor.survey(sector, [.trailer, .trailerWriter])
      }
      // A lost answer looks like a wrong key. A plan leaves a directory alone that no key opens,
      // so no later write would show the mistake.
      try surveyor.askAgain([.trailer, .trailerWriter])
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
    try found.lookBehindMessage()
    let scan = found.surveyor.state.applying(format).scan(of: found.area)
    // What stands behind an empty message is nobody's: that it can be written is all that counts.
    let isRead = isThorough || scan.message.map { $0.length != 0 } ?? true
    let header = byteCount > TLV.longestShortValue ? 4 : 2
    let end = min(scan.messageOffset + header + byteCount + 1, found.area.byteCount)
    var covered = 0
    for sector in found.area.sectors where covered < end {
      covered += sector.dataBlocks.count * Block.byteCount
      if isRead { _ = try found.read(min(end, covered)) }
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

  /// As many sectors as the largest card has.
  private static let mostSectors = Geometry.allCases.map(\.sectorCount).max() ?? 0

  /// `trailers` are those that the tag is to have, as far as they are known. `asksSize`: whether a
  /// card that calls itself small is asked if it is larger.
  func surveyAll(
    intending trailers: [Sector: SectorTrailer] = [:], asksSize: Bool = false
  ) throws(ReaderError) -> ClassicState {
    var surveyor = surveyor(expecting: [KeyCandidate(.a, .mad)])
    surveyor.intended = trailers.mapValues { ($0.keyA, $0.keyB) }
    try surveyor.surveyWhole()
    if asksSize, surveyor.state.probed == nil, geometry.sectorCount < Self.mostSectors {
      // A card that was formatted as a large one has the NFC key there.
      try surveyor.probeSize(asking: surveyor.likelyKeys)
    }
    return surveyor.state
  }
}

extension TagProgram {
  /// The sectors that get a trailer.
  var writtenTrailers: [Sector] {
    steps.compactMap(\.written?.place.block).filter(\.isTrailer).map(\.sector)
  }
}
