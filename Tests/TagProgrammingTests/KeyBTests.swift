import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Key B of a formatted MIFARE Classic, which never shows")
struct KeyBTests {
  private func formatted(_ product: String = "classic1k") throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(.formatClassic(ClassicFormat())).failure == nil)
    return bench
  }

  private func setKeyB(_ bytes: [UInt8], of sectors: some Sequence<Int>, _ bench: Bench) {
    var memory = bench.memory
    for sector in sectors {
      memory.replaceSubrange(sector * 64 + 58..<sector * 64 + 64, with: bytes)
    }
    bench.tag.eeprom.load(memory)
  }

  @Test("with one wrong bit is found by another start, and replaced", arguments: [0, 1, 9, 15])
  func oneBit(_ sector: Int) throws {
    let bench = try formatted()
    let wanted = bench.memory
    for bit in [0, 21, 47] {
      var key = [UInt8](repeating: 0xFF, count: 6)
      key[bit / 8] ^= 1 << UInt8(bit % 8)
      setKeyB(key, of: [sector], bench)
      let dry = bench.run(.formatClassic(ClassicFormat())) { $0.dryRun = true }
      #expect(dry.result == .planned)
      let report = bench.run(.formatClassic(ClassicFormat()))
      #expect(report.failure == nil && report.result == .written && bench.memory == wanted)
      #expect(report.findings.contains { $0.code == "key-b" })
    }
    let again = bench.run(.formatClassic(ClassicFormat()))
    #expect(again.result == .unchanged && again.findings.isEmpty)
  }

  @Test("with one wrong bit in two sectors is found by another start, and replaced")
  func twoSectors() throws {
    for keyB in [nil, FaultCase.ownKeyB] {
      var format = ClassicFormat()
      format.keyB = keyB
      let bench = try Bench("classic1k")
      #expect(bench.run(.formatClassic(format)).failure == nil)
      let wanted = bench.memory
      for (sector, bit) in [(3, 40), (11, 2)] {
        var key = (keyB ?? .factory).bytes
        key[bit / 8] ^= 1 << UInt8(bit % 8)
        setKeyB(key, of: [sector], bench)
      }
      let report = bench.run(.formatClassic(format))
      #expect(report.failure == nil && bench.memory == wanted, "\(report.failure?.message ?? "")")
    }
  }

  @Test("that a bad cell holds is no success, however often it is started")
  func badCell() throws {
    let bench = try Bench("mini")
    bench.tag.eeprom.stuckBits = [StuckBit(address: 2 * 64 + 60, bit: 5, value: 0)]
    for _ in 1...3 {
      let report = bench.run(.formatClassic(ClassicFormat()))
      #expect(report.failure?.kind == .mismatch, "\(String(describing: report.failure))")
      #expect(report.failure?.what.contains("block 11") == true)
    }
  }

  @Test("that is none of the keys tried stays, and is said; with the key given nothing is")
  func unknown() throws {
    let own = FaultCase.ownKeyB
    for sectors in [Array(0..<16), [3], [2, 7, 11]] {
      let bench = try formatted()
      setKeyB(own.bytes, of: sectors, bench)
      let before = bench.memory
      let report = bench.run(.formatClassic(ClassicFormat()))
      #expect(report.failure == nil && report.result == .unchanged && bench.memory == before)
      #expect(report.findings.map(\.code) == ["key-b"])
      let known = bench.run(.formatClassic(ClassicFormat())) { $0.credentials.keys = [own] }
      #expect(known.result == .unchanged && known.findings.isEmpty && bench.memory == before)
    }
  }

  @Test("costs a whole tag one opening a sector, and no search where it is the operator's own")
  func cost() throws {
    let bench = try formatted()
    let report = bench.run(.formatClassic(ClassicFormat()))
    // Each sector with key A and key B; the blocks of the directory and the first of the area; the
    // trailers.
    #expect(report.counts.authentications <= 16 * 2 + 3)
    setKeyB(FaultCase.ownKeyB.bytes, of: 0..<16, bench)
    let own = bench.run(.formatClassic(ClassicFormat()))
    #expect(own.counts.authentications < 16 * 9)
  }
}
