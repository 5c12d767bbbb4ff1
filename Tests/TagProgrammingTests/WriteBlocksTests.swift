import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Raw blocks of a MIFARE Classic")
struct WriteBlocksTests {
  @Test("are written, verified, and not written again")
  func data() throws {
    let bench = try Bench("classic1k")
    let before = bench.memory
    let report = bench.run(FaultCase.rawBlocks)
    #expect(report.result == .written && report.verified, "\(String(describing: report.failure))")
    var wanted = before
    wanted.replaceSubrange(128..<176, with: 1...48)
    #expect(bench.memory == wanted)
    #expect(bench.run(FaultCase.rawBlocks).result == .unchanged)
    let dry = try Bench("classic1k").run(FaultCase.rawBlocks) { $0.dryRun = true }
    #expect(dry.result == .planned && dry.program?.writes.count == 3)
  }

  @Test("a trailer's keys are proven; afterwards the operator's keys are asked for")
  func trailer() throws {
    let bench = try Bench("classic1k")
    #expect(bench.run(FaultCase.rawTrailer).failure == nil)
    #expect(Array(bench.memory[176..<182]) == [1, 2, 3, 4, 5, 6])
    #expect(bench.run(FaultCase.rawTrailer).result == .unchanged)
    #expect(bench.run(FaultCase.rawBlocks).failure?.kind == .refused)
    let known = bench.run(FaultCase.rawBlocks) { $0.credentials.keys = [FaultCase.ownKeyB] }
    #expect(known.failure == nil && known.result == .unchanged)
  }

  @Test("a key B that does not hold is told, though nothing shows it")
  func wrongKeyB() throws {
    let bench = try Bench("mini")
    bench.tag.eeprom.stuckBits = [StuckBit(address: 187, bit: 3, value: 0)]
    // Byte 1 of the key is FFh.
    for _ in 1...2 {
      let report = bench.run(FaultCase.rawTrailer)
      #expect(report.failure?.kind == .mismatch)
      #expect(report.failure?.what.contains("block 11") == true)
    }
  }

  @Test("are no business of a tag with pages")
  func pages() throws {
    let report = try Bench("ntag213").run(FaultCase.rawBlocks)
    #expect(report.failure?.kind == .badInput)
  }
}
