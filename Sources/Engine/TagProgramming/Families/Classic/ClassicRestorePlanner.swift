import TagMemory

/// Plans the memory of a dump onto a MIFARE Classic: sector after sector, the one with the
/// directory last (first, where the dump has none), data before the trailer (after it, where that
/// ends the directory), everything read back before the sector is left. Trailers that can never be
/// changed again follow when everything else stands.
///
/// Never the manufacturer block; a trailer only with valid access bits and with both keys known,
/// and one that freezes its sector only with the operator's leave. Keys of zeros are what tags and
/// programs show in place of those not known.
struct ClassicRestorePlanner {
  let state: ClassicState
  let job: Restore

  /// The steps, and what the dump holds and the tag does not get.
  func plan() throws(JobFailure) -> (program: TagProgram, leftAlone: [TagDescription.Finding]) {
    guard case .classic(let geometry) = job.image.layout, geometry == state.geometry else {
      throw JobFailure(
        .classic(.dumpOfOtherType(byteCount: job.image.bytes.count, state.geometry)),
        remedy: .useTagOfDump)
    }
    var plan = try sectors()
    // Whoever reads the tag in the meantime finds an empty message, not one half of each.
    if plan.program.changesTag, let (steps, empty) = switchedOff() {
      plan = try ClassicRestorePlanner(state: empty, job: job).sectors()
      plan.program.steps = steps + plan.program.steps
    }
    return (plan.program, leftAlone(plan))
  }

  private func sectors() throws(JobFailure) -> Plan {
    let trailers = try trailers()
    var plan = Plan(program: TagProgram(.restore))
    for sector in order(state.geometry) { add(sector, trailers[sector], to: &plan) }
    plan.program.steps += plan.locks.steps
    guard plan.closed.isEmpty else { throw refusal(plan.closed.sorted()) }
    return plan
  }

  private struct Plan {
    var program: TagProgram
    /// What freezes sectors, last of all.
    var locks = TagProgram()
    var closed: [Sector] = []
    var unknownBlocks: [Block] = []
    var unknownTrailers: [Sector] = []
    var frozen: [Sector] = []
  }

  private func order(_ geometry: Geometry) -> [Sector] {
    let others = geometry.sectors.filter { $0 != .mad }.reversed()
    return job.image.directory(of: geometry) == nil ? [.mad] + others : others + [.mad]
  }

  /// The trailers that the dump holds whole. Throws for access bits that would destroy a sector.
  private func trailers() throws(JobFailure) -> [Sector: SectorTrailer] {
    if let block = job.image.invalidTrailer {
      throw JobFailure(
        .classic(.invalidAccessBits(block, isOfDump: true)), remedy: .correctDump)
    }
    return job.image.trailers(of: state.geometry)
  }

  // MARK: One sector

  private func add(_ sector: Sector, _ trailer: SectorTrailer?, to plan: inout Plan) {
    var missing: [TagProgram.BlockWrite] = []
    for block in sector.dataBlocks.reversed() {
      guard let wanted = job.image.row(Int(block.index)) else {
        plan.unknownBlocks.append(block)
        continue
      }
      if state.blocks[block] == wanted {
        plan.program.unchanged += 1
      } else {
        missing.append((block, wanted, .restored))
      }
    }
    if let trailer, goesFirst(trailer, in: sector, before: missing),
      let writer = state.sectors[sector]?.trailerWriter
    {
      return plan.program.addTrailer(trailer, of: sector, writer, then: missing)
    }
    guard plan.program.addData(missing, in: sector, from: state) else {
      return plan.closed.append(sector)
    }
    guard let trailer else {
      if !agrees(sector) { plan.unknownTrailers.append(sector) }
      return
    }
    guard !state.hasTrailer(trailer, in: sector) else {
      plan.program.unchanged += 1
      return
    }
    guard job.force || !trailer.conditions.isFrozen else { return plan.frozen.append(sector) }
    guard let writer = state.sectors[sector]?.trailerWriter else {
      return plan.closed.append(sector)
    }
    if trailer.conditions.isFrozen {
      plan.locks.addTrailer(trailer, of: sector, writer)
    } else {
      plan.program.addTrailer(trailer, of: sector, writer)
    }
  }

  /// Returns whether `trailer` goes before `data` of its sector: with it sector 0 has no directory
  /// any more, where one of its blocks alone would leave a wrong one; or the present one lets no
  /// key write them. One of its keys must be able to, and it must not freeze the sector.
  private func goesFirst(
    _ trailer: SectorTrailer, in sector: Sector, before data: [TagProgram.BlockWrite]
  ) -> Bool {
    guard !trailer.conditions.isFrozen, state.sectors[sector]?.isDestroyed != true,
      !state.hasTrailer(trailer, in: sector)
    else { return false }
    let endsDirectory =
      sector == .mad && trailer.generalPurposeByte.madVersion == nil
      && state.sectors[sector]?.trailer?.generalPurposeByte.madVersion != nil
      && trailer.conditions.allowsDataWrites(with: .a)
    let isShut = data.contains { state.dataWriter(of: sector, blocks: [$0.block]) == nil }
    return endsDirectory || isShut && trailer.writer(of: data.map(\.block)) != nil
  }

  /// Returns whether what the dump knows of a trailer is what the tag shows of it.
  private func agrees(_ sector: Sector) -> Bool {
    guard let found = state.sectors[sector]?.trailer?.serialize() else { return false }
    let row = job.image.rows[Int(sector.trailer.index)]
    return (6...9).allSatisfy { row[$0] == found[$0] }
  }

  // MARK: The message

  /// What switches off the message that is there, and the state after it; nil where there is none.
  private func switchedOff() -> ([TagProgram.Step], ClassicState)? {
    let seen = state.asRead
    guard let directory = seen.directory() else { return nil }
    let area = NDEFArea(directory.nfcSectors(on: state.geometry))
    guard let message = seen.scan(of: area).message, message.length != 0,
      let place = message.lengthOffsets.first.flatMap(area.location(of:)),
      var bytes = state.blocks[place.block],
      let writer = state.dataWriter(of: place.block.sector, blocks: [place.block])
    else { return nil }
    bytes[place.byte] = 0
    if place.byte + 1 < bytes.count { bytes[place.byte + 1] = 0xFE }
    var empty = state
    empty.blocks[place.block] = bytes
    return (
      [
        .authenticate(place.block.sector, writer), .writeBlock(place.block, bytes, .switchOff),
        .checkBlock(place.block, bytes.map { $0 }),
      ], empty
    )
  }

  // MARK: Words

  private func refusal(_ closed: [Sector]) -> JobFailure {
    let destroyed = closed.filter { state.sectors[$0]?.isDestroyed ?? false }
    if !destroyed.isEmpty {
      return JobFailure(.classic(.destroyed(destroyed)), remedy: .useAnotherTag)
    }
    let unopened = closed.filter { state.sectors[$0]?.opener == nil }
    return unopened.isEmpty
      ? ClassicRefusal.notChangeable(closed, state: state)
      : ClassicRefusal.unopened(unopened, state: state)
  }

  private func leftAlone(_ plan: Plan) -> [TagDescription.Finding] {
    var findings: [TagDescription.Finding] = []
    if let own = state.blocks[.manufacturer], let other = job.image.row(0), own != other {
      findings.append(
        .notRestored(
          "Block 0 of the dump belongs to another tag (UID \(job.image.uid)); it is not written."))
    }
    if !plan.unknownBlocks.isEmpty {
      let numbers = NumberRuns.list(plan.unknownBlocks.map { Int($0.index) })
      findings.append(.notRestored("Blocks not known to the dump, and not changed: \(numbers)."))
    }
    if !plan.unknownTrailers.isEmpty {
      findings.append(
        .notRestored(
          "\(ClassicWords.list(plan.unknownTrailers.sorted())): the dump does not know both keys, so keys and access "
            + "conditions stay as they are."))
    }
    if !plan.frozen.isEmpty {
      findings.append(
        .notRestored(
          "\(ClassicWords.list(plan.frozen.sorted())): the dump's access conditions could never be changed again, so they were "
            + "left out.", remedy: .permitForce))
    }
    return findings
  }
}
