extension MAD {
  /// A directory of which a part may have a wrong checksum, so that nothing in that part can be
  /// believed: there `entry` decides for each sector, given what stands there now. A part with a
  /// right checksum stays as it is.
  ///
  /// `first` and `second` are as in `init(parsing:second:verifyingChecksum:)`. Throws for other
  /// lengths.
  package init(
    repairing first: [UInt8], second: [UInt8]?, entry: (Sector, AID) -> AID
  ) throws(TagMemoryError) {
    func part(_ bytes: [UInt8], _ sector: Sector) throws(TagMemoryError) -> Part {
      if let valid = try? Part(parsing: bytes, at: sector, verifyingChecksum: true) { return valid }
      let found = try Part(parsing: bytes, at: sector, verifyingChecksum: false)
      let entries = found.entries.map { ($0.sector, entry($0.sector, $0.aid)) }
      return Part(
        sector: sector, info: Part.likelyInfo(in: bytes, beside: entries), aids: entries.map(\.1))
    }
    self.init(
      first: try part(first, .mad),
      second: try second.map { bytes throws(TagMemoryError) in
        try part(bytes, .secondMAD)
      })
  }
}

extension MAD.Part {
  /// The info byte that a part with a wrong checksum probably had: the one that stands there, where
  /// it names a sector that is another application's by `entries` (AN10787, 3: the card
  /// publisher's); else the usual one.
  fileprivate static func likelyInfo(in bytes: [UInt8], beside entries: [(Sector, MAD.AID)])
    -> UInt8
  {
    let named = entries.first { $0.0.index == Int(bytes[1]) }
    return named?.1.isForeign == true ? bytes[1] : MAD.usualInfo
  }
}
