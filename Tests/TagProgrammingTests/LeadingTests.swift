import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A torn first block of a tag that holds a message reads as anything, TLVs included.
@Suite("What stands before the message of a MIFARE Classic")
struct LeadingTests {
  private func bench(_ start: [UInt8], at block: Int = 4) throws -> Bench {
    let bench = try Bench("classic1k")
    #expect(bench.run(FaultCase.short).failure == nil)
    var memory = bench.memory
    memory.replaceSubrange(block * 16..<block * 16 + start.count, with: start)
    bench.tag.eeprom.load(memory)
    return bench
  }

  private static let message = PreparedTag.url.serialize()

  @Test(
    "is dropped where no message follows it: the first block was torn",
    arguments: [
      [0x44, 0x03, 1, 2, 3, 0x03, 0x20, 0xAA, 0xBB], [0x00, 0x00, 0x03, 0x05, 0xFF, 0x12],
      [0xFD, 0x02, 9, 9, 0x03, 0xFF, 0xFF, 0x00], [0x7A, 0x0C], [0x03, 0x09, 0xDE, 0xAD],
    ] as [[UInt8]])
  func torn(_ start: [UInt8]) throws {
    let bench = try bench(start)
    let wanted = try Bench("classic1k")
    #expect(wanted.run(FaultCase.short).failure == nil)
    let report = bench.run(FaultCase.short)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(bench.memory == wanted.memory)
  }

  @Test("stays and is said where a message follows it; --overwrite drops it")
  func kept() throws {
    let other: [UInt8] = [0x44, 0x03, 1, 2, 3]
    let bench = try bench(other + [0x03, UInt8(Self.message.count)] + Self.message + [0xFE])
    let report = bench.run(FaultCase.other)
    #expect(report.failure == nil && report.findings.map(\.code) == ["tlv-kept"])
    #expect(Array(bench.memory[64..<69]) == other)
    let again = bench.run(FaultCase.other)
    #expect(again.result == .unchanged && again.findings.map(\.code) == ["tlv-kept"])
    let dropped = bench.run(
      PreparedTag.write { $0.overwrite = true })
    #expect(dropped.failure == nil && dropped.findings.isEmpty && bench.memory[64] == 0x03)
  }

  @Test("NULL TLVs before a message stay, and are nothing to speak of")
  func nulls() throws {
    let bench = try bench([0, 0, 0x03, UInt8(Self.message.count)] + Self.message + [0xFE])
    let report = bench.run(FaultCase.other)
    #expect(report.failure == nil && report.findings.isEmpty)
    #expect(Array(bench.memory[64..<67]) == [0, 0, 0x03])
  }

  @Test("is told by a run that is cut short in its block, for nothing else on the tag tells it")
  func told() throws {
    let bench = try bench(
      [0xFD, 0x01, 0x77, 0x03, UInt8(Self.message.count)] + Self.message + [0xFE])
    let before = bench.memory
    let rehearsal = bench.run(FaultCase.other)
    #expect(rehearsal.failure == nil)
    var told = 0
    for write in 0..<bench.chip.places.eepromWrites {
      var faults = FaultPlan()
      faults.eepromWrites = [(.at(write), .scrambled(seed: 5, putBack: false))]
      let torn = try Bench("classic1k", faults: faults)
      torn.tag.eeprom.load(before)
      let report = torn.run(FaultCase.other) { $0.patience = .zero }
      guard let failure = report.failure else { continue }
      guard Array(torn.memory[64..<68]) != [0xFD, 0x01, 0x77, 0x03] else { continue }
      #expect(failure.tagHolds?.contains("FD 01 77 03") == true, "\(failure)")
      told += 1
    }
    #expect(told > 0)
  }
}
