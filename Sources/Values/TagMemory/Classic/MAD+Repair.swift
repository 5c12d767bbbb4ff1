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

extension MAD {
  /// This directory, which is to be written, with the info byte of each part that its first block
  /// on the tag, `found`, still tells: apart from that byte and the checksum before it, it holds
  /// what this directory has there. So it was written whole, and what follows it is missing, or one
  /// bit of these two bytes did not keep: the checksum tells which.
  package func keepingInfo(of found: (Block) -> [UInt8]?) -> MAD {
    MAD(first: first.keepingInfo(of: found), second: second?.keepingInfo(of: found))
  }
}

extension MAD.Part {
  fileprivate func keepingInfo(of found: (Block) -> [UInt8]?) -> MAD.Part {
    guard let block = blocks.first?.block, let bytes = found(block), bytes.count > 1 else {
      return self
    }
    let candidates = [bytes[1]] + (0..<8).map { bytes[1] ^ 1 << $0 }
    let parts = candidates.map { MAD.Part(sector: sector, info: $0, aids: aids) }
    guard let likely = parts[0].blocks.first?.bytes,
      likely.dropFirst(2).elementsEqual(bytes.dropFirst(2))
    else { return self }
    let checksum = likely[0] ^ bytes[0]
    if checksum == 0 { return parts[0] }
    let whole = parts.dropFirst().filter { $0.blocks.first?.bytes.first == bytes[0] }
    let damaged = (checksum.nonzeroBitCount == 1 ? [parts[0]] : []) + whole
    // Bits 6 and 7 of the info byte are reserved (AN10787, 3.1): where one of two single bits may
    // be the wrong one, it is the one that leaves them clear.
    return damaged.first { $0.info < 0x40 } ?? damaged.first ?? self
  }

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
