import TagMemory

extension ClassicState {
  /// The card that `image` is of, as whoever has the keys in it finds the card; nil for an image of
  /// another kind of tag. Keys of zeros are what programs write in place of those not known.
  init?(_ image: MemoryImage) {
    guard case .classic(let geometry) = image.layout else { return nil }
    self.init(geometry: geometry)
    for sector in geometry.sectors { sectors[sector] = SectorState(image, sector) }
    for block in geometry.blocks where !block.isTrailer {
      blocks[block] = image.row(Int(block.index))
      if blocks[block] == nil { unshown.insert(block) }
    }
  }
}

extension ClassicState.SectorState {
  fileprivate init(_ image: MemoryImage, _ sector: Sector) {
    self.init()
    let row = image.rows[Int(sector.trailer.index)]
    func key(_ bytes: ArraySlice<UInt8?>) -> Key? {
      Key(bytes.compactMap(\.self)).flatMap { $0 == .zeros ? nil : $0 }
    }
    let (keyA, keyB) = (key(row[..<6]), key(row[10...]))
    lacksKeyA = keyA == nil
    opener = keyA.map { KeyCandidate(.a, $0) }
    let middle = row[6..<10].compactMap(\.self)
    guard middle.count == 4 else { return }
    let zeros = Key.zeros.bytes
    guard var shown = try? SectorTrailer(parsing: zeros + middle + zeros) else {
      isDestroyed = true
      return
    }
    if shown.conditions.keyBIsReadable { shown.keyB = keyB ?? .zeros }
    if opener == nil, shown.conditions.canUse(.b) { opener = keyB.map { KeyCandidate(.b, $0) } }
    trailer = shown
  }
}

extension ClassicFamily {
  static func describe(_ dump: TagDump, counters: Bool) -> TagDescription? {
    guard let state = ClassicState(dump.image) else { return nil }
    var description = ClassicDescription(state: state, target: nil).description(for: .info)
    description.dump = dump
    description.noteUnknown(state)
    return description
  }
}
