import TagMemory

/// A directory is written as it is read; a new one that keeps it names the sectors it was asked to,
/// and a sector trailer that can be read has sound access bits.
enum MADTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    var input = Input(bytes)
    let geometry = input.choice(of: Geometry.allCases)
    let hasSecond = input.byte() & 1 == 1
    let (first, last) = (Int(input.byte() % 40), Int(input.byte() % 40))
    let (low, high) = (input.bytes(32), input.bytes(48))
    if let mad = try? MAD(parsing: low, second: hasSecond ? high : nil, verifyingChecksum: false) {
      let part = mad.first.serialize()
      try require(
        Array(part.dropFirst()) == Array(low.dropFirst()), "sector 0 is another when written")
      let again = try? MAD(parsing: part, second: mad.second?.serialize())
      try require(again == mad, "the directory is another when read again")
      for sector in mad.nfcSectors(on: geometry) { try require(mad[sector] == .nfc, "\(sector)") }
      let sectors = geometry.nfcSectors(mad.version).filter {
        (first...max(first, last)).contains($0.index)
      }
      let kept = MAD(for: geometry, version: mad.version, nfc: sectors, keeping: mad)
      try require(
        kept.nfcSectors(on: geometry).first == sectors.first, "the new area starts elsewhere")
      for (sector, aid) in kept.entries where aid == .nfc {
        try require(sectors.contains(sector), "\(sector) is NFC unasked")
      }
    }
    let trailer = input.bytes(16)
    guard let parsed = try? SectorTrailer(parsing: trailer) else { return }
    try require(parsed.serialize() == trailer, "a trailer is another when written")
  }
}
