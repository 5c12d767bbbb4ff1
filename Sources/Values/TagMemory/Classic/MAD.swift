/// A MIFARE application directory: which sector belongs to which application (AN10787, 3).
///
/// MAD1 lies in blocks 1 and 2 and covers sectors 1 to 15. MAD2 adds blocks 64 to 66 (sector 16)
/// for sectors 17 to 39.
package struct MAD: Hashable, Sendable {
  /// In sector 0, for sectors 1 to 15.
  package private(set) var first: Part
  /// In sector 16, for sectors 17 to 39; nil in a MAD1.
  package private(set) var second: Part?

  package enum Version: UInt8, Hashable, Sendable, CaseIterable {
    case one = 1
    case two = 2

    /// The sectors that hold the directory.
    package var sectors: [Sector] { self == .one ? [.mad] : [.mad, .secondMAD] }

    /// Returns whether `sector` holds the directory or has an entry in it.
    package func covers(_ sector: Sector) -> Bool { self == .two || sector < .secondMAD }
  }

  /// Reads the data blocks of sector 0 (blocks 1 and 2, 32 bytes), and for MAD2 those of sector 16
  /// (48 bytes). Throws for other lengths, and for a wrong checksum unless `verifyingChecksum` is
  /// false: without a right one there is no directory (AN10787, 3.10), but there are cards that
  /// some formatter left so.
  package init(
    parsing first: some Collection<UInt8>, second: [UInt8]? = nil, verifyingChecksum: Bool = true
  ) throws(TagMemoryError) {
    self.first = try Part(parsing: first, at: .mad, verifyingChecksum: verifyingChecksum)
    self.second = nil
    if let second {
      self.second = try Part(parsing: second, at: .secondMAD, verifyingChecksum: verifyingChecksum)
    }
  }

  init(first: Part, second: Part?) { (self.first, self.second) = (first, second) }

  package var version: Version { second == nil ? .one : .two }

  /// Returns what the directory says of `sector`; nil for its own sectors and for those it does not
  /// cover.
  package subscript(sector: Sector) -> AID? { first[sector] ?? second?[sector] }

  /// Every covered sector with its entry, ascending.
  package var entries: [(sector: Sector, aid: AID)] { first.entries + (second?.entries ?? []) }

  /// The sector that the card's publisher names as its own; nil for none (AN10787, 3).
  package var publisherSector: Sector? { first.publisherSector }

  /// The 16-byte blocks to write, with their places: 1 and 2, for MAD2 also 64 to 66.
  package func serialize() -> [(block: Block, bytes: [UInt8])] {
    first.blocks + (second?.blocks ?? [])
  }
}

extension MAD {
  /// The sectors of the NDEF area: a run that starts at the lowest NFC sector.
  ///
  /// NFC sectors must be contiguous (AN1304, 6.1; sector 16 of a MAD2 card may stand between);
  /// those behind a gap are no part of the area, see `strayNFCSectors`. `geometry` leaves out
  /// sectors that the card does not have.
  package func nfcSectors(on geometry: Geometry) -> [Sector] {
    let candidates = geometry.nfcSectors(version).drop { self[$0] != .nfc }
    return Array(candidates.prefix { self[$0] == .nfc })
  }

  /// NFC sectors behind a gap, which AN1304, 6.1 does not allow.
  package func strayNFCSectors(on geometry: Geometry) -> [Sector] {
    let area = nfcSectors(on: geometry)
    return geometry.nfcSectors(version).filter { self[$0] == .nfc && !area.contains($0) }
  }
}
