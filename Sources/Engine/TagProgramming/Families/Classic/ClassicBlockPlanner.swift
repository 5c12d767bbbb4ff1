import TagMemory

/// Plans raw blocks onto a MIFARE Classic: sector by sector, data before the trailer, everything
/// read back before the sector is left, and both keys of a new trailer tried.
///
/// Never the manufacturer block, never a trailer with invalid access bits; other trailers and the
/// directory with the operator's leave. A block that holds its bytes already is not written.
struct ClassicBlockPlanner {
  let state: ClassicState
  let blocks: [Block: [UInt8]]
  /// The operator's permission to write trailers and the directory.
  let force: Bool

  /// The blocks that `job` writes; throws where they are not all blocks of this card that may ever
  /// be written.
  static func blocks(of job: BlockWrite, on geometry: Geometry) throws(JobFailure)
    -> [Block: [UInt8]]
  {
    let size = Block.byteCount
    guard !job.bytes.isEmpty, job.bytes.count.isMultiple(of: size) else {
      throw JobFailure(.classic(.noWholeBlocks(byteCount: job.bytes.count)))
    }
    let all = geometry.blocks
    let count = job.bytes.count / size
    guard job.start >= 0, count <= all.count, job.start <= all.count - count else {
      throw doNotFit(first: job.start, last: job.start &+ count &- 1, geometry)
    }
    guard job.start > 0 else {
      throw JobFailure(.classic(.manufacturerBlock), remedy: .startWithNextBlock)
    }
    let units = AreaUpdate.units(of: job.bytes, size: size)
    let blocks = Dictionary(uniqueKeysWithValues: zip(all[job.start..<job.start + count], units))
    for (block, bytes) in blocks.sorted(by: { $0.key < $1.key }) where block.isTrailer {
      guard (try? SectorTrailer(parsing: bytes)) == nil else { continue }
      throw JobFailure(
        .classic(.invalidAccessBits(block, isOfDump: false)), remedy: .correctAccessBits)
    }
    return blocks
  }

  private static func doNotFit(first: Int, last: Int, _ geometry: Geometry) -> JobFailure {
    JobFailure(
      .classic(.noSuchBlocks(first: first, last: last, geometry)), remedy: .stayWithinMemory)
  }

  /// The steps, and what a new trailer will do that can cost the operator a sector, in sentences.
  func plan() throws(JobFailure) -> (program: TagProgram, warnings: [String]) {
    let blocks = blocks.keys.sorted()
    if let first = blocks.first, let last = blocks.last, !state.geometry.contains(last) {
      throw Self.doNotFit(first: Int(first.index), last: Int(last.index), state.geometry)
    }
    let warnings = warnings(blocks)
    if !force, let block = blocks.first(where: needsLeave) {
      let costs = block.isTrailer ? trailer(of: block.sector)?.costs ?? [] : []
      throw JobFailure(.classic(.guardedBlock(block, costs)), remedy: .permitForce)
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
    guard unopened.isEmpty else { throw ClassicRefusal.unopened(unopened, state: state) }
    let destroyed = closed.filter { state.sectors[$0]?.isDestroyed == true }
    guard destroyed.isEmpty else {
      throw JobFailure(.classic(.destroyed(destroyed)), remedy: .useAnotherTag)
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    return (program, warnings.map(\.text))
  }

  // MARK: One sector

  /// False when a write is needed that no key found may do.
  private func add(_ sector: Sector, _ blocks: [Block], to program: inout TagProgram) -> Bool {
    let data = blocks.filter { !$0.isTrailer }
    let missing: [TagProgram.BlockWrite] = data.filter { state.blocks[$0] != self.blocks[$0] }
      .map { ($0, self.blocks[$0] ?? [], .raw(isIrreversible: false)) }
    program.unchanged += data.count - missing.count
    let trailer = trailer(of: sector).flatMap { trailer -> SectorTrailer? in
      guard !state.hasExactly(trailer, in: sector) else {
        program.unchanged += 1
        return nil
      }
      return trailer
    }
    let writer = state.sectors[sector]?.trailerWriter
    guard missing.isEmpty || program.addData(missing, in: sector, from: state) else {
      // The present trailer lets no key write them; the new one does.
      guard let trailer, let writer, state.sectors[sector]?.isDestroyed != true,
        trailer.writer(of: missing.map(\.block)) != nil
      else { return false }
      program.addTrailer(trailer, of: sector, writer, then: missing)
      return true
    }
    guard let trailer else { return true }
    guard state.sectors[sector]?.isDestroyed != true, let writer else { return false }
    program.addTrailer(trailer, of: sector, writer)
    return true
  }

  private func trailer(of sector: Sector) -> SectorTrailer? {
    blocks[sector.trailer].flatMap { try? SectorTrailer(parsing: $0) }
  }

  // MARK: What needs leave

  private func needsLeave(_ block: Block) -> Bool { block.isTrailer || isDirectory(block) }

  /// Blocks 1 and 2, and those of sector 16 where sector 0 says that there is a MAD2 or does not
  /// show what it says.
  private func isDirectory(_ block: Block) -> Bool {
    switch block.sector {
    case .mad: return true
    case .secondMAD:
      guard let byte = state.sectors[.mad]?.trailer?.generalPurposeByte else { return true }
      return byte.madVersion == .two
    default: return false
    }
  }

  /// Returns what the new trailers among `blocks` cost.
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
  /// Returns whether `sector` was seen to have this trailer with both its keys.
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
  /// What a sector with this trailer can never do again, and keys that look like a mistake.
  var costs: [TrailerCost] {
    var costs: [TrailerCost] = []
    if conditions.isFrozen { costs.append(.accessBitsStay) }
    let keysStay = TrailerPart.allCases.filter { $0 != .accessBits }.allSatisfy { part in
      KeyType.allCases.allSatisfy { !conditions.canWriteTrailer(part, with: $0) }
    }
    if keysStay { costs.append(.keysStay) }
    for (operation, cost) in [(DataOperation.read, TrailerCost.unreadable), (.write, .unwritable)] {
      let isShut = BlockGroup.allCases.contains { group in
        KeyType.allCases.allSatisfy { !conditions.allows(operation, group, with: $0) }
      }
      if isShut { costs.append(cost) }
    }
    if keyA == .zeros { costs.append(.zeroKey(.a)) }
    if keyB == .zeros, !conditions.keyBIsReadable { costs.append(.zeroKey(.b)) }
    return costs
  }
}
