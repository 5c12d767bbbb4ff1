import TagMemory

/// Messages and directories in the blocks of a MIFARE Classic.
enum ClassicLayout {
  /// The area's first bytes with `message` in them; throws when it does not fit.
  static func bytes(of message: [UInt8], in area: NDEFArea, geometry: Geometry)
    throws(ProgramFailure) -> [UInt8]
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
  ) -> ProgramFailure {
    ProgramFailure(
      .badInput,
      "The message has \(byteCount) bytes; this \(geometry)\(canGrow ? " as it is formatted" : "") takes \(capacity ?? 0).",
      tagHolds: "unchanged.",
      next: canGrow
        ? "pass --sectors fewest or --sectors all, which format more of its sectors, or shorten the message."
        : "shorten the message or use a larger tag.")
  }

  /// Whether a block could be part of a directory that knows of nothing but NFC sectors, one entry aside
  /// that may be torn: what a formatting that was cut short leaves.
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
