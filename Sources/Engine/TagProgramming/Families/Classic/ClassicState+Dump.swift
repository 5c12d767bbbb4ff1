import TagMemory

extension ClassicState {
  /// The memory with the keys that were found.
  func dump(of tag: Target) -> TagDump? {
    var bytes: [UInt8?] = []
    for block in geometry.blocks {
      if block.isTrailer {
        bytes += trailerBytes(of: block.sector)
      } else {
        bytes += blocks[block]?.map { $0 } ?? [UInt8?](repeating: nil, count: Block.byteCount)
      }
    }
    guard let image = MemoryImage(.classic(geometry), uid: tag.uid, bytes: bytes) else {
      return nil
    }
    var dump = TagDump(image)
    (dump.atqa, dump.sak) = (tag.typeA?.atqa, tag.sak)
    dump.unreadRows = geometry.blocks.filter { !$0.isTrailer && blocks[$0] == nil }
      .map { Int($0.index) }
    return dump
  }

  private func trailerBytes(of sector: Sector) -> [UInt8?] {
    guard let known = sectors[sector], let trailer = known.trailer else {
      return [UInt8?](repeating: nil, count: Block.byteCount)
    }
    func key(_ type: KeyType) -> [UInt8?] {
      let candidate = known.keys.first { $0.type == type }
      return candidate?.key.bytes.map { $0 } ?? [UInt8?](repeating: nil, count: 6)
    }
    let keyB = trailer.conditions.keyBIsReadable ? trailer.keyB.bytes.map { $0 } : key(.b)
    return key(.a) + trailer.serialize()[6..<10].map { $0 } + keyB
  }
}

extension TagDescription {
  /// Says which keys and blocks of a dump are not known.
  mutating func noteUnknown(_ state: ClassicState) {
    guard let image = dump?.image else { return }
    let rows = image.rows
    let trailers = state.geometry.sectors.filter { sector in
      rows[Int(sector.trailer.index)].contains { $0 == nil }
    }
    let blocks = state.geometry.blocks.filter {
      !$0.isTrailer && rows[Int($0.index)].contains { $0 == nil }
    }
    if !trailers.isEmpty {
      findings.append(
        Finding("not-known", "\(ClassicWords.list(trailers)): not every key is known."))
    }
    if !blocks.isEmpty {
      let numbers = NumberRuns.list(blocks.map { Int($0.index) })
      findings.append(Finding("not-known", "Blocks that could not be read: \(numbers)."))
    }
  }
}
