import NDEF
import TagMemory

@testable import TagProgramming

/// Jobs after which the message begins at another place than before.
extension FaultCase {
  static let moving = [3, 8, 16].map { count in
    FaultCase(
      name: "\(count) bytes of another's before a message: write, overwrite", product: "mini",
      prepare: put([0xFD, UInt8(count - 2)] + [UInt8](repeating: 5, count: count - 2)),
      job: PreparedTag.write(media(40)) { $0.overwrite = true })
  }

  /// A control TLV whose length is not 3 says nothing: NULL TLVs take its place, or the one that
  /// the chip is delivered with, and the message stays where it is, though readers that go by the
  /// length may not have found it.
  static let mended = ["ntag213", "ntag203", "ntag215", "ultralight-c"].flatMap { product in
    ([
      [0x02, 0x00], [0x02, 0x01, 7], [0x01, 0x02, 7, 7, 0, 0], [0, 0, 0, 0x01, 0x04, 7, 7, 7, 7],
      [0x01, 0x02, 0xA0, 0x0C, 0x34],
      [0, 0, 0x01, 0x06, 7, 7, 7, 7, 7, 7], [0xFD, 2, 9, 9, 0x02, 0x04, 7, 7, 7, 7],
    ] as [[UInt8]]).map { leading in
      FaultCase(
        name: "a damaged control TLV in \(leading.count) bytes before a message: write",
        product: product, prepare: put(leading), hidden: media(12), job: write(media(40)))
    }
  }

  /// The area begins in another sector than before, where the message stays.
  static let growing = [
    FaultCase(
      name: "a message in the last sectors: format", product: "mini", prepare: inLastSectors,
      job: PreparedTag.format()),
    FaultCase(
      name: "a message in the last sectors: format with a URL", product: "mini",
      prepare: inLastSectors, job: PreparedTag.format { $0.message = PreparedTag.url }),
    FaultCase(
      name: "a message behind another's sector: format, overwrite", product: "mini",
      prepare: behindAnother, job: PreparedTag.format { $0.overwrite = true }),
  ]

  /// A message of 12 bytes and `leading` before it, and nothing else in its area.
  private static func put(_ leading: [UInt8]) -> @Sendable (Bench) -> Void {
    { bench in
      after(short)(bench)
      OthersBehindTests.put(
        leading + [0x03, UInt8(media(12).serialize().count)] + media(12).serialize() + [0xFE]
          + [UInt8](repeating: 0, count: 60), on: bench)
    }
  }

  /// As another tool may leave a card: sectors 3 and 4 are NFC's, 1 and 2 as delivered and free.
  private static let inLastSectors: @Sendable (Bench) -> Void = { bench in
    rearrange(bench, first: 3) { memory in
      // The catalogue has this tag: a test that cannot make it is to end.
      let blank = try! Bench("mini").memory
      memory.replaceSubrange(64..<192, with: blank[64..<192])
    }
  }

  /// Sector 1 is another application's, with data in it, under the delivered keys.
  private static let behindAnother: @Sendable (Bench) -> Void = { bench in
    rearrange(bench, first: 2) { memory in
      // As above.
      memory.replaceSubrange(64..<128, with: try! Bench("mini").memory[64..<128])
      for at in 64..<112 { memory[at] = UInt8(at) }
      memory.replaceSubrange(18..<20, with: [0x15, 0x48])
    }
  }

  /// The message of a formatted Mini moves to sector `first`, and those before it become free.
  private static func rearrange(
    _ bench: Bench, first: Int, _ change: (inout [UInt8]) -> Void
  ) {
    after(short)(bench)
    var memory = bench.memory
    let message = Array(memory[64..<112])
    memory.replaceSubrange(64..<112, with: [UInt8](repeating: 0, count: 48))
    memory.replaceSubrange(first * 64..<first * 64 + 48, with: message)
    for sector in 1..<first {
      memory.replaceSubrange(16 + sector * 2..<18 + sector * 2, with: [0, 0])
    }
    change(&memory)
    memory[17] = UInt8(first)
    memory[16] = MAD.checksum(memory[17..<48])
    bench.tag.eeprom.load(memory)
  }
}
