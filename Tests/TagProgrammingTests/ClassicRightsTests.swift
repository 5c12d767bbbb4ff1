import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a MIFARE Classic lets one do is known before the first write")
struct ClassicRightsTests {
  private static let own = FaultCase.ownKeyB

  private func put(_ text: String, at block: Int, _ bench: Bench) {
    var memory = bench.memory
    let bytes = Array(text.utf8)
    memory.replaceSubrange(block * 16..<block * 16 + bytes.count, with: bytes)
    bench.tag.eeprom.load(memory)
  }

  private func setTrailer(
    _ sector: Int, _ keyA: Key, _ conditions: AccessConditions, _ byte: GeneralPurposeByte,
    _ keyB: Key, _ bench: Bench
  ) {
    var memory = bench.memory
    let trailer = SectorTrailer(
      keyA: keyA, conditions: conditions, generalPurposeByte: byte, keyB: keyB)
    memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 64, with: trailer.serialize())
    bench.tag.eeprom.load(memory)
  }

  @Test(
    "a telephone may write where key A writes every block of the first sector, and no key is asked for that none is",
    arguments: DataCondition.allCases, [TrailerCondition.managedWithB, .closed])
  func blocks(_ first: DataCondition, _ trailer: TrailerCondition) throws {
    let bench = try Bench("classic1k")
    _ = bench.run(FaultCase.short)
    for second in DataCondition.allCases {
      for third in DataCondition.allCases {
        let conditions = AccessConditions(first, second, third, trailer: trailer)
        setTrailer(1, .nfc, conditions, .nfcReadWrite, .factory, bench)
        let groups = BlockGroup.allCases
        let mayWrite = groups.allSatisfy { conditions.allows(.write, $0, with: .a) }
        let info = bench.run(.info)
        #expect(info.status != .readWrite || mayWrite, "\(conditions)")
        let isShown = groups.allSatisfy { conditions.allows(.read, $0, with: .a) }
        #expect(!isShown || (info.status == .readWrite) == mayWrite, "\(conditions)")
        let failure = bench.run(FaultCase.other) { $0.dryRun = true }.failure
        let isForNobody = groups.contains { group in
          KeyType.allCases.allSatisfy { !conditions.allows(.write, group, with: $0) }
        }
        let asksForKey = failure?.remedy == .giveWritingKey
        #expect(!asksForKey || !isForNobody, "\(conditions): \(failure!)")
      }
    }
  }

  @Test("a message in a sector that only key B reads is there for telephones after a write")
  func readWithBOnly() throws {
    let bench = try Bench("classic1k")
    _ = bench.run(FaultCase.short)
    let bits = AccessConditions(data: .keyBOnly, trailer: .managedWithB)
    setTrailer(1, .nfc, bits, .nfcReadWrite, .factory, bench)
    #expect(PhoneWithKeyA.content(of: bench.memory) == .none)
    let report = bench.run(FaultCase.other)
    #expect(report.failure == nil)
    guard case .write(let message, _) = FaultCase.other else { return }
    #expect(PhoneWithKeyA.content(of: bench.memory) == .message(message.serialize()))
  }

  @Test("a soft read-only card is reset with its key B, the trailer before the data")
  func softReadOnly() throws {
    let bench = try Bench("classic1k")
    let delivered = bench.memory
    _ = bench.run(FaultCase.formatWithKeyB)
    _ = bench.run(FaultCase.short) { $0.credentials.keys = [Self.own] }
    let bits = AccessConditions(data: .readOnly, trailer: .managedWithB)
    for sector in 1...15 { setTrailer(sector, .nfc, bits, .nfcReadOnly, Self.own, bench) }
    #expect(bench.run(.resetClassic) { $0.credentials.keys = [Self.own] }.failure == nil)
    #expect(bench.memory == delivered)
  }

  @Test(
    "a block is written, and read, with a key B that may not change the trailer",
    arguments: [TrailerCondition.keysWithB, .bitsWithB, .closed, .closedToo])
  func keyBForData(_ trailer: TrailerCondition) throws {
    let bench = try Bench("classic1k")
    let bits = AccessConditions(data: .writtenWithB, trailer: trailer)
    setTrailer(5, .factory, bits, .transport, Self.own, bench)
    let write = Job.writeBlocks(BlockWrite(start: 20, bytes: Array(1...16), force: false))
    #expect(bench.run(write).failure?.kind == .refused)
    let report = bench.run(write) { $0.credentials.keys = [Self.own] }
    #expect(report.failure == nil && Array(bench.memory[320..<336]) == Array(1...16))

    let hidden = AccessConditions(data: .readOnlyWithB, trailer: trailer)
    setTrailer(5, .factory, hidden, .transport, Self.own, bench)
    let dump = bench.run(.dump) { $0.credentials.keys = [Self.own] }.dump
    #expect(dump?.image.row(20) == Array(1...16) && dump?.unreadRows.isEmpty == true)
  }

  @Test("data that belong to no message are erased with leave alone")
  func resetForeign() throws {
    for block in [20, 1, 62] {
      let bench = try Bench("classic1k")
      let delivered = bench.memory
      put("USER-DATA", at: block, bench)
      let before = bench.memory
      let refused = bench.run(.resetClassic)
      #expect(refused.failure?.kind == .refused && bench.memory == before)
      #expect(refused.failure?.remedy == .permitOverwrite)
      #expect(bench.run(.eraseClassic).failure == nil && bench.memory == delivered)
    }
  }

  @Test(
    "and so are those in sector 0 under the directory's key, where it was no reset that left them",
    arguments: [(0x69, [1, 2]), (0xC1, [1, 2]), (0xC1, [1])] as [(UInt8, [Int])])
  func resetDirectoryOfOthers(_ purpose: UInt8, _ blocks: [Int]) throws {
    let bench = try Bench("classic1k")
    for block in blocks { put("USER-DATA 4711AB", at: block, bench) }
    var memory = bench.memory
    memory.replaceSubrange(
      48..<58, with: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x78, 0x77, 0x88, purpose])
    bench.tag.eeprom.load(memory)
    let refused = bench.run(.resetClassic)
    #expect(refused.failure?.remedy == .permitOverwrite && bench.memory == memory)
  }

  @Test("a reset that was cut short, and a format, are finished without leave")
  func resetOwn() throws {
    let delivered = try Bench("classic1k").memory
    for end in [3, 9, 30, 60] {
      let bench = try Bench("classic1k")
      _ = bench.run(FaultCase.write(FaultCase.media(150)))
      _ = bench.run(.resetClassic, until: end)
      #expect(bench.run(.resetClassic).failure == nil && bench.memory == delivered, "\(end)")
    }
    for end in [3, 9, 30] {
      let bench = try Bench("classic1k")
      _ = bench.run(FaultCase.write(FaultCase.media(150)), until: end)
      let report = bench.run(.resetClassic)
      #expect(report.failure == nil && bench.memory == delivered, "\(end)")
    }
  }

  @Test("data in sectors that a MAD1 says nothing of, or calls free, are not formatted over")
  func dataBesideArea() throws {
    for block in [64, 65, 80, 81, 144, 150] {
      let bench = try Bench("classic4k")
      _ = bench.run(PreparedTag.format { $0.directory = .mad1 })
      _ = bench.run(FaultCase.short)
      put("THIRD-PARTY-DATA", at: block, bench)
      let before = bench.memory
      let refused = bench.run(PreparedTag.format())
      #expect(refused.failure?.kind == .refused && bench.memory == before, "block \(block)")
      #expect(bench.run(FaultCase.other).failure == nil)
      #expect(bench.memory[1024...] == before[1024...], "block \(block)")
      let forced = bench.run(PreparedTag.format { $0.overwrite = true })
      #expect(forced.failure == nil && forced.capacity ?? 0 > 3000, "block \(block)")
    }
    let bench = try Bench("classic1k")
    _ = bench.run(FaultCase.fewest(PreparedTag.url))
    put("THIRD-PARTY-DATA", at: 20, bench)
    let before = bench.memory
    #expect(bench.run(PreparedTag.format()).failure?.kind == .refused && bench.memory == before)
  }

  @Test("a sector under secret keys is not given up without leave")
  func secretSector() throws {
    for isFormatted in [true, false] {
      let bench = try Bench("classic1k")
      if isFormatted { _ = bench.run(FaultCase.short) }
      FaultCase.close(1, bench)
      let before = bench.memory
      let report = bench.run(FaultCase.other)
      #expect(report.failure?.kind == .refused && bench.memory == before)
      let forced = bench.run(PreparedTag.write { $0.overwrite = true })
      #expect(forced.failure == nil && forced.findings.contains { $0.code == "sector-closed" })
    }
  }

  @Test("a message that is locked on a part of the card cannot be led away from")
  func lockedDirectory() throws {
    let jobs = [
      PreparedTag.write { ($0.lock, $0.sectors) = (true, .fewest) }
    ]
    for job in jobs {
      let bench = try Bench("classic1k")
      let report = bench.run(job)
      #expect(report.failure == nil && report.isLocked == true)
      #expect(report.findings.contains { $0.code == "sectors-open" })
      #expect(Array(bench.memory[54..<57]) == [0x07, 0x8F, 0x0F] && bench.memory[57] == 0xC1)
      let before = Array(bench.memory[..<64])
      let attack = bench.run(
        .writeBlocks(
          BlockWrite(start: 1, bytes: [0xFD] + [UInt8](repeating: 0, count: 31), force: true)))
      #expect(attack.failure?.kind == .refused && Array(bench.memory[..<64]) == before)
      #expect(bench.run(job).result == .unchanged)
    }
    // Where every sector is locked there is none to lead to.
    let bench = try Bench("classic1k")
    let whole = bench.run(PreparedTag.write { $0.lock = true })
    #expect(whole.failure == nil && !whole.findings.contains { $0.code == "sectors-open" })
    #expect(Array(bench.memory[54..<57]) == [0x78, 0x77, 0x88])
  }

  @Test(
    "a blank card with a sector that takes no trailer is refused as it was, or written",
    arguments: [
      (15, TrailerCondition.keysWithA), (0, .keyBShown), (0, .bitsWithB), (1, .keysWithB),
    ])
  func oneSectorFixed(_ sector: Int, _ trailer: TrailerCondition) throws {
    for job in [FaultCase.short, PreparedTag.format(), FaultCase.fewest(PreparedTag.url)] {
      let bench = try Bench("classic1k")
      FaultCase.set(AccessConditions(data: .open, trailer: trailer), of: sector, bench)
      let before = bench.memory
      let report = bench.run(job)
      #expect(report.failure == nil || bench.memory == before, "\(report.failure?.message ?? "")")
    }
    let bench = try Bench("classic1k")
    FaultCase.set(AccessConditions(data: .open, trailer: trailer), of: sector, bench)
    let before = bench.memory
    let report = bench.run(
      PreparedTag.write(FaultCase.media(500)) { $0.overwrite = true })
    #expect(report.failure == nil || bench.memory == before, "\(report.failure?.message ?? "")")
  }

  @Test("one frame in 200 lost costs a used card no sector", arguments: 1...8)
  func lostFrames(_ seed: Int) throws {
    let clean = try Bench("classic1k")
    FaultCase.random(clean)
    let used = clean.memory
    #expect(clean.run(PreparedTag.format { $0.overwrite = true }).failure == nil)
    let places = clean.chip.places.exchanges
    var number = UInt32(truncatingIfNeeded: seed &* 2_654_435_761)
    var plan = FaultPlan()
    for place in 0..<places * 3 {
      number = number &* 1_664_525 &+ 1_013_904_223
      if number >> 16 % 200 == 0 { plan.exchanges.append((.at(place), .silence)) }
    }
    let bench = try Bench("classic1k", faults: plan)
    bench.tag.eeprom.load(used)
    let report = bench.run(PreparedTag.format { $0.overwrite = true })
    guard report.failure == nil else { return }
    #expect(bench.memory == clean.memory || report.findings.contains { $0.code == "sector-closed" })
  }

  @Test("another application's entries that are replaced are named")
  func replacedEntries() throws {
    let bench = try Bench("classic1k")
    try #require(FaultCase.used.first { $0.name.hasPrefix("another application's: ") })
      .prepare(bench)
    let before = bench.memory
    let refused = bench.run(FaultCase.short)
    #expect(refused.failure?.kind == .refused && bench.memory == before)
    let report = bench.run(PreparedTag.write { $0.overwrite = true })
    #expect(report.failure == nil)
    #expect(report.findings.contains { $0.code == "entries-replaced" })
  }
}
