import Readers
import TagMemory

/// Learns what a job needs to know of a MIFARE Classic, sector by sector.
struct ClassicSurveyor {
  let session: ClassicSession
  /// The operator's keys.
  let keys: [Key]
  var state: ClassicState
  /// The keys that the job gives sectors, key B where it does: one it was at before may hold them,
  /// or a part of them.
  var intended: [Sector: (keyA: Key, keyB: Key?)] = [:]
  /// What opened sectors before: tried first in the next.
  private var expected: [KeyCandidate]

  /// `expected` are tried first in the first sector.
  init(session: ClassicSession, geometry: Geometry, keys: [Key], expected: [KeyCandidate] = []) {
    self.session = session
    self.keys = keys
    self.expected = expected
    state = ClassicState(geometry: geometry, sent: session.sent.blocks)
  }

  /// How much to learn of a sector besides what opens it.
  struct Depth: OptionSet {
    let rawValue: Int
    /// The trailer, whatever opened the sector. A sector that opens with another key than the
    /// factory's always has it read: what may be done there depends on it.
    static let trailer = Depth(rawValue: 1)
    /// Every data block.
    static let data = Depth(rawValue: 2)
    /// The other key, where it may do what the one that opened the sector may not.
    static let trailerWriter = Depth(rawValue: 4)
    /// The manufacturer block, with the data blocks of sector 0.
    static let manufacturer = Depth(rawValue: 8)

    /// The blocks of `sector` to be read.
    func blocks(of sector: Sector) -> [Block] {
      guard contains(.data) else { return [] }
      let first: [Block] = sector == .mad && contains(.manufacturer) ? [.manufacturer] : []
      return first + sector.dataBlocks
    }
  }

  /// Is true if sector 0 holds a directory that names NFC sectors: then what they hold need not be
  /// looked at.
  var isFormatted: Bool {
    state.directory().map { !$0.nfcSectors(on: state.geometry).isEmpty } ?? false
  }

  mutating func survey(_ sector: Sector, _ depth: Depth) throws(ReaderError) {
    guard let opener = try open(sector) else { return }
    if opener.key != .factory || depth.contains(.trailer) {
      try readTrailer(of: sector)
    } else {
      // As delivered, as far as one can tell for nothing; a tag that is not refuses the trailer's
      // write.
      state.sectors[sector]?.trailerWriter = opener
    }
    // As long as the sector is open; what only the other key may read follows.
    try read(depth.blocks(of: sector))
    if depth.contains(.trailerWriter) { try findOtherKey(of: sector) }
    if state.sectors[sector]?.other != nil { try read(depth.blocks(of: sector)) }
  }

  /// Finds what opens `sector`; nil when nothing does.
  @discardableResult
  mutating func open(_ sector: Sector) throws(ReaderError) -> KeyCandidate? {
    if let known = state.sectors[sector] { return known.opener }
    state.sectors[sector] = ClassicState.SectorState()
    let order = Self.unique(
      KeyCandidate.surveyOrder(keys: keys, expecting: expected) + intendedKeys(of: sector))
    guard var found = try first(of: order, in: sector) else { return nil }
    // A refusal may be a lost answer.
    if found.type == .b,
      let other = try first(of: order.filter { $0.type == .a }, in: sector, asking: 2)
    {
      found = other
    }
    note(found, opens: sector)
    return found
  }

  private func intendedKeys(of sector: Sector) -> [KeyCandidate] {
    guard let own = intended[sector] else { return [] }
    return [KeyCandidate(.a, own.keyA)] + (own.keyB.map { [KeyCandidate(.b, $0)] } ?? [])
  }

  /// Asks the likely keys once more of the sectors that stayed closed, and surveys in `depth` those
  /// that open: a refusal may be a lost exchange, which the chip reports as a wrong key.
  mutating func askAgain(_ depth: Depth) throws(ReaderError) {
    for sector in closedSectors {
      let keys = likelyKeys + [KeyCandidate(.b, .factory)] + intendedKeys(of: sector)
      guard let found = try first(of: keys, in: sector, asking: 2) else { continue }
      note(found, opens: sector)
      try survey(sector, depth)
    }
    guard depth.contains(.trailerWriter) else { return }
    for sector in state.geometry.sectors where state.lacksOtherKey(of: sector) {
      try findOtherKey(of: sector, asking: 2)
      if depth.contains(.data) { try read(sector.dataBlocks) }
    }
  }

  /// What opened sectors before, the public keys, and the operator's.
  var likelyKeys: [KeyCandidate] {
    let own = keys.flatMap { key in KeyType.allCases.map { KeyCandidate($0, key) } }
    return Self.unique(expected + [.factory, .nfc, .mad].map { KeyCandidate(.a, $0) } + own)
  }

  /// Sectors that were looked at, and that nothing opens.
  private var closedSectors: [Sector] {
    state.geometry.sectors.filter { sector in
      state.sectors[sector].map { $0.opener == nil && !$0.isDestroyed } ?? false
    }
  }

  private mutating func note(_ found: KeyCandidate, opens sector: Sector) {
    state.sectors[sector]?.opener = found
    // Key B may open the next sector, too, where key A is what readers use: that is asked for
    // first.
    guard found.type == .a else { return }
    expected.removeAll { $0 == found }
    expected.insert(found, at: 0)
    // A formatted directory sector promises formatted NFC sectors.
    if found.key == .mad { expected.insert(KeyCandidate(.a, .nfc), at: 0) }
  }

  /// Returns whether `sector` opens with `candidate`. Where anything odd opens it, the tag is asked
  /// again: a lost answer looks like a wrong key.
  mutating func opens(_ sector: Sector, with candidate: KeyCandidate) throws(ReaderError) -> Bool {
    let found = try open(sector)
    if found == candidate { return true }
    guard found != KeyCandidate(.a, .factory), try session.opens(sector, with: candidate) else {
      return false
    }
    state.sectors[sector]?.opener = candidate
    return true
  }

  /// The first of `candidates` that opens `sector` and gives it a right there; each is asked for
  /// `times` in this pass at most.
  func first(
    of candidates: some Sequence<KeyCandidate>, in sector: Sector, asking times: Int = 1
  ) throws(ReaderError) -> KeyCandidate? {
    for candidate in candidates where try session.opens(sector, with: candidate, asking: times) {
      // Key B opens a sector that lets key B be read, too, and is then refused everything
      // (MF1S50YYX_V1, 8.7.2).
      let isSafe = state.sectors[sector]?.trailer?.conditions.keyBIsReadable == false
      if candidate.type == .b, !isSafe, try session.readBlock(sector.trailer) == nil { continue }
      return candidate
    }
    return nil
  }

  /// Reads the trailer of `sector`. One that opens and, asked twice, shows nothing is destroyed.
  mutating func readTrailer(of sector: Sector) throws(ReaderError) {
    for _ in 1...2 {
      guard try reopen(sector) else { return }
      guard let bytes = try session.readBlock(sector.trailer),
        let trailer = try? SectorTrailer(parsing: bytes)
      else { continue }
      state.sectors[sector]?.trailer = trailer
      return try proveKeyB(of: sector)
    }
    state.sectors[sector]?.isDestroyed = true
  }

  /// Looks whether key B opens `sector` where this run has written it: it does not show.
  private mutating func proveKeyB(of sector: Sector) throws(ReaderError) {
    guard let sent = state.sentTrailer(of: sector), let trailer = state.sectors[sector]?.trailer,
      trailer.conditions == sent.conditions,
      sent.conditions.canUse(.b)
    else { return }
    // A refusal may be a lost answer.
    for _ in 1...2 where try session.opens(sector, with: KeyCandidate(.b, sent.keyB)) {
      state.sectors[sector]?.provedKeyB = sent.keyB
      return
    }
  }

  /// Looks whether `keys`, which a job gives `sector`, open it already.
  mutating func prove(_ keys: (keyA: Key, keyB: Key?), of sector: Sector) throws(ReaderError) {
    guard let known = state.sectors[sector], let trailer = known.trailer else { return }
    if known.opener != KeyCandidate(.a, keys.keyA),
      try session.opens(sector, with: KeyCandidate(.a, keys.keyA))
    {
      state.sectors[sector]?.provedKeyA = keys.keyA
    }
    guard let keyB = keys.keyB, known.provedKeyB == nil, trailer.conditions.canUse(.b),
      try session.opens(sector, with: KeyCandidate(.b, keyB))
    else { return }
    state.sectors[sector]?.provedKeyB = keyB
  }

  /// Finds the other key of `sector` where it has a right there that what opened the sector lacks:
  /// to change all of the trailer, or to read or write a data block.
  ///
  /// Keys are asked for `times` in this pass at most; a second time those that are likely there.
  mutating func findOtherKey(of sector: Sector, asking times: Int = 1) throws(ReaderError) {
    guard let known = state.sectors[sector], let trailer = known.trailer, let opener = known.opener
    else { return }
    let conditions = trailer.conditions
    if known.trailerWriter == nil, conditions.canChangeTrailer(with: opener.type) {
      state.sectors[sector]?.trailerWriter = opener
    }
    let type: KeyType = opener.type == .a ? .b : .a
    guard state.lacksOtherKey(of: sector) else { return }
    let own = intended[sector]?.keyB.map { [$0] } ?? []
    let rare = times == 1 ? [.nfc, .sampleB, .zeros, opener.key] : state.otherKeys(type)
    let candidates = (own + [.factory] + keys + rare).map { KeyCandidate(type, $0) }
    let found = try first(of: Self.unique(candidates), in: sector, asking: times)
    state.sectors[sector]?.other = found
    if known.trailerWriter == nil, conditions.canChangeTrailer(with: type) {
      state.sectors[sector]?.trailerWriter = found
    }
  }

  /// Learns from the trailer of `sector` whether its data can be written, and with which key where
  /// key A may not.
  mutating func findDataWriter(of sector: Sector) throws(ReaderError) {
    guard try open(sector) != nil else { return }
    if state.sectors[sector]?.trailer == nil { try readTrailer(of: sector) }
    if state.dataWriter(of: sector, blocks: sector.dataBlocks) == nil {
      try findOtherKey(of: sector)
    }
  }

  /// Reads `block`, and where what opened its sector may not, looks for the key that may.
  mutating func readWithAnyKey(_ block: Block) throws(ReaderError) {
    try read([block])
    guard state.blocks[block] == nil, state.sectors[block.sector]?.opener != nil else { return }
    if state.sectors[block.sector]?.trailer == nil { try readTrailer(of: block.sector) }
    try findOtherKey(of: block.sector)
    try read([block])
  }

  /// Reads those of `blocks` that are not known yet, all in one sector. What the tag refuses stays
  /// unknown.
  mutating func read(_ blocks: some Sequence<Block>) throws(ReaderError) {
    for block in blocks where state.blocks[block] == nil {
      let isOpen = try reopen(block.sector, toRead: block)
      state.blocks[block] = isOpen ? try session.readBlock(block) : nil
      if state.blocks[block] == nil { state.unshown.insert(block) }
    }
  }

  /// Opens a sector again with a key that may read `block`.
  private func reopen(_ sector: Sector, toRead block: Block? = nil) throws(ReaderError) -> Bool {
    guard let known = state.sectors[sector], !known.isDestroyed, let opener = known.opener else {
      return false
    }
    var candidate = opener
    if let block, known.trailer != nil {
      guard let reader = state.reader(of: block) else { return false }
      candidate = reader
    }
    // It has opened this sector before: a refusal is a lost answer.
    for _ in 1...2 where try session.authenticate(sector, candidate) { return true }
    return false
  }

  static func unique(_ candidates: [KeyCandidate]) -> [KeyCandidate] {
    var seen: Set<KeyCandidate> = []
    return candidates.filter { seen.insert($0).inserted }
  }
}
