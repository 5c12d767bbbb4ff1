import NDEF
import TagMemory

/// Plans a MIFARE Classic into an NDEF tag: its NFC sectors one by one, the directory last, so that
/// it is no NDEF tag before everything that the directory points at is there.
///
/// AN1304, 6.4; AN10787, 3. A tag that is one already gets what is missing.
struct ClassicFormatPlanner {
  let state: ClassicState
  let format: ClassicFormat
  /// Is true if every data block was looked at.
  let isSurveyed: Bool
  /// What this run went by when it first wrote: what was there then decides.
  var decided: ClassicDecision?

  /// What was there before this run wrote anything.
  var first: ClassicState { decided?.state ?? state }

  /// Is true if all of `first` was looked at.
  private var wasSurveyed: Bool { decided?.isSurveyed ?? isSurveyed }

  /// The steps, and the NDEF area that there will be.
  func plan() throws(JobFailure) -> (program: TagProgram, area: NDEFArea) {
    let existing = try acceptedDirectory()
    let versions = try madVersions(existing)
    for version in versions.dropLast() {
      do throws(JobFailure) {
        return try plan(version, existing)
      } catch {
        // The message may fit where the directory names more sectors.
        guard error.kind == .badInput else { throw error }
      }
    }
    return try plan(versions[versions.count - 1], existing)
  }

  private func plan(
    _ version: MAD.Version, _ existing: MAD?
  ) throws(JobFailure) -> (program: TagProgram, area: NDEFArea) {
    let (sectors, unusable) = try sectors(version, existing: existing)
    let area = NDEFArea(sectors)
    var directory = MAD(
      for: state.geometry, version: version, nfc: sectors, defect: unusable, keeping: existing)
    // One that a write was ended in has a wrong checksum, and may be known all the same.
    if existing != nil { directory = directory.keepingInfo(of: first.meaning) }
    let orphans = existing == nil && wasSurveyed ? orphans(of: area) : []
    let stays =
      try orphans.isEmpty ? messageStays(existing, in: area) : format.messageBytes == nil
    let content = stays ? repairs(of: area) : try self.content(of: area)
    var program = TagProgram(.format)
    if existing == nil, !format.overwrite {
      // A sector that this job destroyed moves the area: what it wrote where the area was is still
      // its own.
      let before = NDEFArea(try firstSectors(version))
      let started = try self.content(of: before)
      let beginnings = [(area, content), (before, started)].map { area, content in
        beginning(version, area.sectors, content: content, directory)
      }
      let wanted = format.sectors == .fewest ? sectors + version.sectors : state.geometry.sectors
      let own = unusable.union(orphans)
      if decided == nil {
        let filled = foreignData(
          in: wanted.filter { !own.contains($0) }, [content, started], directory, beginnings)
        guard filled.isEmpty else { throw ClassicRefusal.notBlank(filled, state: state) }
      }
      program.blindSpot = beginnings.first?.blindSpot.map(Place.block)
    }

    if let existing, !format.overwrite, decided == nil {
      let newcomers = newcomers(area, version, existing)
      let beginning = beginning(
        version, area.sectors.reversed().filter(newcomers.contains), content: content, directory)
      let filled = foreignData(in: newcomers, [content], directory, [beginning])
      guard filled.isEmpty else { throw ClassicRefusal.foreignData(filled, state: state) }
      program.blindSpot = beginning.blindSpot.map(Place.block)
    }
    program.soleCopies = Set(directory.soleCopies.map(Place.block))
    var closed: [Sector] = []
    // Under a directory that is there the first NFC sector is made last: as long as it is none,
    // whoever comes next finds that the tag is not whole.
    let isLed = existing != nil || leads(to: area)
    for sector in isLed ? sectors.reversed() : sectors {
      let data = content.filter { $0.block.sector == sector }
      let isDone = program.addSector(
        sector, data: data, trailer: .nfcReadWrite(keyB: keyB(of: sector)),
        anyKeyB: format.keyB == nil, from: state)
      if !isDone { closed.append(sector) }
    }
    for sector in version.sectors.reversed() {
      let data = directory.serialize().filter { $0.block.sector == sector }
        .map { (block: $0.block, bytes: $0.bytes, purpose: TagProgram.Purpose.directory) }
      // Locked with the message, it stays what it is.
      if state.isLocked(sector), state.sectors[sector]?.opener == KeyCandidate(.a, .mad),
        state.isReadableWithA(sector),
        data.allSatisfy({ state.blocks[$0.block] == $0.bytes })
      {
        program.unchanged += data.count + 1
        continue
      }
      let isDone = program.addSector(
        sector, data: data, trailer: .mad(version, keyB: keyB(of: sector)),
        anyKeyB: format.keyB == nil, from: state)
      if !isDone { closed.append(sector) }
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    program.showing = showing(
      program, in: area, isLed: isLed,
      last: stays ? .oldMessage : format.message == nil ? .emptyMessage : .newMessage)
    return (program, area)
  }

  /// Returns what readers find between the steps, and in the end `last`.
  ///
  /// Where no directory that they go by names the area, nothing before the directory is whole; else
  /// what the first sector holds, once its key is the public one. Between two writes of that
  /// directory they find half of it.
  private func showing(
    _ program: TagProgram, in area: NDEFArea, isLed: Bool, last: Shows
  ) -> Showing {
    let writes = program.steps.indices.filter { program.steps[$0].isWrite }
    let directory = writes.filter { program.steps[$0].purpose == .directory }
    guard let first = area.sectors.first, isLed, names(area) else {
      var showing = Showing(.notNDEF)
      // Readers go by a directory only where sector 0 opens with its public key, and its trailer
      // says that there is one.
      let isPublic = state.sectors[.mad]?.opener == KeyCandidate(.a, .mad)
      if let end = isPublic ? directory.last ?? writes.last : writes.last {
        showing.change(to: last, after: end)
      }
      return showing
    }
    let found = found(in: area, last: last)
    let isRead = state.isPublic(first) && state.sectors[first]?.isDestroyed == false
    var showing = Showing(isRead ? found : .notNDEF)
    let awaited = isRead ? area.blocks.first : first.trailer
    if let end = writes.first(where: { program.steps[$0].written?.place.block == awaited }) {
      showing.change(to: last, after: end)
    }
    if let begin = directory.first, let end = directory.last, begin < end {
      showing.change(to: .halfDirectory, after: begin)
      showing.change(to: last, after: end)
    }
    return showing
  }

  /// Returns whether the directory that is there names the start of `area`. Readers go by the first
  /// part of one whose second part is damaged.
  private func names(_ area: NDEFArea) -> Bool {
    let named = state.directory() ?? state.data(of: .mad).flatMap { try? MAD(parsing: $0) }
    return area.sectors.first.map { named?.nfcSectors(on: state.geometry).first == $0 } ?? false
  }

  /// Returns whether readers follow a directory to `area`.
  private func leads(to area: NDEFArea) -> Bool {
    state.sectors[.mad]?.opener == KeyCandidate(.a, .mad)
      && state.sectors[.mad]?.trailer?.generalPurposeByte.madVersion != nil && names(area)
  }

  /// Returns what the area shows, where readers find it: where this run has written its first
  /// block, what there is in the end.
  private func found(in area: NDEFArea, last: Shows) -> Shows {
    if state.scan(of: area).message == nil { return .noMessage }
    guard let first = area.blocks.first, state.sent[first] != nil else { return .oldMessage }
    return state.hasWrongFrame(in: area.sectors) ? .halfDirectory : last
  }

  /// The key B that `sector` gets: the one that is given; else the one that this run has sent, or
  /// that the sector has.
  private func keyB(of sector: Sector) -> Key {
    let sent = state.sentTrailer(of: sector)?.keyB
    return format.keyB ?? sent ?? state.keyB(of: sector) ?? .factory
  }

  // MARK: What is there

  /// The directory that is there, when it says that the tag is NDEF: then its area and its entries
  /// stay.
  ///
  /// One with a wrong checksum counts too, see `repairedDirectory`.
  private func acceptedDirectory() throws(JobFailure) -> MAD? {
    guard wasSurveyed else { return nil }
    // A second part that nobody reads may say whose the sectors are.
    if !format.overwrite, first.lacksSecondDirectory,
      first.sectors[.secondMAD]?.isDestroyed != true
    {
      let closed = MAD.Version.two.sectors.filter { first.data(of: $0) == nil }
      throw ClassicRefusal.unopened(closed, state: state)
    }
    guard let directory = first.directory() else {
      return format.overwrite ? nil : first.repairedDirectory()
    }
    if !directory.nfcSectors(on: state.geometry).isEmpty { return directory }
    guard !format.overwrite else { return nil }
    let foreign = directory.entries.filter { $0.aid.isForeign }
    guard foreign.isEmpty else {
      let names = Dictionary(uniqueKeysWithValues: foreign.map { ($0.sector, $0.aid) })
      throw JobFailure(.classic(.foreignDirectory(names)), remedy: .permitOverwrite)
    }
    return nil
  }

  /// Returns whether `closed` sectors are no other application's: this run has written their
  /// trailers; or it is one sector, which a formatting of a blank tag that was cut short had come
  /// to. That a directory calls a sector NFC says nothing of who closed it.
  func areOwn(_ closed: [Sector], _ version: MAD.Version, existing: MAD?)
    throws(JobFailure) -> Bool
  {
    if closed.allSatisfy({ state.sent[$0.trailer] != nil }) { return true }
    guard closed.count == 1, existing == nil else { return false }
    let area = NDEFArea(state.geometry.nfcSectors(version))
    let content = orphans(of: area).isEmpty ? try self.content(of: area) : []
    return beginning(version, area.sectors, content: content, nil).tornSector == closed[0]
  }

  /// The sectors at the start of `area` that lack nothing but a directory: they open with the NFC
  /// key, and a whole message lies in them, which stays.
  func orphans(of area: NDEFArea) -> Set<Sector> {
    let sectors = area.sectors.prefix { first.sectors[$0]?.opener?.key == .nfc }
    return first.message(of: NDEFArea(sectors)) == nil ? [] : Set(sectors)
  }

  // MARK: What is to be there

  private typealias Content = [(block: Block, bytes: [UInt8], purpose: TagProgram.Purpose)]

  /// Returns whether the message that the tag holds, an empty one too, stays: none is given, and it
  /// lies within `area`.
  private func messageStays(_ existing: MAD?, in area: NDEFArea) throws(JobFailure) -> Bool {
    guard let existing, format.messageBytes == nil else { return false }
    let old = NDEFArea(existing.nfcSectors(on: state.geometry))
    let scan = state.scan(of: old)
    if scan.message == nil, case .needs(let count) = scan.progress {
      guard let block = old.blocks(holding: 0..<count).last, !isLost(block.sector) else {
        return false
      }
      guard let obstacle = state.content(of: old).obstacle else {
        throw JobFailure(.classic(.messageNotShown(block)), remedy: .runAgainOnce)
      }
      if format.overwrite { return false }
      guard obstacle.opener == .nothing else { throw JobFailure(unreadable: obstacle) }
      throw JobFailure(.classic(.messageNotShown(block)), remedy: .permitOverwrite)
    }
    // A length that runs beyond the area is no message.
    guard let message = scan.message, let end = message.endOffset else { return false }
    guard message.length == 0 || isDecodable(message) else {
      guard format.overwrite || format.replacesMessage else { throw undecodable(message) }
      return false
    }
    if old.blocks.first == area.blocks.first, end <= area.byteCount { return true }
    let isWhole = old.blocks(holding: 0..<end).allSatisfy { !isLost($0.sector) }
    guard format.overwrite || format.replacesMessage || message.length == 0 || !isWhole else {
      throw JobFailure(
        .classic(.messageOutgrowsArea(byteCount: message.length, area: area.byteCount)),
        remedy: .permitOverwrite)
    }
    return false
  }

  /// Returns whether readers can decode `message`; one that was not read whole counts as such.
  private func isDecodable(_ message: TLVScan.Block) -> Bool {
    message.value.map { (try? Message(parsing: $0)) != nil } ?? true
  }

  private func undecodable(_ message: TLVScan.Block) -> JobFailure {
    JobFailure(
      .classic(.undecodableMessage(byteCount: message.length)), remedy: .rewriteMessage)
  }

  /// Returns whether nothing opens `sector`, or its access bits are invalid.
  private func isLost(_ sector: Sector) -> Bool {
    state.sectors[sector].map { $0.isDestroyed || $0.opener == nil } ?? false
  }

  /// The data blocks of `area` that a write of this run went wrong in, with what was sent to them.
  private func repairs(of area: NDEFArea) -> Content {
    area.blocks.filter(state.isWrong).map { ($0, state.sent[$0] ?? [], .content) }
  }

  /// The writes of a formatting of a blank tag, in their order; without a directory those of the
  /// NFC sectors.
  private func beginning(
    _ version: MAD.Version, _ sectors: [Sector], content: Content, _ directory: MAD?
  ) -> ClassicBeginning {
    var beginning = ClassicBeginning(state: state)
    for sector in sectors {
      beginning.add(sector, data: content.map { ($0.block, $0.bytes) }, keyA: .nfc)
    }
    for sector in directory == nil ? [] : version.sectors.reversed() {
      beginning.add(sector, data: directory?.serialize() ?? [], keyA: .mad)
    }
    return beginning
  }

  /// The data blocks to hold something: the message that is given, or an empty one.
  private func content(of area: NDEFArea) throws(JobFailure) -> Content {
    let bytes =
      try format.messageBytes.map { message throws(JobFailure) in
        try ClassicLayout.bytes(of: message, in: area, geometry: state.geometry)
      } ?? [0x03, 0x00, 0xFE]
    return zip(area.blocks, AreaUpdate.units(of: bytes, size: Block.byteCount)).enumerated()
      .map { index, unit in
        (unit.0, unit.1, index == 0 && format.message != nil ? .switchOn : .content)
      }
  }

  /// The sectors that are to be the NDEF area's or the directory's, and are neither under
  /// `existing`.
  private func newcomers(_ area: NDEFArea, _ version: MAD.Version, _ existing: MAD) -> [Sector] {
    (area.sectors + version.sectors).filter {
      existing[$0] != .nfc && !existing.version.sectors.contains($0)
        && state.sectors[$0]?.isDestroyed != true
    }
  }

  /// The blocks of `sectors` that hold anything but zeros or the beginnings of this very job.
  private func foreignData(
    in sectors: [Sector], _ contents: [Content], _ directory: MAD,
    _ beginnings: [ClassicBeginning]
  ) -> [Block] {
    let torn = beginnings.compactMap(\.tornBlock)
    var own: [Block: [[UInt8]]] = [:]
    for (block, bytes) in directory.serialize() { own[block, default: []].append(bytes) }
    for (block, bytes, _) in contents.flatMap(\.self) { own[block, default: []].append(bytes) }
    let empty: [UInt8] = [0x03, 0x00, 0xFE] + [UInt8](repeating: 0, count: 13)
    return sectors.flatMap(\.dataBlocks).filter { block in
      guard state.sent[block] == nil, !torn.contains(block) else { return false }
      guard let found = state.blocks[block] else { return true }
      return found != empty && !Tolerance.isBlank(found, orPartOf: nil)
        && !(own[block] ?? []).contains { Tolerance.isBlank(found, orPartOf: $0) }
        && !ClassicLayout.isDirectoryOfNFC(found, at: block)
    }
  }
}
