import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A cell of the EEPROM that does not take its bit, in every byte of every block that a job writes
/// (every bit in the exhaustive run). What the tag holds afterwards is judged by `TagImage`.
@Suite("A bad cell in a MIFARE Classic")
struct BadCellTests {
  static let cases = FaultCase.all.filter { item in
    guard item.isClassic, item.product != "classic4k" else { return false }
    return Exhaustive.isAsked || item.product == "mini" || item.name == "longer after long"
      || item.name == "format"
  }

  @Test("is never success: the block is named, or the sector is named as lost", arguments: cases)
  func everyCell(_ item: FaultCase) throws {
    let prepared = try Bench(item.product)
    item.prepare(prepared)
    let before = prepared.memory
    let rehearsal = try Bench(item.product)
    rehearsal.tag.eeprom.load(before)
    #expect(rehearsal.run(item.job) { $0.credentials = item.credentials }.failure == nil)
    let wanted = rehearsal.memory
    let written = stride(from: 0, to: before.count, by: 16).filter {
      before[$0..<$0 + 16] != wanted[$0..<$0 + 16]
    }
    let isLarge = item.product != "mini"
    for (number, block) in written.enumerated() {
      let step = Exhaustive.isAsked ? 1 : isLarge ? 128 : 40
      for bit in stride(from: number * 7 % step, to: 128, by: step) {
        let (address, bit) = (block + bit / 8, bit % 8)
        let value = wanted[address] >> UInt8(bit) & 1 ^ 1
        try strike(
          item, before, wanted: wanted, StuckBit(address: address, bit: bit, value: value))
      }
    }
  }

  private func strike(
    _ item: FaultCase, _ before: [UInt8], wanted: [UInt8], _ cell: StuckBit
  ) throws {
    let what = "\(item.testDescription), byte \(cell.address) bit \(cell.bit) stays \(cell.value)"
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(before)
    bench.tag.eeprom.stuckBits = [cell]
    let report = bench.run(item.job) { $0.credentials = item.credentials }
    let said = report.findings.map(\.code) + [report.failure?.what ?? ""]
    let isLost = said.contains { $0.contains("destroyed") || $0 == "sector-closed" }
    if let failure = report.failure {
      #expect(!report.verified, "\(what)")
      let isNamed = failure.what.lowercased().contains("block \(cell.address / 16)")
      #expect(
        failure.kind == .mismatch && isNamed || isLost || failure.what.contains("frozen"),
        "\(what): \(failure)")
      #expect(failure.remedy != nil && failure.holds != .unchanged, "\(what): \(failure)")
    } else if TagImage.settingTornByte(ofClassic: bench.memory) != wanted {
      #expect(isLost, "success: \(what)")
      #expect(isTrue(bench.memory, wanted), "\(what)")
    }
    // A later start remembers nothing of the first.
    let again = bench.run(item.job) { $0.credentials = item.credentials }
    guard again.failure == nil else { return }
    #expect(isTrue(bench.memory, wanted), "success later: \(what)")
  }

  /// Whether readers find what was wanted; a message that lay in a destroyed sector is lost with
  /// it.
  private func isTrue(_ memory: [UInt8], _ wanted: [UInt8]) -> Bool {
    let content = TagImage.content(ofClassic: memory)
    return content == TagImage.content(ofClassic: wanted)
      || TagImage.hasDestroyedSector(memory) && content == .message([])
  }

  @Test("under the length of an empty message is not somebody's message of four bytes")
  func lengthByte() throws {
    let bench = try Bench("classic1k")
    bench.tag.eeprom.stuckBits = [StuckBit(address: 65, bit: 2, value: 1)]
    let report = bench.run(.formatClassic(ClassicFormat()))
    #expect(report.failure?.kind == .mismatch)
    #expect(report.failure?.what.contains("block 4") == true)
    // The next start finds four bytes that no reader can decode, and calls them neither a message
    // nor success.
    let again = bench.run(.formatClassic(ClassicFormat()))
    #expect(again.failure?.kind == .refused, "\(String(describing: again.failure))")
    var format = ClassicFormat()
    format.overwrite = true
    #expect(bench.run(.formatClassic(format)).failure?.kind == .mismatch)
  }

  @Test(
    "in the directory drops no sector and keeps no wrong info byte",
    arguments: [(17, 5), (18, 0), (31, 6), (46, 1), (16, 3)])
  func directory(_ address: Int, _ bit: Int) throws {
    let bench = try Bench("classic1k")
    let golden = GoldenImage.formatted("classic1k", uid: bench.tag.uid, blank: bench.memory)
    let value = golden[address] >> UInt8(bit) & 1 ^ 1
    bench.tag.eeprom.stuckBits = [StuckBit(address: address, bit: bit, value: value)]
    for _ in 1...2 {
      let report = bench.run(.formatClassic(ClassicFormat()))
      #expect(report.failure?.kind == .mismatch, "\(String(describing: report.failure))")
      #expect(report.failure?.what.contains("block \(address / 16)") == true)
    }
    // Once the cell takes its bit, everything is as it should be.
    bench.tag.eeprom.stuckBits = []
    #expect(bench.run(.formatClassic(ClassicFormat())).failure == nil)
    #expect(bench.memory == golden)
  }

  @Test("that fails once is put right within the run, wherever it is", arguments: ["mini"])
  func onlyOnce(_ product: String) throws {
    var format = ClassicFormat()
    format.message = try url("https://example.com/t/0001")
    let rehearsal = try Bench(product)
    #expect(rehearsal.run(.formatClassic(format)).failure == nil)
    for cycle in 0..<rehearsal.chip.places.eepromWrites {
      for bit in stride(from: cycle % 3, to: 128, by: Exhaustive.isAsked ? 1 : 3) {
        var flipped = [UInt8](repeating: 0, count: 16)
        flipped[bit / 8] = 1 << UInt8(bit % 8)
        var faults = FaultPlan()
        faults.eepromWrites = [(.at(cycle), .missed(flipped: flipped))]
        let bench = try Bench(product, faults: faults)
        let report = bench.run(.formatClassic(format))
        if TagImage.hasDestroyedSector(bench.memory) { continue }
        #expect(
          report.failure == nil, "cycle \(cycle), bit \(bit): \(report.failure?.message ?? "")")
        #expect(bench.memory == rehearsal.memory, "cycle \(cycle), bit \(bit)")
      }
    }
  }
}
