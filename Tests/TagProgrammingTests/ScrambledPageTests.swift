import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Power that fails while a page is programmed leaves anything in it, and nothing elsewhere.
@Suite("Type 2 pages that hold anything after a torn write")
struct ScrambledPageTests {
  static let cases: [FaultCase] =
    Type2Tests.products.flatMap { product in
      [
        FaultCase(name: "first URL", product: product, job: FaultCase.short),
        FaultCase(
          name: "longer URL", product: product, prepare: FaultCase.after(FaultCase.short),
          job: FaultCase.other),
        FaultCase(
          name: "shorter URL", product: product, prepare: FaultCase.after(FaultCase.other),
          job: FaultCase.short),
      ]
    }
    + ["ntag215", "ntag216"].flatMap { product in
      [
        FaultCase(name: "long message", product: product, job: FaultCase.long),
        FaultCase(
          name: "short after long", product: product, prepare: FaultCase.after(FaultCase.long),
          job: FaultCase.short),
        FaultCase(
          name: "long after short", product: product, prepare: FaultCase.after(FaultCase.short),
          job: FaultCase.long),
      ]
    }

  /// What chance would seldom make: bytes that look like TLVs.
  private static let likely: [[UInt8]] = [
    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x03, 0x00, 0xFE, 0x00], [0x03, 0x05, 0xD1, 0x01],
    [0xFE, 0x00, 0x00, 0x00], [0x01, 0x03, 0xA0, 0x0C], [0x02, 0x14, 0xD1, 0x01],
    [0x01, 0x01, 0x00, 0x03], [0xFD, 0x02, 0x00, 0x00], [0x03, 0xFF, 0x01, 0x35],
    [0x83, 0x02, 0x03, 0x00], [0x34, 0x03, 0x00, 0xFE],
  ]

  /// Whether the two are the same but for what a torn write has left behind the Terminator in its
  /// own page, which to a later start is what somebody else keeps there.
  private static func isSame(_ memory: [UInt8], _ wanted: [UInt8], but page: Page) -> Bool {
    let unit = page.byteOffset..<page.byteOffset + Page.byteCount
    let end = wanted[unit].lastIndex(of: 0xFE).map { $0 + 1 } ?? unit.upperBound
    return memory.indices.allSatisfy {
      memory[$0] == wanted[$0] || (end..<unit.upperBound).contains($0)
    }
  }

  @Test("the same command finishes it, or the failed run has named the way out", arguments: cases)
  func finishes(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let pages = try Self.writtenPages(item, rehearsal)
    var told = 0
    let step = Exhaustive.isAsked ? 1 : max(1, pages.count / 6)
    for (cycle, page) in pages.enumerated()
    where page >= .firstOfArea && (cycle.isMultiple(of: step) || cycle == pages.count - 1) {
      for seed in Exhaustive.isAsked ? Array(0..<24) : [cycle % 12, 12 + cycle % 12] {
        var plan = FaultPlan()
        plan.eepromWrites = [(.at(cycle), .scrambled(seed: UInt64(seed), putBack: false))]
        let bench = try Bench(item.product, faults: plan)
        bench.tag.eeprom.load(rehearsal.before)
        let failed = bench.run(item.job) { $0.patience = .zero }
        if seed < Self.likely.count {
          var memory = bench.memory
          memory.replaceSubrange(
            page.byteOffset..<page.byteOffset + 4, with: Self.likely[seed])
          bench.tag.eeprom.load(memory)
        }
        let what = "\(item.testDescription), \(page), cycle \(cycle), seed \(seed)"
        let failure = try #require(failed.failure, "\(what)")
        bench.chip.field.place([bench.tag])
        let again = bench.run(item.job)
        guard again.failure != nil else {
          #expect(Self.isSame(bench.memory, rehearsal.wanted, but: page), "\(what)")
          // What differs is said.
          let isSaid = again.findings.contains { $0.code == "bytes-kept" }
          #expect(isSaid || bench.memory == rehearsal.wanted, "not a word: \(what)")
          continue
        }
        told += 1
        #expect(again.failure?.kind == .refused, "\(what): \(again.failure!)")
        #expect(failure.remedy == .runAgainInDoubt(.page(page)), "\(what): \(failure)")
        guard case .write(let message, var options) = item.job else { continue }
        options.overwrite = true
        let last = bench.run(.write(message, options))
        #expect(last.failure == nil, "\(what): \(last.failure!)")
        #expect(bench.memory == rehearsal.wanted, "\(what)")
      }
    }
    // Only the first page that is written to a blank tag may be anybody's.
    let isBlank = rehearsal.before[12] == 0
    #expect(told == 0 || isBlank && told <= 24, "\(item.testDescription): \(told)")
  }

  @Test("foreign data are not taken for a torn page of ours", arguments: ["ultralight", "ntag213"])
  func foreign(_ product: String) throws {
    for seed in 0..<40 {
      var number = UInt64(seed)
      let bench = try Bench(product)
      var memory = bench.memory
      for index in 16..<64 {
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        memory[index] = UInt8(truncatingIfNeeded: number >> 56)
      }
      // No TLV, so that nothing says that it is NDEF.
      memory[16] = 0x77
      memory[17] = 0xF0
      bench.tag.eeprom.load(memory)
      #expect(bench.run(FaultCase.short).failure?.kind == .refused, "\(seed)")
      #expect(bench.memory == memory)
    }
  }

  @Test("a failure says nothing of --overwrite where the same command finishes")
  func noNeedlessAdvice() throws {
    var plan = FaultPlan()
    plan.exchanges = [(.at(8), .removed(afterObeying: true))]
    let bench = try Bench("ntag213", faults: plan)
    let failure = try #require(bench.run(FaultCase.short) { $0.patience = .zero }.failure)
    #expect(failure.remedy == .putTagBack, "\(failure)")
  }

  private static func writtenPages(_ item: FaultCase, _ rehearsal: Rehearsal) throws -> [Page] {
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(rehearsal.before)
    return bench.run(item.job).program?.steps.compactMap(\.page) ?? []
  }
}
