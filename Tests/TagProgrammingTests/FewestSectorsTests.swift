import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("The fewest sectors of a MIFARE Classic")
struct FewestSectorsTests {
  private func message(_ size: Int) -> Message { FaultCase.media(size) }
  private let short = FaultCase.fewest(PreparedTag.url)

  @Test("take the message and their directory; every other sector stays as delivered, and is free")
  func blank() throws {
    let bench = try Bench("classic1k")
    let delivered = bench.memory
    let report = bench.run(short)
    #expect(report.failure == nil && report.verified && report.capacity == 46)
    var wanted = delivered
    func put(_ block: Int, _ text: String) {
      let digits = Array(text.filter { $0 != " " })
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)!
      }
      wanted.replaceSubrange(block * 16..<block * 16 + 16, with: bytes)
    }
    put(1, "0001 03E1 0000 0000 0000 0000 0000 0000")
    // AN10787, 3.10: the checksum covers the info byte and the entries, MSB first, from C7h.
    var crc: UInt8 = 0xC7
    for byte in wanted[17..<48] {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : (crc << 1) ^ 0x1D }
    }
    wanted[16] = crc
    put(3, "A0A1A2A3A4A5 787788 C1 FFFFFFFFFFFF")
    put(7, "D3F7D3F7D3F7 7F0788 40 FFFFFFFFFFFF")
    let bytes = [0x03, UInt8(PreparedTag.url.serialize().count)] + PreparedTag.url.serialize()
    wanted.replaceSubrange(64..<64 + bytes.count, with: bytes)
    wanted[64 + bytes.count] = 0xFE
    #expect(bench.memory == wanted)
    let directory = bench.run(.info).details.first { $0.label == "directory" }
    #expect(directory?.text == "MAD1, NFC in sector 1; free: sectors 2 to 15")
  }

  @Test("cost no look at the other sectors")
  func cost() throws {
    let report = try Bench("classic1k").run(short)
    // Two sectors: each opened to look at its blocks and at its trailer, sector 0 once more to be
    // written, both new keys of each proven. The directory's second block stays zeros.
    #expect(report.counts.authentications == 7 && report.counts.writes == 5)
    #expect(report.counts.reads == 12)
  }

  @Test("are all that a retry looks at, wherever a write's answer was lost")
  func retries() throws {
    let undisturbed = try Bench("classic1k")
    #expect(undisturbed.run(short).failure == nil)
    for place in 0..<undisturbed.chip.places.eepromWrites {
      var faults = FaultPlan()
      faults.eepromWrites = [(.at(place), .missed(flipped: [0, 0, 0, 1]))]
      let chip = Chip(field: Field(try TagCatalog.tag("classic1k")), faults: faults)
      var blocks: Set<UInt8> = []
      let reader = TagReader(link: DirectLink(chip)) { exchange in
        let command = exchange.command.compactMap(\.self)
        guard command.count > 3, command[0] == 0x40, [0x60, 0x61].contains(command[2]) else {
          return
        }
        blocks.insert(command[3])
      }
      try reader.prepare()
      var options = RunOptions()
      options.timeout = .zero
      let report = Programmer(reader: reader, options: options).run(short)
      // A trailer with a wrong access bit shuts its sector, and the message moves to the next one.
      guard report.findings.isEmpty, report.failure == nil else { continue }
      #expect(blocks.allSatisfy { $0 < 8 }, "write \(place): \(blocks.sorted())")
    }
  }

  @Test(
    "are as many as the message needs, on every card",
    arguments: [
      ("mini", 46, 1), ("mini", 47, 2), ("mini", 190, 4), ("classic1k", 94, 2),
      ("classic1k", 716, 15), ("classic4k", 716, 15), ("classic4k", 717, 16),
      ("classic4k", 1436, 30), ("classic4k", 1437, 31), ("classic4k", 3356, 38),
    ])
  func count(_ product: String, _ size: Int, _ sectors: Int) throws {
    let overhead = message(size).serialize().count - size
    let bench = try Bench(product)
    let report = bench.run(FaultCase.fewest(message(size - overhead)))
    let written = message(size - overhead).serialize()
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(TagImage.content(ofClassic: bench.memory) == .message(written))
    let formatted = (try Bench(product)).memory.count / 16
    let trailers = (1..<formatted).filter { block in
      let isTrailer = block < 128 ? block % 4 == 3 : block % 16 == 15
      return isTrailer && bench.memory[block * 16] == 0xD3
    }
    #expect(trailers.count == sectors)
  }

  @Test("grow for a longer message, never shrink, and are finished by a whole format")
  func grow() throws {
    let bench = try Bench("classic1k")
    #expect(bench.run(short).failure == nil)
    #expect(bench.run(short).result == .unchanged)
    let refused = bench.run(.write(message(100), WriteOptions()))
    #expect(refused.failure?.kind == .badInput)
    #expect(refused.failure?.remedy == .formatMoreSectors)
    #expect(bench.run(FaultCase.fewest(message(100))).failure == nil)
    #expect(TagImage.content(ofClassic: bench.memory) == .message(message(100).serialize()))
    let grown = bench.memory
    #expect(Array(grown[18..<26]) == [0x03, 0xE1, 0x03, 0xE1, 0x03, 0xE1, 0, 0])
    #expect(bench.run(short).failure == nil)
    #expect(bench.memory[16..<48] == grown[16..<48])
    let whole = bench.run(.formatClassic(ClassicFormat()))
    #expect(whole.failure == nil && whole.capacity == 716)
    let usual = try Bench("classic1k")
    _ = usual.run(.write(PreparedTag.url, WriteOptions()))
    // What the longer message left behind the shorter one's end no reader looks at.
    #expect(TagImage.content(ofClassic: bench.memory) == TagImage.content(ofClassic: usual.memory))
    #expect(bench.memory[..<64] == usual.memory[..<64])
    #expect(bench.memory[256...] == usual.memory[256...])
  }

  @Test("of a card formatted so, all are written with `all`")
  func all() throws {
    let bench = try Bench("classic1k")
    _ = bench.run(short)
    var options = WriteOptions()
    options.sectors = .all
    let report = bench.run(.write(PreparedTag.url, options))
    #expect(report.failure == nil && report.capacity == 716)
    let usual = try Bench("classic1k")
    _ = usual.run(.write(PreparedTag.url, WriteOptions()))
    #expect(bench.memory == usual.memory)
    #expect(bench.run(.write(PreparedTag.url, options)).result == .unchanged)
  }

  @Test("leave other sectors' data alone, whoever they belong to")
  func others() throws {
    let bench = try Bench("classic1k")
    var memory = bench.memory
    memory[9 * 64 + 3] = 0x42
    memory.replaceSubrange(12 * 64 + 48..<12 * 64 + 54, with: [9, 8, 7, 6, 5, 4])
    bench.tag.eeprom.load(memory)
    #expect(bench.run(.write(PreparedTag.url, WriteOptions())).failure?.kind == .refused)
    #expect(bench.run(short).failure == nil)
    #expect(bench.memory[9 * 64..<13 * 64] == memory[9 * 64..<13 * 64])
    // But data in the sector that it needs are somebody's.
    memory[82] = 0x42
    bench.tag.eeprom.load(memory)
    #expect(bench.run(short).failure?.kind == .refused)
    #expect(bench.memory == memory)
  }

  @Test("are locked alone, and no others")
  func locked() throws {
    let bench = try Bench("classic1k")
    var options = WriteOptions()
    (options.sectors, options.lock) = (.fewest, true)
    #expect(bench.run(.write(PreparedTag.url, options)).failure == nil)
    #expect(Array(bench.memory[118..<121]) == [0x07, 0x8F, 0x0F])
    #expect(Array(bench.memory[182..<185]) == [0xFF, 0x07, 0x80])
  }
}
