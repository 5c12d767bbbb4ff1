extension MAD {
  /// The info byte that NXP's formatter writes.
  static let usualInfo: UInt8 = 0x01

  /// The directory for an NDEF area in `nfc`, with every other sector free.
  ///
  /// Sectors in `defect` are marked so, sectors that the card does not have as not applicable. An
  /// `existing` directory keeps its info bytes and its entries for all other sectors, apart from
  /// NFC entries, which would tear the area apart, and not-applicable ones of sectors that exist.
  package init(
    for geometry: Geometry, version: Version, nfc: some Sequence<Sector>,
    defect: Set<Sector> = [], keeping existing: MAD? = nil
  ) {
    let nfc = Set(nfc)
    func entry(_ index: Int) -> AID {
      let sector = Sector(known: index)
      if !geometry.contains(sector) { return .notApplicable }
      if defect.contains(sector) { return .defect }
      if nfc.contains(sector) { return .nfc }
      let kept = existing?[sector] ?? .free
      return kept == .nfc || kept == .notApplicable ? .free : kept
    }
    let first = Part(
      sector: .mad, info: existing?.first.info ?? MAD.usualInfo, aids: (1...15).map(entry))
    let second =
      version == .one
      ? nil
      : Part(
        sector: .secondMAD, info: existing?.second?.info ?? MAD.usualInfo,
        aids: (17...39).map(entry))
    self.init(first: first, second: second)
  }

  /// The directory for an NDEF area in `nfc` with the info bytes of another one, whose entries are
  /// not to be believed.
  package init(
    for geometry: Geometry, nfc: some Sequence<Sector>, infoOf other: MAD
  ) {
    let fresh = MAD(for: geometry, version: other.version, nfc: nfc)
    let second = fresh.second.map { part in
      Part(sector: part.sector, info: other.second?.info ?? part.info, aids: part.aids)
    }
    self.init(
      first: Part(sector: .mad, info: other.first.info, aids: fresh.first.aids), second: second)
  }

  /// The directory that makes all NFC sectors of a card one NDEF area.
  package static func ndef(on geometry: Geometry, version: Version) -> MAD {
    MAD(for: geometry, version: version, nfc: geometry.nfcSectors(version))
  }
}
