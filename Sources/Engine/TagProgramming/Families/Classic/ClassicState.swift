import TagMemory

/// What was learnt of a MIFARE Classic.
struct ClassicState {
  /// What was learnt of one sector.
  struct SectorState {
    /// What opens it; nil when none of the keys tried does.
    var opener: KeyCandidate?
    /// What may change its trailer, where that is known.
    var trailerWriter: KeyCandidate?
    /// The other of the two keys than `opener`, found because it has a right there that
    /// the opener lacks.
    var other: KeyCandidate?
    /// Its trailer as it reads (keys as zeros); nil where it was not read.
    var trailer: SectorTrailer?
    /// Key A, where it was seen to open the sector beside what opened it first.
    var provedKeyA: Key?
    /// Key B, where it was seen to open the sector, whatever it may do there.
    var provedKeyB: Key?
    /// Is true if `trailerWriter` was found among the keys that a write gone wrong leaves: nobody
    /// chose it.
    var hasDamagedKeyB = false
    /// Is true if key A is not known, of a card that was not asked: a dump does not hold it.
    var lacksKeyA = false
    /// It opens, and then refuses every access: its access bits are invalid, for good.
    var isDestroyed = false
  }

  let geometry: Geometry
  /// What card it is, where that was looked at and its SAK says something else.
  var probed: ClassicSize?
  var sectors: [Sector: SectorState] = [:]
  /// What the data blocks hold, as far as they were read.
  var blocks: [Block: [UInt8]] = [:]
  /// The data blocks that were asked for and did not show.
  var unshown: Set<Block> = []
  /// The bytes behind the message that the run keeps; nil until the run has decided it.
  var behind: BehindMessage?
  /// What this run has sent to blocks, trailers too: see `meaning(of:)`.
  var sent: [Block: [UInt8]]

  init(geometry: Geometry, sent: [Block: [UInt8]] = [:]) {
    (self.geometry, self.sent) = (geometry, sent)
  }

  /// The directory, when its blocks were read and say that they are one. A directory with a wrong
  /// checksum is none, unless `verifyingChecksum` is false.
  func directory(verifyingChecksum: Bool = true) -> MAD? {
    guard let first = data(of: .mad) else { return nil }
    let isSecond = sectors[.mad]?.trailer?.generalPurposeByte.madVersion == .two
    return try? MAD(
      parsing: first, second: isSecond ? data(of: .secondMAD) : nil,
      verifyingChecksum: verifyingChecksum)
  }

  /// What all data blocks of `sector` count as, in a row; nil unless each is known.
  func data(of sector: Sector) -> [UInt8]? {
    var bytes: [UInt8] = []
    for block in sector.dataBlocks {
      guard let known = meaning(of: block) else { return nil }
      bytes += known
    }
    return bytes
  }

  /// The TLVs at the start of `area`, as far as its blocks are known.
  func scan(of area: NDEFArea) -> TLVScan { TLVScan(known(of: area), of: area.tlvArea) }

  /// What the bytes at the start of `area` count as, up to the first block that is not known.
  func known(of area: NDEFArea) -> [UInt8] {
    var bytes: [UInt8] = []
    for block in area.blocks {
      guard let known = meaning(of: block) else { break }
      bytes += known
    }
    return bytes
  }

  /// Sectors that can never be used again.
  var destroyedSectors: [Sector] {
    geometry.sectors.filter { sectors[$0]?.isDestroyed ?? false }
  }

  /// Returns whether `sector` was found to have this trailer: it opens with its key A, its access
  /// bits agree, and its key B shows or, where it may change the trailer, was proved. `anyKeyB`:
  /// one that does not show may be another, unless this run has written the trailer.
  func hasTrailer(_ wanted: SectorTrailer, in sector: Sector, anyKeyB: Bool = false) -> Bool {
    guard let known = sectors[sector], let trailer = known.trailer,
      known.opener == KeyCandidate(.a, wanted.keyA), trailer.agrees(with: wanted)
    else { return false }
    if wanted.conditions.keyBIsReadable { return trailer.keyB == wanted.keyB }
    if known.trailerWriter == KeyCandidate(.b, wanted.keyB) { return true }
    if sent[sector.trailer] != nil { return known.provedKeyB == wanted.keyB }
    if known.hasDamagedKeyB { return false }
    return anyKeyB || !wanted.conditions.canChangeTrailer(with: .b)
  }

  /// Key B of `sector`, where one was found that may change the trailer and that somebody chose.
  func keyB(of sector: Sector) -> Key? {
    guard let known = sectors[sector], !known.hasDamagedKeyB else { return nil }
    return known.trailerWriter.flatMap { $0.type == .b ? $0.key : nil }
  }
}
