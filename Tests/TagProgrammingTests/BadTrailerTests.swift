import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a bad cell in a sector trailer leaves for the next start")
struct BadTrailerTests {
  private func mini(stuck: [StuckBit]) throws -> Bench {
    let bench = try Bench("mini")
    #expect(bench.run(FaultCase.short).failure == nil)
    bench.tag.eeprom.stuckBits = stuck
    return bench
  }

  @Test("a sector locked with a wrong key A is no locked sector of an NDEF tag")
  func lockedAway() throws {
    let bench = try mini(stuck: [StuckBit(address: 304, bit: 0, value: 0)])
    #expect(bench.run(.lock(force: false)).failure?.kind == .mismatch)
    let again = bench.run(.lock(force: false))
    #expect(again.failure?.kind == .refused)
    #expect(again.failure?.cause == .classic(.notPublic([4])))
  }

  @Test("a locked sector that says it may be written is named")
  func lockByte() throws {
    let bench = try mini(stuck: [0, 1].map { StuckBit(address: 313, bit: $0, value: 0) })
    #expect(bench.run(.lock(force: false)).failure?.kind == .mismatch)
    let again = bench.run(.lock(force: false))
    #expect(again.failure == nil && again.findings.map(\.code) == ["lock-byte"])
  }

  @Test("a message that is lost with its sector is named as lost")
  func messageLost() throws {
    let bench = try mini(stuck: [StuckBit(address: 118, bit: 0, value: 0)])
    let report = bench.run(FaultCase.formatWithKeyB)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(Set(report.findings.map(\.code)) == ["sector-destroyed", "message-lost"])
    #expect(TagImage.content(ofClassic: bench.memory) == .message([]))
  }
}
