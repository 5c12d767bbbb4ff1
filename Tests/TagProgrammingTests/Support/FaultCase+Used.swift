import NDEF
import TagMemory

@testable import TagProgramming

/// Jobs on cards that somebody has used before: random data, other applications, other tools'
/// formats.
extension FaultCase {
  static let used: [FaultCase] =
    [
      FaultCase(
        name: "used card: format, overwrite", product: "classic1k", prepare: random,
        job: PreparedTag.format { $0.overwrite = true }),
      FaultCase(
        name: "used card: write, overwrite", product: "classic1k", prepare: random,
        job: PreparedTag.write { $0.overwrite = true }),
      FaultCase(
        name: "used card under keys: format, overwrite", product: "mini",
        prepare: { bench in
          random(bench)
          keyed(ownKeyB)(bench)
        }, credentials: Credentials(keys: [ownKeyB]),
        job: PreparedTag.format { $0.overwrite = true }),
      FaultCase(
        name: "used card: fewest sectors, overwrite", product: "classic1k", prepare: random,
        job: PreparedTag.write {
          ($0.overwrite, $0.sectors) = (true, .fewest)
        }),
      FaultCase(
        name: "another application's: write, overwrite", product: "classic1k", prepare: others,
        job: PreparedTag.write { $0.overwrite = true }),
      FaultCase(
        name: "another application's, unopened: format, overwrite", product: "classic1k",
        prepare: { bench in
          others(bench)
          close(5, bench)
        }, job: PreparedTag.format { $0.overwrite = true }),
      FaultCase(
        name: "MAD1: write and lock", product: "classic4k",
        prepare: after(PreparedTag.format { $0.directory = .mad1 }, short),
        job: PreparedTag.write(media(60)) { $0.lock = true }),
      FaultCase(
        name: "formatted: fewest sectors", product: "classic1k", prepare: after(short),
        job: fewest(media(60))),
      FaultCase(
        name: "formatted: fewest sectors, overwrite", product: "classic1k", prepare: after(short),
        job: PreparedTag.write(media(60)) { ($0.overwrite, $0.sectors) = (true, .fewest) }),
      FaultCase(name: "blank: write", product: "mini", job: short),
      FaultCase(name: "blank: fewest sectors", product: "classic1k", job: fewest(PreparedTag.url)),
      FaultCase(
        name: "two sectors of another tool: write", product: "classic1k", prepare: foreign,
        job: other
      ),
      FaultCase(
        name: "two sectors of another tool: format", product: "classic1k", prepare: foreign,
        job: PreparedTag.format()),
      FaultCase(
        name: "sector 4 that takes no trailer: format", product: "mini",
        prepare: { set(AccessConditions(data: .open, trailer: .keysWithA), of: 4, $0) },
        job: PreparedTag.format()),
    ] + usedOthers + dumped + moving + growing + mended + resets

  /// Tags that get the memory of another one.
  private static let dumped: [FaultCase] = [
    restored("another message: restore", "ntag213", short),
    restored("another message: restore", "ultralight-ev1-11", short),
    restored("another message: restore", "felica-lite-s", short),
    restored("another message: restore", "mini", short),
    restored("own key B: restore", "mini", formatWithKeyB),
    restored("a longer message: restore", "classic1k", write(media(90))),
  ]

  /// The same of tags that have no sectors.
  private static let usedOthers: [FaultCase] = [
    FaultCase(name: "as delivered: write", product: "ntag213", job: short),
    FaultCase(name: "as delivered: write", product: "ultralight-ev1-11", job: short),
    FaultCase(name: "as delivered, any bytes: write", product: "ntag-i2c-plus-1k", job: short),
    FaultCase(
      name: "own message: write", product: "ntag215", prepare: after(write(media(60))), job: other),
    FaultCase(
      name: "own message: write, protect and lock", product: "ntag213", prepare: after(other),
      job: PreparedTag.write {
        ($0.protection, $0.lock) = (Protection(password: PreparedTag.password), true)
      }),
    FaultCase(
      name: "TLVs of others around a message: write", product: "ntag216", prepare: othersAround,
      job: short),
    FaultCase(
      name: "TLVs of others around a message: write, overwrite", product: "ntag213",
      prepare: othersAround, job: PreparedTag.write { $0.overwrite = true }),
    FaultCase(
      name: "TLVs of others behind a message: write", product: "classic1k",
      prepare: { bench in
        after(short)(bench)
        OthersBehindTests.put(
          OthersBehindTests.area(20, leading: [0xFD, 1, 5], gap: 30), on: bench)
      }, job: short),
    FaultCase(
      name: "TLVs of others behind a message, its length at a page's end: write",
      product: "ntag213",
      prepare: { bench in
        after(short)(bench)
        OthersBehindTests.put(
          OthersBehindTests.area(20, leading: [0x01, 0x03, 0xA0, 0x0C, 0x34], gap: 30), on: bench)
      }, job: other),
    FaultCase(
      name: "TLVs of others behind a message, its length at a block's end: write",
      product: "classic1k",
      prepare: { bench in
        after(short)(bench)
        OthersBehindTests.put(
          OthersBehindTests.area(
            20, leading: [0xFD, 11] + [UInt8](repeating: 5, count: 11), gap: 3), on: bench)
      }, job: short),
    FaultCase(
      name: "no container, somebody's data: write", product: "ultralight-c",
      prepare: { bench in
        var memory = bench.memory
        memory.replaceSubrange(12..<16, with: [0, 0, 0, 0])
        memory.replaceSubrange(40..<56, with: Array("THIRD-PARTY-DATA".utf8))
        bench.tag.eeprom.load(memory)
      }, job: short),
    FaultCase(
      name: "message into sector 1: write", product: "ntag-i2c-2k", prepare: after(short),
      job: write(media(1020))),
    FaultCase(name: "own message: write", product: "type4", prepare: after(short), job: other),
    FaultCase(
      name: "own message: write", product: "felica-lite-s", prepare: after(short), job: other),
  ]

  /// A proprietary TLV before a message and one behind it, NULL TLVs between.
  private static let othersAround: @Sendable (Bench) -> Void = { bench in
    var memory = bench.memory
    let message = media(12).serialize()
    let area =
      [0xFD, 3, 1, 2, 3, 0x03, UInt8(message.count)] + message
      + [UInt8](repeating: 0, count: 40) + [0xFD, 2, 9, 9, 0xFE, 7, 7]
    memory.replaceSubrange(16..<16 + area.count, with: area)
    bench.tag.eeprom.load(memory)
  }

  /// Random data everywhere, sector 0 under the directory's key A.
  static let random: @Sendable (Bench) -> Void = { bench in
    var memory = bench.memory
    var number: UInt32 = 7
    for at in 16..<memory.count where at % 64 < 48 {
      number = number &* 1_664_525 &+ 1_013_904_223
      memory[at] = UInt8(number >> 24)
    }
    memory.replaceSubrange(48..<54, with: Key.mad.bytes)
    memory[57] = 0xC1
    bench.tag.eeprom.load(memory)
  }

  /// The directory of an application in sectors 1 to 3, with data in them.
  private static let others: @Sendable (Bench) -> Void = { bench in
    var memory = bench.memory
    for sector in 1...3 {
      memory.replaceSubrange(16 + sector * 2..<18 + sector * 2, with: [0x15, 0x48])
      for at in sector * 64..<sector * 64 + 48 { memory[at] = UInt8(at & 0xFF) }
    }
    memory[17] = 0x01
    memory[16] = MAD.checksum(memory[17..<48])
    let trailer = SectorTrailer.mad(.one, keyB: .factory).serialize()
    memory.replaceSubrange(48..<64, with: trailer)
    bench.tag.eeprom.load(memory)
  }

  static func close(_ sector: Int, _ bench: Bench) {
    var memory = bench.memory
    let key = PreparedTag.strangeKey.bytes
    memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 54, with: key)
    memory.replaceSubrange(
      sector * 64 + 54..<sector * 64 + 57, with: AccessBits(.nfcReadWrite).serialize())
    memory.replaceSubrange(sector * 64 + 58..<sector * 64 + 64, with: key)
    bench.tag.eeprom.load(memory)
  }

  static func set(_ conditions: AccessConditions, of sector: Int, _ bench: Bench) {
    var memory = bench.memory
    memory.replaceSubrange(
      sector * 64 + 54..<sector * 64 + 57, with: AccessBits(conditions).serialize())
    bench.tag.eeprom.load(memory)
  }
}
