extension MAD {
  /// The part of a directory that one sector holds (AN10787, 3).
  ///
  ///     byte   0          1           2, 3        4, 5 …
  ///            checksum   info byte   first AID   second AID, each low byte first
  package struct Part: Hashable, Sendable {
    /// Sector 0 or 16.
    package let sector: Sector
    /// Bits 5…0: the card publisher's sector, 0 for none.
    package let info: UInt8
    /// Of the sectors that follow `sector`: 15 in sector 0, 23 in sector 16.
    package let aids: [AID]

    /// `aids` are those of the sectors behind `sector`, from the first on; missing ones are free.
    init(sector: Sector, info: UInt8, aids: [AID]) {
      let count = Part.aidCount(of: sector)
      self.sector = sector
      self.info = info
      self.aids = Array((aids + Array(repeating: .free, count: count)).prefix(count))
    }

    init(
      parsing bytes: some Collection<UInt8>, at sector: Sector, verifyingChecksum: Bool
    ) throws(TagMemoryError) {
      let bytes = Array(bytes)
      let expected = 2 + 2 * Part.aidCount(of: sector)
      guard bytes.count == expected else {
        throw .wrongLength(
          format: "the MAD of \(sector)", expected: expected, found: bytes.count)
      }
      let checksum = MAD.checksum(bytes[1...])
      guard !verifyingChecksum || checksum == bytes[0] else {
        throw .madChecksum(sector, stored: bytes[0], computed: checksum)
      }
      let aids = stride(from: 2, to: expected, by: 2).map {
        AID(cluster: bytes[$0 + 1], application: bytes[$0])
      }
      self.init(sector: sector, info: bytes[1], aids: aids)
    }

    /// The part as its sector's data blocks hold it: 32 bytes in sector 0, 48 in sector 16.
    package func serialize() -> [UInt8] {
      let content = [info] + aids.flatMap { $0.serialize() }
      return [MAD.checksum(content)] + content
    }

    /// Nil unless `sector` is one that this part covers.
    package subscript(sector: Sector) -> AID? {
      let index = sector.index - self.sector.index - 1
      return aids.indices.contains(index) ? aids[index] : nil
    }

    /// The covered sectors with their entries, ascending.
    var entries: [(sector: Sector, aid: AID)] {
      zip((sector.index + 1)..., aids).map { (Sector(known: $0), $1) }
    }

    var blocks: [(block: Block, bytes: [UInt8])] {
      let bytes = serialize()
      return sector.dataBlocks.enumerated().map { index, block in
        (block, Array(bytes[index * Block.byteCount..<(index + 1) * Block.byteCount]))
      }
    }

    /// Nil for none, and for the values that name no sector: 16 (the second MAD's own), 40 and up.
    package var publisherSector: Sector? {
      let index = Int(info & 0x3F)
      return index == 0 || index == Sector.secondMAD.index ? nil : Sector(index)
    }

    private static func aidCount(of sector: Sector) -> Int { sector == .mad ? 15 : 23 }
  }

  /// The CRC-8 over the info byte and the AIDs (AN10787, 3.10): polynomial 1Dh, preset C7h, highest
  /// bit first. AN10787 prints the preset mirrored, as E3h.
  package static func checksum(_ content: some Sequence<UInt8>) -> UInt8 {
    content.reduce(0xC7) { crc, byte in
      (0..<8).reduce(crc ^ byte) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x1D }
    }
  }
}
