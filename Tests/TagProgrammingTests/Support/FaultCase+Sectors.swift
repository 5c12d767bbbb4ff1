import NDEF
import TagMemory

@testable import TagProgramming

/// Jobs on a MIFARE Classic that leave most of it alone: the fewest sectors, and raw blocks.
extension FaultCase {
  static let parts = fewest + blocks

  static func fewest(_ message: Message) -> Job {
    var options = WriteOptions()
    options.sectors = .fewest
    return .write(message, options)
  }

  private static let shortOnFewest = fewest(PreparedTag.url)

  private static let fewest =
    ["mini", "classic1k", "classic4k"].map { product in
      FaultCase(name: "first URL, fewest sectors", product: product, job: shortOnFewest)
    } + [
      FaultCase(
        name: "more sectors for a longer message", product: "mini", prepare: after(shortOnFewest),
        job: fewest(media(60))),
      FaultCase(
        name: "all sectors after the fewest", product: "mini", prepare: after(shortOnFewest),
        job: .formatClassic(ClassicFormat())),
      FaultCase(
        name: "MAD2 after MAD1, fewest sectors", product: "classic4k",
        prepare: after(shortOnFewest), job: fewest(media(760))),
    ]

  /// Blocks 8 to 10 of an NFC sector.
  static let rawBlocks = Job.writeBlocks(
    BlockWrite(start: 8, bytes: Array(1...48), force: false))

  /// The same and their trailer, with keys that are no public ones.
  static let rawTrailer: Job = {
    let trailer = SectorTrailer(
      keyA: Key([1, 2, 3, 4, 5, 6])!, conditions: .nfcReadWrite, generalPurposeByte: .nfcReadWrite,
      keyB: ownKeyB)
    return .writeBlocks(
      BlockWrite(start: 8, bytes: Array(1...48) + trailer.serialize(), force: true))
  }()

  private static let blocks = [
    FaultCase(name: "raw blocks", product: "mini", prepare: after(short), job: rawBlocks),
    FaultCase(name: "raw blocks and keys", product: "mini", job: rawTrailer),
    FaultCase(
      name: "raw blocks and keys, formatted", product: "mini", prepare: after(short),
      job: rawTrailer),
  ]
}
