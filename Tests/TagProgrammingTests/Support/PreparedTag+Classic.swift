import NDEF
import TagMemory

@testable import TagProgramming

/// MIFARE Classic tags of all sorts, and what may be done to them.
extension PreparedTag {
  static let classics = ["mini", "classic1k", "classic4k"].flatMap(classics)

  private static func classics(_ product: String) -> [PreparedTag] {
    let short = FaultCase.short
    let sectors = product == "classic4k" ? 40 : product == "mini" ? 5 : 16
    let last = sectors > 32 ? 31 : sectors - 1
    let tag = Maker(product: product)
    return [
      tag("as delivered", []), tag("formatted", [format()]),
      tag("formatted with a key B", [FaultCase.formatWithKeyB]),
      tag("formatted on the fewest sectors", [FaultCase.fewest(url)]),
      tag("the fewest sectors cut short", [FaultCase.fewest(url)], end: 8),
      tag(
        "a sector more cut short", [FaultCase.fewest(url), FaultCase.fewest(FaultCase.media(60))],
        end: 9),
      tag("MAD1", [format { $0.directory = .mad1 }]),
      tag("MAD1 with a message", [format { $0.directory = .mad1 }, short]),
      tag("a message", [short]), tag("a long message", [FaultCase.write(FaultCase.media(150))]),
      tag("formatting cut short", [format()], end: 12),
      tag("formatting cut short later", [format()], end: 20),
      tag("formatting with a URL cut short", [format { $0.message = url }], end: 10),
      tag("a message cut short", [short, FaultCase.write(FaultCase.media(150))], end: 6),
      tag("a reset cut short", [short, .resetClassic], end: 9),
      tag("sector 1 as delivered", [format()]) { deliver(1...1, &$0) },
      tag("sector 2 as delivered", [format()]) { deliver(2...2, &$0) },
      tag("sector 2 as delivered, under a message", [FaultCase.write(FaultCase.media(150))]) {
        deliver(2...2, &$0)
      },
      tag("the last sector as delivered", [short]) { deliver(last...last, &$0) },
      tag("a directory alone", [format()]) { deliver(1...last, &$0) },
      tag("sectors without a directory", [short]) { deliver(0...0, &$0) },
      tag("every second sector formatted, no directory", [format()]) { memory in
        for sector in stride(from: 0, through: last, by: 2) { deliver(sector...sector, &memory) }
      },
      tag("a TLV beyond the area", [short]) { $0.replaceSubrange(65..<68, with: [0xFF, 0xF0, 0]) },
      tag("garbage in the message", [short]) { for at in 66..<72 { $0[at] = 0xA7 } },
      tag("garbage for TLVs", [short]) { for at in 64..<100 { $0[at] = 0xA7 } },
      tag("zeros before the message", [short]) { memory in
        let message = Array(memory[64..<96])
        memory.replaceSubrange(64..<112, with: [UInt8](repeating: 0, count: 16) + message)
      },
      tag("a wrong checksum", [short]) { $0[16] ^= 0x55 },
      tag("a wrong general purpose byte", [short]) { $0[57] = 0x69 },
      tag("locked", [short, .lock(force: false)]),
      tag("a lock cut short", [short, .lock(force: false)], end: 7),
      tag("sector 3 locked", [short]) { lockForGood(3, &$0) },
      tag("sector 3 locked, under an empty message", [format()]) { lockForGood(3, &$0) },
      tag("sector 3 destroyed", [short]) { $0[3 * 64 + 54] ^= 0xFF },
      tag("sector 3 destroyed, else as delivered", []) { $0[3 * 64 + 54] ^= 0xFF },
      tag("sector 3 closed", [format()]) { close(3, &$0) },
      tag("sector 3 closed, else as delivered", []) { close(3, &$0) },
      tag("sector 3 with frozen access bits, else as delivered", []) { memory in
        let frozen: [UInt8] = [0x07, 0x8F, 0x0F]
        memory.replaceSubrange(3 * 64 + 54..<3 * 64 + 57, with: frozen)
      },
      tag("a read-only block under the message", [short]) { memory in
        memory.replaceSubrange(64 + 54..<64 + 57, with: [0x5F, 0x07, 0x8A])
      },
      tag("data that key B alone may write", [short]) { memory in
        memory.replaceSubrange(64 + 54..<64 + 57, with: [0xF8, 0x77, 0x80])
      },
      tag("a directory under the factory key", [short]) { memory in
        memory.replaceSubrange(48..<54, with: [UInt8](repeating: 0xFF, count: 6))
      },
      tag("foreign data", []) { $0[20] = 0x42 },
      tag("foreign data behind", []) { $0[last * 64 + 8] = 0x42 },
    ]
  }

  /// The other jobs that a MIFARE Classic knows.
  static let classicJobs: [(name: String, job: Job)] = [
    ("write", FaultCase.short), ("write another", FaultCase.other),
    ("write over sectors", FaultCase.write(FaultCase.media(150))),
    ("write and lock", write { $0.lock = true }),
    ("write over sectors and lock", write(FaultCase.media(150)) { $0.lock = true }),
    ("write, overwrite", write { $0.overwrite = true }),
    ("write more than fits a Mini", FaultCase.write(FaultCase.media(300))),
    ("format", format()), ("format, overwrite", format { $0.overwrite = true }),
    ("format with a URL", format { $0.message = url }),
    (
      "format with a URL, overwrite",
      format {
        $0.message = url
        $0.overwrite = true
      }
    ),
    (
      "format with a URL and a key B",
      format {
        $0.message = url
        $0.keyB = FaultCase.ownKeyB
      }
    ),
    (
      "write over sectors and lock, overwrite",
      write(FaultCase.media(150)) {
        $0.lock = true
        $0.overwrite = true
      }
    ),
    ("format with MAD1", format { $0.directory = .mad1 }),
    (
      "format with MAD1 and a URL",
      format {
        $0.directory = .mad1
        $0.message = url
      }
    ),
    (
      "format with MAD2 and a URL",
      format {
        $0.directory = .mad2
        $0.message = url
      }
    ),
    ("write on the fewest sectors", write { $0.sectors = .fewest }),
    (
      "write over sectors on the fewest, and lock",
      write(FaultCase.media(150)) {
        $0.sectors = .fewest
        $0.lock = true
      }
    ),
    ("write on all sectors", write { $0.sectors = .all }),
    ("format the fewest sectors", format { $0.sectors = .fewest }),
    (
      "format the fewest sectors, overwrite",
      format {
        $0.sectors = .fewest
        $0.overwrite = true
        $0.message = url
      }
    ),
    ("write raw blocks", FaultCase.rawBlocks), ("write a raw trailer", FaultCase.rawTrailer),
    ("reset", .resetClassic), ("lock", .lock(force: false)), ("lock by force", .lock(force: true)),
  ]

  static func format(_ change: (inout ClassicFormat) -> Void = { _ in }) -> Job {
    var format = ClassicFormat()
    change(&format)
    return .formatClassic(format)
  }

  static let url = Message(try! URIRecord("https://example.com/t/0001").record)

  static func write(_ message: Message = url, _ change: (inout WriteOptions) -> Void) -> Job {
    var options = WriteOptions()
    change(&options)
    return .write(message, options)
  }

  static let strangeKey = Key([0x99, 0x88, 0x77, 0x66, 0x55, 0x44])!

  // MARK: Sectors of four blocks

  private static func deliver(_ sectors: ClosedRange<Int>, _ memory: inout [UInt8]) {
    for sector in sectors {
      // Block 0 is the maker's.
      let data = [UInt8](repeating: 0, count: sector == 0 ? 32 : 48)
      let end = sector * 64 + 48
      memory.replaceSubrange(end - data.count..<end, with: data)
      memory.replaceSubrange(end..<end + 16, with: SectorTrailer.transport.serialize())
    }
  }

  private static func lockForGood(_ sector: Int, _ memory: inout [UInt8]) {
    let trailer = SectorTrailer.nfcReadOnly(keyB: .factory).serialize()
    memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 64, with: trailer)
  }

  private static func close(_ sector: Int, _ memory: inout [UInt8]) {
    let key = strangeKey.bytes
    memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 54, with: key)
    memory.replaceSubrange(sector * 64 + 58..<sector * 64 + 64, with: key)
  }
}
