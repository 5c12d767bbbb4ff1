import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Lock bits of pages from 16 on, one at a time, where the table of chips has them and where not.
@Suite("No locked page is found out in the middle of a job")
struct LockedPagesTests {
  /// A simulated chip and the page of its dynamic lock bytes, which the engine knows or not.
  static let chips: [(name: String, page: Int, isKnown: Bool)] =
    TagCatalog.names.compactMap { name in
      guard let map = Product.named(name)?.type2, let page = map.dynamicLocks?.page else {
        return nil
      }
      return (name, Int(page.number), true)
    } + [("ntag213c", 40, false), ("fm11nt021", 40, false)]

  /// A tag with a short message and lock bit `bit` set.
  private static func bench(_ name: String, _ page: Int, bit: Int) throws -> Bench {
    let bench = try Bench(name)
    let prepared = bench.run(PreparedTag.write { ($0.overwrite, $0.force) = (true, true) })
    #expect(prepared.failure == nil)
    var memory = bench.memory
    let pages = Product.named(name)?.type2?.pages.map { Int($0.number) } ?? Array(0..<45)
    let row = try #require(pages.firstIndex(of: page))
    memory[row * 4 + bit / 8] |= 1 << UInt8(bit % 8)
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test(
    "a job is done, or refused before its first change; a dry run says the same",
    arguments: chips.indices)
  func refused(_ index: Int) throws {
    let (name, page, isKnown) = Self.chips[index]
    let fresh = try Self.bench(name, page, bit: 0)
    let capacity = try #require(fresh.run(.info).capacity)
    let message = FaultCase.media(min(capacity, 1700) - 30)
    let source = try Bench(name)
    let written = source.run(PreparedTag.write(message) { ($0.overwrite, $0.force) = (true, true) })
    #expect(written.failure == nil)
    let image = try #require(source.run(.dump).dump?.image)
    let jobs: [(String, Job)] = [
      ("write", .write(message, WriteOptions())),
      ("pages", .writePages(PageWrite(start: 15, bytes: Array(1...32), force: false))),
      ("restore", .restore(Restore(image))), ("erase", .emptyMessage(WriteOptions())),
    ]
    var refusals = 0
    for bit in 0..<24 {
      for (job, run) in jobs {
        let bench = try Self.bench(name, page, bit: bit)
        let before = bench.memory
        let dry = bench.run(run) { $0.dryRun = true }
        #expect(bench.memory == before, "\(job), bit \(bit)")
        let report = bench.run(run)
        let what: Comment = "\(job), bit \(bit): \(report.failure.map { "\($0)" } ?? "done")"
        if let failure = report.failure {
          refusals += 1
          #expect(failure.kind == .refused && failure.holds == .unchanged, what)
          #expect(bench.memory == before, what)
          #expect(bench.run(.read).message == PreparedTag.url, what)
          #expect(
            isKnown
              ? dry.failure?.kind == .refused
              : dry.failure == nil && dry.findings.contains { $0.code == "locks-not-known" }, what)
        } else {
          #expect(dry.failure == nil && report.verified, what)
          if job == "write" { #expect(bench.run(.read).message == message, what) }
        }
      }
    }
    #expect(refusals > 0)
  }
}
