import Bytes
import TagMemory

/// What `info` says of a MIFARE Classic that was read as far as the keys known allow.
struct ClassicDescription {
  let state: ClassicState
  /// The card; nil where a dump of it alone is there.
  let target: Target?

  /// For a job that shows the tag, dumps it or rewrites all of it.
  func description(for job: Job?) -> TagDescription {
    var description = TagDescription()
    switch job {
    case .info: return whole
    case .dump:
      description = whole
      (description.memory, description.details) = ([], [])
      description.noteUnknown(state)
    case .read:
      description = whole
      (description.details, description.dump) = ([], nil)
    case .resetClassic, .eraseClassic:
      description.noteArea(of: state)
      description.noteSize(state)
      description.noteDestroyed(state.destroyedSectors, isMarked: false)
    default:
      description.noteArea(of: state)
      description.noteSize(state)
      description.noteDestroyed(of: state)
    }
    return description
  }

  private var whole: TagDescription {
    var description = TagDescription.withoutMessage
    description.noteSize(state)
    description.details += [
      TagDescription.Detail("memory", memory),
      TagDescription.Detail("keys", keys),
    ]
    describeDirectory(&description)
    describeSectors(&description)
    description.memory = state.geometry.blocks.map { block in
      let trailer = block.isTrailer ? state.sectors[block.sector]?.trailer : nil
      return MemoryRow(
        label: "Block \(block.index)", bytes: state.blocks[block] ?? trailer?.serialize())
    }
    description.dump = target.flatMap(state.dump)
    description.hold(state.content)
    return description
  }

  /// What the card has and, where its SAK says less, what it is used as.
  private var memory: String {
    let used = Self.memory(of: state.geometry)
    guard let probed = state.probed, !probed.isSmaller else { return used }
    return "\(Self.memory(of: probed.geometry)); the card says \(used)"
  }

  private static func memory(of geometry: Geometry) -> String {
    "\(geometry.blocks.count * Block.byteCount) bytes in \(geometry.sectorCount) sectors"
  }

  private var keys: String {
    let found = Dictionary(grouping: state.geometry.sectors) { state.sectors[$0]?.opener }
    return found.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
      .map { opener, sectors in
        let what = opener.map { "\($0)" } ?? "no key known"
        return "\(ClassicWords.list(sectors).lowercased()): \(what)"
      }
      .joined(separator: "; ")
  }

  private func describeDirectory(_ description: inout TagDescription) {
    let general = state.sectors[.mad]?.trailer?.generalPurposeByte
    guard let version = general?.madVersion else {
      description.details.append(TagDescription.Detail("directory", "none"))
      let named = state.directory()?.nfcSectors(on: state.geometry) ?? []
      if let general, !named.isEmpty {
        description.findings.append(
          TagDescription.Finding(
            "mad-missing",
            "\(ClassicWords.list(named)) named NFC by a directory that readers do not look at: the general purpose byte "
              + "of sector 0, \(general), says that there is none.",
            remedy: .formatAgain))
        return
      }
      let formatted = state.geometry.sectors.filter { state.sectors[$0]?.opener?.key == .nfc }
      if !formatted.isEmpty {
        description.findings.append(
          TagDescription.Finding(
            "mad-missing",
            "\(ClassicWords.list(formatted)) formatted for NFC, but no directory lists them: formatting "
              + "was interrupted.", remedy: .formatAgain))
      }
      return
    }
    guard let directory = state.directory(verifyingChecksum: false) else {
      description.details.append(TagDescription.Detail("directory", "cannot be read"))
      return
    }
    let isValid = state.directory() != nil
    if !isValid {
      description.findings.append(
        TagDescription.Finding(
          "mad-crc",
          "The directory's checksum is wrong, so readers find no application.",
          remedy: .formatAgain))
    }
    let sectors = directory.nfcSectors(on: state.geometry)
    let free = directory.entries.filter { $0.aid == .free && state.geometry.contains($0.sector) }
      .map(\.sector)
    description.details.append(
      TagDescription.Detail(
        "directory",
        "MAD\(version.rawValue), "
          + (version == directory.version ? "" : "\(secondPart), ")
          + (sectors.isEmpty
            ? "no NFC sectors" : "NFC in \(ClassicWords.list(sectors).lowercased())")
          + (free.isEmpty ? "" : "; free: \(ClassicWords.list(free).lowercased())")))
    let stray = directory.strayNFCSectors(on: state.geometry)
    if !stray.isEmpty {
      description.findings.append(
        TagDescription.Finding(
          "mad-gap", "\(ClassicWords.list(stray)) named NFC behind a gap: readers stop before."))
    }
    if isValid, !sectors.isEmpty { describeArea(NDEFArea(sectors), &description) }
  }

  /// What became of the second part of a MAD2 that is not there.
  private var secondPart: String {
    guard state.geometry.contains(.secondMAD) else {
      return "whose second part this card cannot have"
    }
    return "whose second part in sector 16 does not show"
  }

  private func describeArea(_ area: NDEFArea, _ description: inout TagDescription) {
    let closed = area.sectors.filter { sector in
      state.sectors[sector].map { $0.opener?.key != .nfc && !$0.lacksKeyA } ?? true
    }
    if !closed.isEmpty {
      description.findings.append(
        TagDescription.Finding(
          "sector-key",
          "\(ClassicWords.list(closed)) named NFC by the directory, but the NFC key does not open "
            + "\(closed.count == 1 ? "it" : "them").",
          remedy: .formatAgain))
    }
    let unread = area.sectors.filter { sector in
      !closed.contains(sector) && state.sectors[sector]?.isDestroyed == false
        && sector.dataBlocks.contains { state.closer(of: $0, to: .nfc) != nil }
    }
    if !unread.isEmpty {
      description.findings.append(
        TagDescription.Finding(
          "sector-key",
          "\(ClassicWords.list(unread)) named NFC by the directory, but the NFC key may not read "
            + "\(unread.count == 1 ? "it" : "them").",
          remedy: unread.allSatisfy { state.sectors[$0]?.trailerWriter != nil }
            ? .formatAgain : nil))
    }
    let known = area.blocks.prefix { state.blocks[$0] != nil }.flatMap { state.blocks[$0] ?? [] }
    let scan = TLVScan(known, of: area.tlvArea)
    guard let access = state.status(of: area) else { return }
    description.access = access
    description.closed = state.closed(area)
    description.isLocked = area.sectors.allSatisfy(state.isLocked)
    description.capacity = state.capacity(of: area)
    description.noteDirectoryByte(of: state)
    description.noteSectorBytes(of: state, in: area)
    description.findings += scan.faults.map { TagDescription.Finding($0.code, "\($0)") }
  }

  private func describeSectors(_ description: inout TagDescription) {
    description.noteDestroyed(of: state)
    let frozen = state.geometry.sectors.filter {
      state.sectors[$0]?.trailer?.conditions.isFrozen ?? false
    }
    if !frozen.isEmpty {
      description.findings.append(
        TagDescription.Finding(
          "sector-frozen", "\(ClassicWords.list(frozen)) can never get other access conditions."))
    }
  }
}

extension TagDescription {
  /// Names destroyed sectors on a tag whose directory marks them, or has been made to.
  mutating func noteDestroyed(_ sectors: [Sector], isMarked: Bool) {
    noteDestroyed(sectors, isMarked ? .set : .impossible)
  }

  /// Says whether the directory says of a destroyed sector that it cannot be used.
  private enum Mark {
    /// The sector is the directory's own, or the card is to have no directory.
    case impossible
    case set
    case missing
  }

  /// Names sectors that are no part of the message area because nothing opens them.
  mutating func noteClosed(_ sectors: [Sector]) {
    guard !sectors.isEmpty else { return }
    findings.append(
      Finding(
        "sector-closed",
        "\(ClassicWords.list(sectors)) closed: no key tried opens \(sectors.count == 1 ? "it" : "them"), so no message can lie there."
      ))
  }

  /// Says what card it is where its SAK says something else.
  mutating func noteSize(_ state: ClassicState) {
    guard let probed = state.probed else { return }
    product = probed.product
    findings.append(
      Finding(
        "card-size",
        probed.isSmaller
          ? "The card identifies itself as a \(probed.label), but no sector opens behind those of a \(probed.product.displayName): it is treated "
            + "as one."
          : "The card identifies itself as a \(probed.label), but has the memory of a \(probed.product.displayName). Readers go by what it "
            + "calls itself, and so does the directory."))
  }

  /// Names the destroyed sectors, and what its directory makes of them.
  mutating func noteDestroyed(of state: ClassicState) {
    let directory = state.namedDirectory
    let groups = Dictionary(grouping: state.destroyedSectors) { sector -> Mark in
      if MAD.Version.two.sectors.contains(sector) { return .impossible }
      return directory?[sector] == .defect ? .set : .missing
    }
    for (mark, sectors) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      noteDestroyed(sectors, mark)
    }
  }

  private mutating func noteDestroyed(_ sectors: [Sector], _ mark: Mark) {
    guard !sectors.isEmpty else { return }
    let remark = mark == .set ? "; the directory marks these sectors as unusable" : ""
    findings.append(
      Finding(
        "sector-destroyed",
        "\(ClassicWords.list(sectors)) \(sectors.count > 1 ? "are" : "is") permanently destroyed: the access bits are invalid\(remark).",
        remedy: mark == .missing ? .formatAgain : nil))
  }
}

extension ClassicState {
  /// The sectors that a formatting has to do without because nothing opens them, other
  /// applications' aside.
  func closedSectors(for format: ClassicFormat) -> [Sector] {
    let version = format.directory == .mad1 ? .one : geometry.madVersion
    // One that names no NFC sector is replaced, and keeps nobody's.
    let directory = directory().flatMap { $0.nfcSectors(on: geometry).isEmpty ? nil : $0 }
    return geometry.nfcSectors(version).filter { sector in
      guard let known = sectors[sector], known.opener == nil, !known.isDestroyed else {
        return false
      }
      return directory?[sector]?.isForeign != true
    }
  }

  /// The directory, where the general purpose byte says that there is one.
  fileprivate var namedDirectory: MAD? {
    sectors[.mad]?.trailer?.generalPurposeByte.madVersion == nil ? nil : directory()
  }
}
