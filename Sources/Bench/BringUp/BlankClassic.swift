import PN532
import Readers
import TagMemory

/// What the sectors of a MIFARE Classic hold, compared with delivery: the key FFFFFFFFFFFF, open to
/// everyone, all zeros.
struct BlankClassic {
  /// How many sectors the card has, by its SAK.
  private(set) var sectorCount = 0
  /// How many are as delivered.
  private(set) var blankCount = 0
  /// How many open with a key A that cards are delivered with or formatting writes.
  private(set) var openCount = 0
  /// The first sector that is not as delivered.
  private(set) var firstOther: Sector?

  /// Looks at every sector; `isStrict`: no further than to the first that is not as delivered.
  /// Throws what ends the run.
  init(on bench: BringUpBench, sak: UInt8, isStrict: Bool) throws(ReaderError) {
    let sectors = (Geometry(sak: sak) ?? .oneK).sectors
    sectorCount = sectors.count
    for sector in sectors {
      if try Self.isBlank(bench, sector) {
        blankCount += 1
        openCount += 1
        continue
      }
      firstOther = firstOther ?? sector
      if isStrict { return }
      if try Self.isOpen(bench, sector) { openCount += 1 }
    }
  }

  private static func isBlank(
    _ bench: BringUpBench, _ sector: Sector
  ) throws(ReaderError) -> Bool {
    guard try open(bench, sector, Key.factory.bytes) else { return false }
    for offset in 0..<UInt8(sector.blockCount) {
      let block = Block(sector.firstBlock.index + offset)
      guard block != .manufacturer else { continue }
      let wanted =
        block.isTrailer
        // Key A reads as zeros.
        ? [UInt8](repeating: 0, count: 6) + SectorTrailer.transport.serialize().dropFirst(6)
        : [UInt8](repeating: 0, count: Block.byteCount)
      guard try bench.exchange("memory", [0x30, block.index]).data == wanted else { return false }
    }
    return true
  }

  private static func isOpen(
    _ bench: BringUpBench, _ sector: Sector
  ) throws(ReaderError) -> Bool {
    for key in BoardQuestions.knownKeys where try open(bench, sector, key) { return true }
    return false
  }

  /// Selects the card anew, as one that has refused a key is silent.
  private static func open(
    _ bench: BringUpBench, _ sector: Sector, _ key: [UInt8]
  ) throws(ReaderError) -> Bool {
    guard let card = try BoardQuestions.select(bench, patience: .communicationDefault) else {
      return false
    }
    return try BoardQuestions.authenticate("memory", bench, card, block: sector.trailer.index, key)
  }
}
