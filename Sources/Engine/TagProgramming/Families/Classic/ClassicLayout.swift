import TagMemory

/// Messages and directories in the blocks of a MIFARE Classic.
enum ClassicLayout {
  /// The area's first bytes with `message` in them; throws when it does not fit.
  static func bytes(of message: [UInt8], in area: NDEFArea, geometry: Geometry)
    throws(JobFailure) -> [UInt8]
  {
    do {
      return try TLVLayout(message: message, in: area.tlvArea).applied(to: [])
    } catch {
      throw tooLong(byteCount: message.count, capacity: area.capacity, geometry: geometry)
    }
  }

  /// `canGrow`: the card has sectors that are not formatted yet.
  static func tooLong(
    byteCount: Int, capacity: Int?, geometry: Geometry, canGrow: Bool = false
  ) -> JobFailure {
    JobFailure(
      .messageTooLong(
        byteCount: byteCount, capacity: capacity ?? 0, tag: "\(geometry)", canGrow: canGrow),
      remedy: canGrow ? .formatMoreSectors : .shortenMessage)
  }

  /// Returns whether a block could be part of a directory that knows of nothing but NFC sectors,
  /// one entry aside that may be torn: what a formatting that was cut short leaves.
  static func isDirectoryOfNFC(_ bytes: [UInt8], at block: Block) -> Bool {
    guard block == 1 || block == 2 || block.sector == .secondMAD else { return false }
    let isFirst = block == 1 || block == Sector.secondMAD.firstBlock
    let harmless: [MAD.AID] = [.free, .nfc, .notApplicable, .defect]
    let odd = stride(from: isFirst ? 2 : 0, to: bytes.count, by: 2).filter {
      !harmless.contains(MAD.AID(cluster: bytes[$0 + 1], application: bytes[$0]))
    }
    return odd.count <= 1
  }
}
