import TagMemory

/// What stands where the message of a MIFARE Classic belongs, by the blocks that were read.
extension ClassicState {
  /// By a look at every sector, as far as keys are known.
  var content: Content {
    guard let frame = sectors[.mad] else { return .notLookedAt }
    guard let trailer = frame.trailer else {
      let opener: ReadObstacle.Opener = frame.isDestroyed ? .nothing : .sectorKey
      return frame.opener == nil || frame.isDestroyed
        ? .unreadable(ReadObstacle(.sectors([.mad]), opener)) : .notLookedAt
    }
    guard trailer.generalPurposeByte.madVersion != nil else {
      return withoutDirectory(trailer.serialize())
    }
    if let obstacle = directoryObstacle { return .unreadable(obstacle) }
    guard let directory = directory(verifyingChecksum: false) else {
      return .lost(LostMessage("the directory cannot be read", isFormatted: false))
    }
    guard self.directory() != nil else {
      return .lost(LostMessage("the directory's checksum is wrong", isFormatted: false))
    }
    let area = directory.nfcSectors(on: geometry)
    guard !area.isEmpty else { return withoutDirectory(data(of: .mad)) }
    return content(of: NDEFArea(area))
  }

  /// What keeps the directory from being read, of which sector 0 says how large it is: without
  /// either part nobody knows which sectors hold the message, and which are another's.
  var directoryObstacle: ReadObstacle? {
    let isSecond = sectors[.mad]?.trailer?.generalPurposeByte.madVersion == .two
    return (isSecond ? MAD.Version.two.sectors : [.mad]).lazy.filter(geometry.contains)
      .compactMap { obstacle(in: $0.dataBlocks) }.first
  }

  /// Is true if sector 0 says that the directory has a second part, which was not read.
  var lacksSecondDirectory: Bool {
    sectors[.mad]?.trailer?.generalPurposeByte.madVersion == .two
      && geometry.contains(.secondMAD) && data(of: .secondMAD) == nil
  }

  /// What `area` holds, as far as it was read.
  func content(of area: NDEFArea) -> Content {
    let (scan, known) = (scan(of: area), known(of: area))
    if let content = Content(scan, known: known, isFormatted: true) { return content }
    let rest = area.blocks.dropFirst(known.count / Block.byteCount)
    let length = scan.message?.length
    return obstacle(in: Array(rest.prefix(1)), length: length).map(Content.unreadable)
      ?? .notLookedAt
  }

  /// What keeps a reader that has the public keys A from the message in `area`; nil where nothing
  /// is known to.
  func closed(_ area: NDEFArea) -> ReadObstacle? {
    let scan = scan(of: area)
    let end = scan.message?.endOffset ?? Block.byteCount
    var closed: [(Sector, ReadObstacle.Opener)] = []
    let frame = MAD.Version.two.sectors.filter(geometry.contains).flatMap { sector in
      sector.dataBlocks.filter { $0.index > 0 }
    }
    let isSecond = sectors[.mad]?.trailer?.generalPurposeByte.madVersion == .two
    for block in frame.filter({ isSecond || $0.sector == .mad }) + area.blocks(holding: 0..<end) {
      let key: Key = area.sectors.contains(block.sector) ? .nfc : .mad
      guard closed.last?.0 != block.sector, let opener = closer(of: block, to: key) else {
        continue
      }
      closed.append((block.sector, opener))
    }
    guard let first = closed.first else { return nil }
    let alike = closed.filter { $0.1 == first.1 }.map(\.0)
    return ReadObstacle(.sectors(alike), first.1)
  }

  /// What other than key A, which is `key`, opens `block` for reading; nil where `key` does, as far
  /// as is known.
  func closer(of block: Block, to key: Key) -> ReadObstacle.Opener? {
    guard let known = sectors[block.sector] else { return nil }
    if known.isDestroyed { return .nothing }
    guard known.opener == KeyCandidate(.a, key) || known.provedKeyA == key || known.lacksKeyA else {
      return known.opener == nil ? .sectorKey : .publicKey
    }
    guard let conditions = known.trailer?.conditions, let group = block.group,
      !conditions.allows(.read, group, with: .a)
    else { return nil }
    return conditions.allows(.read, group, with: .b) ? .keyB : .nothing
  }

  /// Returns what a card holds whose sector 0, with the bytes `frame`, names no NFC sector.
  private func withoutDirectory(_ frame: [UInt8]?) -> Content {
    let memory = geometry.blocks.filter { !$0.isTrailer && $0.index > 0 }
    let content = Content.withoutFrame([frame], memory: memory.map { blocks[$0] })
    guard case .unformatted = content, let obstacle = obstacle(in: memory) else { return content }
    return .unreadable(obstacle)
  }

  /// Why those of `wanted` were not read that were asked for; nil for none.
  private func obstacle(in wanted: [Block], length: Int? = nil) -> ReadObstacle? {
    var found: [(Sector, ReadObstacle.Opener)] = []
    for block in wanted where blocks[block] == nil && found.last?.0 != block.sector {
      guard let known = sectors[block.sector] else { continue }
      if known.isDestroyed {
        found.append((block.sector, .nothing))
      } else if known.opener == nil {
        found.append((block.sector, .sectorKey))
      } else if let conditions = known.trailer?.conditions, let group = block.group {
        let readers = KeyType.allCases.filter { conditions.allows(.read, group, with: $0) }
        if readers.isEmpty {
          found.append((block.sector, .nothing))
        } else if !known.keys.contains(where: { readers.contains($0.type) }) {
          found.append((block.sector, readers == [.a] ? .keyA : .keyB))
        } else if unshown.contains(block) {
          found.append((block.sector, .unknown))
        }
      }
    }
    guard let first = found.first else { return nil }
    return ReadObstacle(
      .sectors(found.filter { $0.1 == first.1 }.map(\.0)), first.1, length: length)
  }
}
