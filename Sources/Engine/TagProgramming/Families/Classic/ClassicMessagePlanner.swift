import TagMemory

/// Plans a message onto a MIFARE Classic that is an NDEF tag already.
struct ClassicMessagePlanner {
  let state: ClassicState
  /// The NFC sectors that the directory names.
  let area: NDEFArea
  let message: [UInt8]
  /// The operator's word that TLVs of others may be lost.
  var overwrites = false

  func plan() throws(JobFailure) -> TagProgram {
    let scan = state.scan(of: area)
    // What stands before a message stays, unless the operator gives it up; where there is none it
    // starts the area.
    let isGivenUp = overwrites && !state.foreignTLVs(before: area).isEmpty
    let leading = isGivenUp ? [] : state.leading(of: area)
    let layout: TLVLayout
    do {
      layout = try TLVLayout(message: message, in: area.tlvArea, leading: leading)
    } catch {
      throw ClassicLayout.tooLong(
        byteCount: message.count,
        capacity: TLVLayout.capacity(of: area.tlvArea, leading: leading),
        geometry: state.geometry,
        canGrow: state.lacksSectors(for: ClassicFormat(), in: area))
    }
    let known = state.known(of: area)
    let behind = state.behind ?? BehindMessage()
    let others = overwrites ? nil : behind.others
    let end = others == nil ? layout.endOffset : layout.terminatorOffset ?? layout.endOffset
    if let others, end > others {
      throw JobFailure(
        .classic(.othersBehind(area.blocks[others / Block.byteCount])), remedy: .permitOverwrite)
    }
    let bytes = behind.filling(
      Array(layout.applied(to: leading).prefix(end)), known, size: Block.byteCount,
      overwrite: overwrites)
    let length = scan.message.flatMap(seenLength)
    var units: [Int: [UInt8]] = [:]
    for (unit, block) in area.blocks.enumerated() { units[unit] = state.blocks[block] }
    var current = AreaUpdate.Current(units: units, length: length)
    current.others = others.map { ($0, layout.area) }
    let update = AreaUpdate(
      from: current,
      to: AreaUpdate.Desired(
        bytes: bytes, messageStart: layout.tagOffset,
        valueStart: (layout.lengthOffsets.last ?? layout.tagOffset) + 1),
      unitSize: Block.byteCount)
    return try program(for: update, behind: leading)
  }

  /// Where the length of `message` stands; nil where readers may find another one there: a write of
  /// this run went wrong, or never reached the tag.
  private func seenLength(of message: TLVScan.Block) -> (offset: Int, isOn: Bool)? {
    guard let first = message.lengthOffsets.first, let last = message.lengthOffsets.last,
      !area.blocks(holding: 0..<last + 1).contains(where: state.isWrong)
    else { return nil }
    return (first, message.length != 0)
  }

  private func program(for update: AreaUpdate, behind leading: [UInt8]) throws(JobFailure)
    -> TagProgram
  {
    var program = TagProgram(.message)
    program.unchanged = update.unchanged
    program.soleCopies = Set(area.blocks(holding: 0..<leading.count).map(Place.block))
    var showing = Showing(update.shows)
    var open: (sector: Sector, key: KeyCandidate)?
    var final: [Block: [UInt8]] = [:]
    func enter(_ sector: Sector, with key: KeyCandidate) {
      guard open?.sector != sector || open?.key != key else { return }
      program.steps.append(.authenticate(sector, key))
      open = (sector, key)
    }
    let written = update.writes.map { area.blocks[$0.unit] }
    for write in update.writes {
      let block = area.blocks[write.unit]
      let others = written.filter { $0.sector == block.sector }
      guard let key = writer(of: block, beside: others) else {
        throw ClassicRefusal.notWritable(block, state: state)
      }
      enter(block.sector, with: key)
      showing.change(to: write.shows, after: program.steps.count)
      program.steps.append(.writeBlock(block, write.bytes, TagProgram.Purpose(write.role)))
      final[block] = write.bytes
    }
    program.showing = showing
    for (block, bytes) in final.sorted(by: { $0.key < $1.key }) {
      if open?.sector != block.sector {
        enter(block.sector, with: state.sectors[block.sector]?.opener ?? KeyCandidate(.a, .nfc))
      }
      program.steps.append(.checkBlock(block, bytes))
    }
    return program
  }

  /// The key that writes `block`: one that may write all of `others`, blocks of its sector, where
  /// there is one. Each block has access conditions of its own.
  private func writer(of block: Block, beside others: [Block]) -> KeyCandidate? {
    guard state.sectors[block.sector] != nil else { return KeyCandidate(.a, .nfc) }
    return state.dataWriter(of: block.sector, blocks: others)
      ?? state.dataWriter(of: block.sector, blocks: [block])
  }
}
