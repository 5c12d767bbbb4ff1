import NDEF
import TagMemory

@testable import TagProgramming

/// Cards of which little shows whose data they hold, once a part of them is as delivered again.
extension FaultCase {
  static let resets: [FaultCase] =
    [
      softReset(behind: [], "mini", 1...4, media(40)),
      softReset(behind: [0, 0, 0], "mini", 1...4, media(40)),
      // Sectors that the first part of the directory does not name.
      softReset(behind: [], "classic4k", 13...20, media(900)),
      named("sectors 3 and 4 as delivered") { deliver([3, 4], $0) },
      named("all sectors as delivered") { deliver([1, 2, 3, 4], $0) },
      named("all sectors as delivered, and is as delivered") { bench in
        deliver([1, 2, 3, 4], bench)
        put(trailer: .transport, in: 0, bench)
      },
    ]

  private static func named(_ what: String, _ prepare: @escaping @Sendable (Bench) -> Void)
    -> FaultCase
  {
    FaultCase(
      name: "a directory that names \(what): reset", product: "mini", prepare: prepare,
      job: .resetClassic)
  }

  /// Sectors whose data nobody may write, and whose access bits key B may change.
  private static func softReset(
    behind leading: [UInt8], _ product: String, _ sectors: ClosedRange<Int>, _ message: Message
  ) -> FaultCase {
    FaultCase(
      name:
        "soft read-only, \(leading.count) NULL TLVs before a message of \(message.serialize().count): reset",
      product: product,
      prepare: { bench in
        _ = bench.run(formatWithKeyB)
        _ = bench.run(write(message)) { $0.credentials = Credentials(keys: [ownKeyB]) }
        if !leading.isEmpty {
          OthersBehindTests.put(
            leading + [0x03, UInt8(message.serialize().count)] + message.serialize() + [0xFE],
            on: bench)
        }
        for sector in sectors where sector != 16 {
          set(AccessConditions(data: .readOnly, trailer: .managedWithB), of: sector, bench)
        }
      }, credentials: Credentials(keys: [ownKeyB]), job: .resetClassic)
  }

  /// A formatted card, `sectors` of which have the keys of delivery again, and hold data.
  private static func deliver(_ sectors: [Int], _ bench: Bench) {
    after(short)(bench)
    for sector in sectors { put(trailer: .transport, in: sector, bench) }
    var memory = bench.memory
    for sector in sectors {
      for offset in sector * 64..<sector * 64 + 48 { memory[offset] = UInt8(offset & 0x7F) }
    }
    bench.tag.eeprom.load(memory)
  }

  private static func put(trailer: SectorTrailer, in sector: Int, _ bench: Bench) {
    var memory = bench.memory
    memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 64, with: trailer.serialize())
    bench.tag.eeprom.load(memory)
  }
}
