import TagMemory

/// Plans raw blocks onto a MIFARE Classic: sector by sector, data before the trailer, everything read back before the sector is
/// left, and both keys of a new trailer tried.
///
/// Never the manufacturer block, never a trailer with invalid access bits; other trailers and the directory with the operator's
/// leave. A block that holds its bytes already is not written.
struct ClassicBlockPlanner {
  let state: ClassicState
  let blocks: [Block: [UInt8]]
  /// The operator's leave to write trailers and the directory.
  let force: Bool

  /// The blocks that `job` writes; throws where they are not all blocks of this card that may ever be written.
  static func blocks(of job: BlockWrite, on geometry: Geometry) throws(ProgramFailure)
    -> [Block: [UInt8]]
  {
    let size = Block.byteCount
    guard !job.bytes.isEmpty, job.bytes.count.isMultiple(of: size) else {
      throw ProgramFailure(
        .badInput, "Blocks have 16 bytes each; \(job.bytes.count) bytes were given.",
        tagHolds: "unchanged.")
    }
    let all = geometry.blocks
    let count = job.bytes.count / size
    guard job.start >= 0, count <= all.count, job.start <= all.count - count else {
      throw doNotFit(first: job.start, last: job.start &+ count &- 1, geometry)
    }
    guard job.start > 0 else {
      throw ProgramFailure(
        .badInput,
        "Block 0 is the manufacturer block: it holds the UID, and no MIFARE Classic lets it be written.",
        tagHolds: "unchanged.", next: "start with block 1 or later.")
    }
    let units = AreaUpdate.units(of: job.bytes, size: size)
    let blocks = Dictionary(uniqueKeysWithValues: zip(all[job.start..<job.start + count], units))
    for (block, bytes) in blocks.sorted(by: { $0.key < $1.key }) where block.isTrailer {
      guard (try? SectorTrailer(parsing: bytes)) == nil else { continue }
      throw ProgramFailure(
        .badInput,
        "Bytes 6 to 8 for \(block) are invalid access bits: with them \(block.sector) would be lost for ever.",
        tagHolds: "unchanged.", next: "correct the access bits.")
    }
    return blocks
  }

  private static func doNotFit(first: Int, last: Int, _ geometry: Geometry) -> ProgramFailure {
    ProgramFailure(
      .badInput,
      "This card has the \(geometry.blocks.count) blocks of a \(geometry), 0 to \(geometry.blocks.count - 1); "
        + (first == last
          ? "block \(first) is not there." : "blocks \(first) to \(last) are not all there."),
      tagHolds: "unchanged.")
  }

  /// The steps, and what a new trailer will do that can cost the operator a sector, in sentences.
  func plan() throws(ProgramFailure) -> (program: TagProgram, warnings: [String]) {
    let blocks = blocks.keys.sorted()
    if let first = blocks.first, let last = blocks.last, !state.geometry.contains(last) {
      throw Self.doNotFit(first: Int(first.index), last: Int(last.index), state.geometry)
    }
    let warnings = warnings(blocks)
    if !force, let block = blocks.first(where: needsLeave) {
      let own = warnings.filter { $0.block == block }.map(\.text)
      throw ProgramFailure(
        .badInput, ([purpose(of: block)] + own).joined(separator: " "), tagHolds: "unchanged.",
        next: "pass --force if you mean it.")
    }
    var program = TagProgram()
    var (unopened, closed): ([Sector], [Sector]) = ([], [])
    for sector in Set(blocks.map(\.sector)).sorted() {
      let isOpen = state.sectors[sector]?.opener != nil
      if !isOpen {
        unopened.append(sector)
      } else if !add(sector, blocks.filter { $0.sector == sector }, to: &program) {
        closed.append(sector)
      }
    }
    guard unopened.isEmpty else { throw ClassicWords.unopened(unopened, state: state) }
    let destroyed = closed.filter { state.sectors[$0]?.isDestroyed == true }
    guard destroyed.isEmpty else {
      throw ProgramFailure(
        .refused,
        "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
        tagHolds: "unchanged.", next: "use another tag.")
    }
    guard closed.isEmpty else { throw ClassicWords.notChangeable(closed, state: state) }
    return (program, warnings.map(\.text))
  }

  // MARK: One sector

  /// False when a write is needed that no key found may do.
  private func add(_ sector: Sector, _ blocks: [Block], to program: inout TagProgram) -> Bool {
    let data = blocks.filter { !$0.isTrailer }
    let missing = data.filter { state.blocks[$0] != self.blocks[$0] }
    program.unchanged += data.count - missing.count
    if !missing.isEmpty {
      guard state.sectors[sector]?.isDestroyed != true,
        let writer = state.dataWriter(of: sector, blocks: missing)
      else { return false }
      program.steps.append(.authenticate(sector, writer))
      program.steps += missing.map {
        .writeBlock($0, self.blocks[$0] ?? [], .raw(isIrreversible: false))
      }
      // Whoever may write a block may read it (MF1S50YYX_V1, 8.7.3).
      program.steps += missing.map { .checkBlock($0, (self.blocks[$0] ?? []).map { $0 }) }
    }
    guard let trailer = trailer(of: sector) else { return true }
    guard !state.hasExactly(trailer, in: sector) else {
      program.unchanged += 1
      return true
    }
    guard state.sectors[sector]?.isDestroyed != true,
      let writer = state.sectors[sector]?.trailerWriter
    else { return false }
    program.addTrailer(trailer, of: sector, writer)
    return true
  }

  private func trailer(of sector: Sector) -> SectorTrailer? {
    blocks[sector.trailer].flatMap { try? SectorTrailer(parsing: $0) }
  }

  // MARK: What needs leave

  private func needsLeave(_ block: Block) -> Bool { block.isTrailer || isDirectory(block) }

  /// Blocks 1 and 2, and those of sector 16 where sector 0 says that there is a MAD2 or does not show what it says.
  private func isDirectory(_ block: Block) -> Bool {
    switch block.sector {
    case .mad: return true
    case .secondMAD:
      guard let byte = state.sectors[.mad]?.trailer?.generalPurposeByte else { return true }
      return byte.madVersion == .two
    default: return false
    }
  }

  private func purpose(of block: Block) -> String {
    block.isTrailer
      ? "\(block.capitalized) is a sector trailer: keys and access conditions of \(block.sector.description.lowercased())."
      : "\(block.capitalized) belongs to the MIFARE application directory, in which readers look for the message."
  }

  /// What the new trailers among `blocks` cost.
  private func warnings(_ blocks: [Block]) -> [(block: Block, text: String)] {
    blocks.filter(\.isTrailer).flatMap { block in
      guard let trailer = trailer(of: block.sector) else { return [(block: Block, text: String)]() }
      return trailer.costs.map { (block, "\(block.capitalized): \($0).") }
    }
  }
}

extension Block {
  fileprivate var capitalized: String { "Block \(index)" }
}

extension ClassicState {
  /// Whether `sector` was seen to have this trailer with both its keys.
  func hasExactly(_ wanted: SectorTrailer, in sector: Sector) -> Bool {
    guard let known = sectors[sector], let trailer = known.trailer,
      known.opener == KeyCandidate(.a, wanted.keyA) || known.provedKeyA == wanted.keyA,
      trailer.agrees(with: wanted)
    else { return false }
    return wanted.conditions.keyBIsReadable
      ? trailer.keyB == wanted.keyB : known.provedKeyB == wanted.keyB
  }
}

extension SectorTrailer {
  /// What a sector with this trailer can never do again, and keys that look like a mistake: parts of sentences.
  var costs: [String] {
    var costs: [String] = []
    if conditions.isFrozen {
      costs.append("the access bits freeze the sector, and can never be changed again")
    }
    let keysStay = TrailerPart.allCases.filter { $0 != .accessBits }.allSatisfy { part in
      KeyType.allCases.allSatisfy { !conditions.canWriteTrailer(part, with: $0) }
    }
    if keysStay { costs.append("its keys can be changed by nobody") }
    for (operation, verb) in [(DataOperation.read, "read"), (.write, "written")] {
      let isShut = BlockGroup.allCases.contains { group in
        KeyType.allCases.allSatisfy { !conditions.allows(operation, group, with: $0) }
      }
      if isShut { costs.append("data blocks can be \(verb) by nobody") }
    }
    if keyA == .zeros {
      costs.append("key A becomes all zeros, which is what a trailer shows in its place")
    }
    if keyB == .zeros, !conditions.keyBIsReadable {
      costs.append("key B becomes all zeros, which is what a trailer shows in its place")
    }
    return costs
  }
}
