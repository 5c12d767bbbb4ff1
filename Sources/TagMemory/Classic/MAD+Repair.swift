extension MAD {
  /// A directory of which a part may have a wrong checksum, so that nothing in that part can be believed: there `entry` decides
  /// for each sector, given what stands there now. A part with a right checksum stays as it is.
  ///
  /// `first` and `second` are as in `init(parsing:second:verifyingChecksum:)`. Throws for other lengths.
  public init(
    repairing first: [UInt8], second: [UInt8]?, entry: (Sector, AID) -> AID
  ) throws(TagMemoryError) {
    func part(_ bytes: [UInt8], _ sector: Sector) throws(TagMemoryError) -> Part {
      if let valid = try? Part(parsing: bytes, at: sector, verifyingChecksum: true) { return valid }
      let found = try Part(parsing: bytes, at: sector, verifyingChecksum: false)
      return Part(
        sector: sector, info: Part.likelyInfo(in: bytes),
        aids: found.entries.map { entry($0.sector, $0.aid) })
    }
    self.init(
      first: try part(first, .mad),
      second: try second.map { bytes throws(TagMemoryError) in
        try part(bytes, .secondMAD)
      })
  }
}

extension MAD.Part {
  /// The info byte that a part with a wrong checksum probably had: the usual one where the checksum is right with it; else the one
  /// that stands there, where that is possible (AN10787, 3: bits 7 and 6 are 0, the others name a sector other than 16).
  fileprivate static func likelyInfo(in bytes: [UInt8]) -> UInt8 {
    let isUsual = MAD.checksum([MAD.usualInfo] + bytes[2...]) == bytes[0]
    let isPossible = bytes[1] < 40 && bytes[1] != UInt8(Sector.secondMAD.index)
    return isPossible && !isUsual ? bytes[1] : MAD.usualInfo
  }
}
