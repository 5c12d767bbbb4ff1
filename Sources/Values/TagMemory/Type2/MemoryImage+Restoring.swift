/// What of a memory keeps it off other tags of its type, as the memory alone tells.
extension MemoryImage {
  /// CFG0 and CFG1 of a whole chip of `map`; nil where the memory has none.
  package func configuration(on map: Type2Map) -> Configuration? {
    guard let place = map.configuration, layout == .type2(pageCount: map.pageCount),
      let cfg0 = row(Int(place.cfg0.number)), let cfg1 = row(Int(place.cfg1.number))
    else { return nil }
    return try? Configuration(parsing: cfg0 + cfg1, style: place.style)
  }

  /// The mirror that the memory's own configuration lays over its message: what stands there is
  /// not the holder's, but what one tag has shown.
  package func mirrorOverMessage(on map: Type2Map) -> ASCIIMirror? {
    configuration(on: map)?.mirror.flatMap { hasMessage(below: $0, on: map) ? $0 : nil }
  }

  /// Returns whether a part of the message lies in the pages that `mirror` covers.
  package func hasMessage(below mirror: ASCIIMirror, on map: Type2Map) -> Bool {
    let pages = map.user.filter { Int($0.number) < layout.rowCount }
    let bytes = pages.flatMap { rows[Int($0.number)].map { $0 ?? 0 } }
    guard case .type2 = layout, let start = pages.first?.byteOffset,
      let message = TLVScan(bytes, of: .type2(byteCount: bytes.count)).message, message.length > 0
    else { return false }
    let size = Page.byteCount
    let covered = mirror.byteRange.lowerBound / size * size..<mirror.byteRange.upperBound
    let end = message.endOffset ?? bytes.count
    return covered.overlaps(
      start + message.offset / size * size..<start + (end + size - 1) / size * size)
  }

  /// The first trailer with access bits that would destroy its sector; nil where there is none.
  package var invalidTrailer: Block? {
    guard case .classic(let geometry) = layout else { return nil }
    return geometry.sectors.map(\.trailer).first { trailer in
      let bits = rows[Int(trailer.index)][6..<9].compactMap(\.self)
      return bits.count == 3 && (try? AccessBits(parsing: bits)) == nil
    }
  }
}
