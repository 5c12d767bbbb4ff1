import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("MIFARE Classic cards that are not what they seem")
struct ClassicCardTests {
  private static func labelled(_ product: String, sak: UInt8) throws -> Bench {
    var deviations = TagDeviations()
    deviations.sak = sak
    return Bench(DeviatingTag(try TagCatalog.tag(product), deviations))
  }

  private static func format(overwrite: Bool = false) -> Job {
    var format = ClassicFormat()
    format.overwrite = overwrite
    return .formatClassic(format)
  }

  @Test("a 1K that calls itself a 4K gets the directory of a 1K", arguments: [true, false])
  func smaller(overwrite: Bool) throws {
    let bench = try Self.labelled("classic1k", sak: 0x18)
    let blank = bench.memory
    let report = bench.run(Self.format(overwrite: overwrite))
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(
      bench.memory == GoldenImage.formatted("classic1k", uid: bench.tag.uid, blank: blank))
    #expect(report.product == .classic1K && report.capacity == 716)
    #expect(report.findings.map(\.code) == ["card-size"])
    #expect(bench.run(Self.format()).result == .unchanged)
    let message = try url("https://example.com/t/0001")
    #expect(bench.run(.write(message, WriteOptions())).failure == nil)
    #expect(bench.run(.read).message == message)
    #expect(TagImage.content(ofClassic: bench.memory) == .message(message.serialize()))
  }

  @Test(
    "a card that calls itself larger is shown, dumped, reset and restored as what it is",
    arguments: [("classic1k", UInt8(0x18)), ("classic1k", 0x19), ("classic2k", 0x18)])
  func smallerWhole(_ product: String, sak: UInt8) throws {
    let bench = try Self.labelled(product, sak: sak)
    let looked = bench.run(.read)
    #expect(looked.failure == nil && looked.product?.name == product)
    let blank = bench.memory
    #expect(bench.run(FaultCase.short).failure == nil)
    let written = bench.memory
    #expect(bench.run(.info).findings.map(\.code) == ["card-size"])
    let dump = try #require(bench.run(.dump).dump)
    #expect(dump.image.bytes == written)
    let reset = bench.run(.resetClassic)
    #expect(reset.failure == nil && reset.findings.map(\.code) == ["card-size"])
    #expect(bench.memory == blank)
    let restored = bench.run(.restore(Restore(dump.image)))
    #expect(restored.failure == nil, "\(restored.failure?.message ?? "")")
    #expect(bench.memory == written)
  }

  @Test(
    "a card that calls itself larger is locked once: what its MAD1 names is all of it",
    arguments: [UInt8(0x18), 0x19], [false, true])
  func smallerLocked(sak: UInt8, isNDEF: Bool) throws {
    let (labelled, plain) = (
      try Self.labelled("classic1k", sak: sak), try Self.labelled("classic1k", sak: 0x08)
    )
    for bench in [labelled, plain] {
      if isNDEF { #expect(bench.run(FaultCase.short).failure == nil) }
      let job = PreparedTag.write { $0.lock = true }
      #expect(bench.run(job).result == .written)
      #expect(bench.run(job).result == .unchanged)
    }
    #expect(labelled.memory == plain.memory)
  }

  @Test(
    "a larger card that calls itself a 1K is named, and formatted as far as readers look",
    arguments: [("classic4k", true), ("classic4k", false), ("classic2k", false)])
  func larger(_ product: String, overwrite: Bool) throws {
    let bench = try Self.labelled(product, sak: 0x08)
    let before = bench.memory
    let report = bench.run(Self.format(overwrite: overwrite))
    #expect(report.failure == nil && report.capacity == 716)
    #expect(report.product?.name == product)
    #expect(report.findings.map(\.code) == ["card-size"])
    #expect(bench.memory[1024...] == before[1024...])
    #expect(TagImage.content(ofClassic: bench.memory) == .message([]))
    #expect(bench.run(Self.format()).result == .unchanged)
  }

  @Test(
    "a look at a larger card says how large it is, whatever it calls itself",
    arguments: [
      ("classic4k", 0x08), ("classic4k", 0x19), ("classic4k", 0x09), ("classic2k", 0x08),
      ("classic2k", 0x09), ("classic1k", 0x09),
    ] as [(String, UInt8)])
  func largerSeen(_ product: String, sak: UInt8) throws {
    let bench = try Self.labelled(product, sak: sak)
    for _ in 1...2 {
      let report = bench.run(.info)
      #expect(report.failure == nil && report.product?.name == product, "\(product), \(sak)")
      #expect(report.findings.map(\.code) == ["card-size"], "\(product), \(sak)")
      // Once more as one that was formatted as what it is.
      bench.tag.eeprom.load(
        GoldenImage.formatted(product, uid: bench.tag.uid, blank: bench.memory))
    }
  }

  @Test("the size is not looked at where a message is written")
  func notOnWrites() throws {
    let bench = try Self.labelled("classic4k", sak: 0x08)
    #expect(bench.run(Self.format()).failure == nil)
    let genuine = try Bench("classic1k")
    #expect(genuine.run(Self.format()).failure == nil)
    let job = Job.write(try url("https://example.com/t/0001"), WriteOptions())
    let (one, other) = (bench.run(job), genuine.run(job))
    #expect(one.failure == nil && one.counts.frames == other.counts.frames)
  }

  /// One sector, as `mifare-classic-write-ndef` of libfreefare 0.4.0 formats it.
  private static func freefare() throws -> Bench {
    let bench = try Bench("classic1k")
    var memory = bench.memory
    let key: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
    memory[17..<20] = [0x01, 0x03, 0xE1]
    memory[16] = MAD.checksum(memory[17..<48])
    memory.replaceSubrange(
      48..<64, with: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x79, 0x67, 0x88, 0xC1] + key)
    let message = try url("https://example.com/t/1").serialize()
    memory.replaceSubrange(
      64..<66 + message.count + 1, with: [0x03, UInt8(message.count)] + message + [0xFE])
    memory.replaceSubrange(112..<128, with: key + [0x7F, 0x07, 0x88, 0x40] + key)
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test("what libfreefare formatted is finished: its key B is the public NFC key")
  func freefareCard() throws {
    let bench = try Self.freefare()
    let report = bench.run(Self.format())
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let message = try url("https://example.com/t/1")
    #expect(report.capacity == 716 && report.message == message)
    #expect(bench.run(.info).findings.isEmpty)
    #expect(bench.run(FaultCase.write(FaultCase.media(300))).failure == nil)
    #expect(bench.run(.resetClassic).failure == nil)
    let blank = try Bench("classic1k").memory
    #expect(bench.memory[16...] == blank[16...])
  }

  @Test("one lost authentication costs no sector, wherever it strikes", arguments: [true, false])
  func lostAuthentication(isKeyed: Bool) throws {
    func bench(_ faults: FaultPlan) throws -> Bench {
      let bench = try Bench("classic1k", faults: faults)
      if isKeyed { FaultCase.keyed(.zeros)(bench) }
      return bench
    }
    let rehearsal = try bench(.none)
    #expect(rehearsal.run(Self.format(overwrite: true)).failure == nil)
    for place in 0..<rehearsal.chip.places.exchanges {
      for fault in [ExchangeFault.answerCorrupt, .answerLost] {
        var faults = FaultPlan()
        faults.exchanges = [(.at(place), fault)]
        let bench = try bench(faults)
        let report = bench.run(Self.format(overwrite: true))
        // Before the tag was met there is nothing to lose.
        if report.failure?.kind == .noTag { continue }
        #expect(report.failure == nil, "\(place): \(report.failure?.message ?? "")")
        #expect(bench.memory == rehearsal.memory, "\(place)")
        #expect(report.findings.isEmpty, "\(place)")
      }
    }
  }

  @Test("a sector that is given up is a finding, and stays one when the tag is formatted again")
  func givenUp() throws {
    let bench = try Bench("classic1k")
    var memory = bench.memory
    let secret: [UInt8] = [1, 2, 3, 4, 5, 6]
    memory.replaceSubrange(7 * 64 + 48..<7 * 64 + 54, with: secret)
    memory.replaceSubrange(7 * 64 + 58..<7 * 64 + 64, with: secret)
    bench.tag.eeprom.load(memory)
    #expect(bench.run(Self.format()).failure?.kind == .refused)
    for result in [TagReport.Result.written, .unchanged] {
      let report = bench.run(Self.format(overwrite: true))
      #expect(report.result == result && report.capacity == 8 * 48 - 4)
      #expect(report.findings.map(\.code) == ["sector-closed"])
      #expect(report.findings.first?.text.hasPrefix("Sector 7 closed") == true)
    }
  }

  @Test("every trailer that is written is proved with key B, too: a wrong one is told by its block")
  func keyB() throws {
    for sector in 0...4 {
      let bench = try Bench("mini")
      let address = sector * 64 + 48 + 12
      bench.tag.eeprom.stuckBits = [StuckBit(address: address, bit: 4, value: 0)]
      let report = bench.run(Self.format(overwrite: sector == 2))
      #expect(report.failure?.kind == .mismatch)
      #expect(
        report.failure?.what.contains("block \(sector * 4 + 3)") == true, "sector \(sector)")
    }
  }
}

extension ClassicCardTests {
  /// A 4K with `memory` changed by `change` behind a first format.
  private func prepared(_ format: Job, _ change: (inout [UInt8]) -> Void) throws -> Bench {
    let bench = try Bench("classic4k")
    #expect(bench.run(format).failure == nil)
    var memory = bench.memory
    change(&memory)
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test("no sector of another application leaves a 4K's directory without leave")
  func shrunk() throws {
    let second = PreparedTag.format { $0.directory = .mad2 }
    let bench = try prepared(second) { memory in
      // Sector 17 is of cluster 48h, the others for NFC; the checksum is 17h.
      let named = [0x11, 0x48] + Array(repeating: [0x03, 0xE1], count: 6).flatMap(\.self)
      memory.replaceSubrange(64 * 16..<65 * 16, with: [0x17, 0x01] + named.map { UInt8($0) })
    }
    let before = bench.memory
    let first = bench.run(PreparedTag.format { $0.directory = .mad1 })
    #expect(first.failure?.remedy == .permitOverwrite && bench.memory == before)
    let leave = PreparedTag.format {
      $0.directory = .mad1
      $0.overwrite = true
    }
    #expect(bench.run(leave).failure == nil)
  }

  @Test("a reset spares data in blocks that a MAD1 does not describe", arguments: 64...66)
  func beyond(_ block: Int) throws {
    let first = PreparedTag.format { $0.directory = .mad1 }
    let bench = try prepared(first) { memory in
      for byte in 0..<16 { memory[block * 16 + byte] = 0x66 }
    }
    let before = bench.memory
    let report = bench.run(.resetClassic)
    #expect(report.failure?.remedy == .permitOverwrite && bench.memory == before)
    #expect(bench.run(.eraseClassic).failure == nil)
  }
}
