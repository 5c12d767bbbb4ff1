import TagMemory

/// Which sectors become NFC sectors, and which directory names them.
extension ClassicFormatPlanner {
  /// The versions of the directory that may be written: the first that names enough sectors is.
  func madVersions(_ existing: MAD?) throws(JobFailure) -> [MAD.Version] {
    let geometry = state.geometry
    switch format.directory {
    case .automatic where keepsArea: return [existing?.version ?? geometry.madVersion]
    case .automatic where format.sectors == .fewest && geometry.contains(.secondMAD):
      return first.directory()?.version == .two ? [.two] : [.one, .two]
    case .automatic: return [geometry.madVersion]
    case .mad1:
      try requireNoneBeyond(existing)
      return [.one]
    case .mad2:
      guard geometry.contains(.secondMAD) else {
        throw JobFailure(
          .classic(.noSecondDirectory(geometry)), remedy: .useFirstDirectory)
      }
      return [.two]
    }
  }

  /// Refuses to drop other applications' sectors from a directory, which a MAD1 cannot name.
  private func requireNoneBeyond(_ existing: MAD?) throws(JobFailure) {
    let named = existing?.entries.filter { $0.aid.isForeign && $0.sector > .secondMAD } ?? []
    guard format.overwrite || named.isEmpty else {
      let names = Dictionary(uniqueKeysWithValues: named.map { ($0.sector, $0.aid) })
      throw JobFailure(.classic(.foreignDirectory(names)), remedy: .permitOverwrite)
    }
  }

  /// Is true if the area of an NDEF tag stays as large as it is.
  private var keepsArea: Bool { format.sectors == .usual || decided?.keptArea != nil }

  /// The NFC sectors, and those beside them that cannot be any.
  func sectors(_ version: MAD.Version, existing: MAD?)
    throws(JobFailure) -> (area: [Sector], unusable: Set<Sector>)
  {
    let all = state.geometry.nfcSectors(version)
    guard format.sectors == .fewest, !keepsArea else {
      let unusable = try unusable(of: all, version, existing: existing)
      return (try area(version, existing: existing, unusable: unusable), unusable)
    }
    // What lies behind the last sector that is needed does not matter, and may be unknown.
    var unusable: Set<Sector> = []
    while true {
      let area = try fewest(all, existing: existing, unusable: unusable)
      let near = all.filter { sector in area.last.map { sector <= $0 } ?? false }
      let lost = try self.unusable(of: near, version, existing: existing)
      if lost.isSubset(of: unusable) { return (area, lost) }
      unusable.formUnion(lost)
    }
  }

  /// The NFC sectors where every sector can be one.
  func firstSectors(_ version: MAD.Version) throws(JobFailure) -> [Sector] {
    let all = state.geometry.nfcSectors(version)
    guard format.sectors == .fewest else { return all }
    return try fewest(all, existing: nil, unusable: [])
  }

  /// Those of `sectors` that cannot become NFC sectors: destroyed or, with the operator's leave and
  /// where it was this job that closed them, closed to every key; with that leave, too, those of a
  /// tag that is no NDEF tag whose trailer no key may change.
  private func unusable(
    of sectors: [Sector], _ version: MAD.Version, existing: MAD?
  ) throws(JobFailure) -> Set<Sector> {
    guard isSurveyed else { return [] }
    let wanted = sectors + version.sectors
    let foreign = wanted.filter { existing?[$0]?.isForeign ?? false }
    let destroyed = wanted.filter { state.sectors[$0]?.isDestroyed ?? false }
    let unopened = wanted.filter {
      state.sectors[$0]?.opener == nil && existing?[$0] != .defect && !foreign.contains($0)
    }
    if let dead = version.sectors.first(where: { destroyed.contains($0) }) {
      throw JobFailure(
        .classic(.directoryDestroyed(dead)),
        remedy: dead == .secondMAD ? .useFirstSectors : .useAnotherTag)
    }
    if !unopened.isEmpty {
      let isDirectory = unopened.contains { version.sectors.contains($0) }
      let isOwn = try areOwn(unopened, version, existing: existing)
      guard format.overwrite || isOwn, !isDirectory else {
        throw ClassicRefusal.unopened(unopened, state: state)
      }
    }
    let defect = wanted.filter { existing?[$0] == .defect && state.sectors[$0]?.opener == nil }
    let stuck = sectors.filter { sector in
      let isGivenUp = existing.map { $0[sector] == .defect } ?? format.overwrite
      return isGivenUp && state.isStuck(sector)
    }
    return Set(destroyed + unopened + defect + stuck)
  }

  /// The NFC sectors: of a blank tag the longest run, of an NDEF tag the run that starts where its
  /// message does.
  private func area(_ version: MAD.Version, existing: MAD?, unusable: Set<Sector>)
    throws(JobFailure) -> [Sector]
  {
    let all = state.geometry.nfcSectors(version)
    let present = Set(existing?.nfcSectors(on: state.geometry) ?? [])
    let isFixed = keepsArea && !present.isEmpty
    let kept = all.filter {
      (existing?[$0]?.isForeign ?? false) || isFixed && !present.contains($0)
    }
    let excluded = unusable.union(kept)
    let first = existing?.nfcSectors(on: state.geometry).first
    let sectors: [Sector]
    if let first, !excluded.contains(first) {
      sectors = Array(all.drop { $0 != first }.prefix { !excluded.contains($0) })
    } else {
      sectors = state.geometry.nfcSectors(version, without: excluded)
    }
    guard !sectors.isEmpty else {
      throw JobFailure(.classic(.nothingToFormat(state.geometry)), remedy: .useAnotherTag)
    }
    return sectors
  }

  /// The first of `all` that take the message without a gap, and no fewer than an NDEF tag has, or
  /// one that lacks its directory alone.
  private func fewest(_ all: [Sector], existing: MAD?, unusable: Set<Sector>)
    throws(JobFailure) -> [Sector]
  {
    let excluded = unusable.union(all.filter { existing?[$0]?.isForeign ?? false })
    let present = existing?.nfcSectors(on: state.geometry) ?? []
    if let first = present.first, !excluded.contains(first) {
      let run = Array(all.drop { $0 != first }.prefix { !excluded.contains($0) })
      let leading = self.first.leading(of: NDEFArea(present))
      guard let needed = format.sectorCount(in: run, behind: leading) else { throw tooLong(run) }
      return Array(run.prefix(max(needed, present.count)))
    }
    let begun = existing == nil && isSurveyed ? orphans(of: NDEFArea(all)) : []
    let runs = all.split { excluded.contains($0) }.map(Array.init)
    for run in runs {
      guard let needed = format.sectorCount(in: run) else { continue }
      return Array(run.prefix(max(needed, run.prefix(while: begun.contains).count)))
    }
    throw tooLong(runs.max { NDEFArea($0).byteCount < NDEFArea($1).byteCount } ?? [])
  }

  private func tooLong(_ run: [Sector]) -> JobFailure {
    let bytes = format.messageBytes?.count ?? format.followingByteCount ?? 0
    return ClassicLayout.tooLong(
      byteCount: bytes, capacity: NDEFArea(run).capacity, geometry: state.geometry)
  }
}

extension ClassicFormat {
  /// How many sectors at the start of `run` take the message, or an empty one, behind `leading`;
  /// nil when all of them do not.
  func sectorCount(in run: [Sector], behind leading: [UInt8] = []) -> Int? {
    let wanted = messageBytes?.count ?? followingByteCount ?? 0
    return (1..<run.count + 1).first { count in
      let area = NDEFArea(run.prefix(count)).tlvArea
      return TLVLayout.capacity(of: area, leading: leading).map { $0 >= wanted } ?? false
    }
  }
}

extension ClassicState {
  /// Returns whether `sector` opens, is none for NFC, and no key that was tried may make it one.
  func isStuck(_ sector: Sector) -> Bool {
    guard let known = sectors[sector], known.opener != nil, known.trailer != nil,
      !known.isDestroyed, known.trailerWriter == nil
    else { return false }
    return !hasTrailer(.nfcReadWrite(keyB: .factory), in: sector, anyKeyB: true)
  }

  /// Returns whether `area`, that of an NDEF tag, has fewer sectors than `format` asks for.
  func lacksSectors(for format: ClassicFormat, in area: NDEFArea) -> Bool {
    switch format.sectors {
    case .usual: return false
    case .fewest:
      guard let message = format.messageBytes, let room = room(in: area) else {
        return false
      }
      return message.count > room
    case .all:
      let directory = directory()
      let all = geometry.nfcSectors(geometry.madVersion).drop { $0 != area.sectors.first }.prefix {
        directory?[$0] != .defect && directory?[$0]?.isForeign != true
      }
      return area.sectors.count < all.count
    }
  }
}
