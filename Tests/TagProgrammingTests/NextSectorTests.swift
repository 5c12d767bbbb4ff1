import NDEF
import PN532Simulator
import TagDumps
import TagMemory
import Testing

@testable import TagProgramming

/// NTAG I2C 2K and plus 2K have a second sector, which SECTOR_SELECT alone reaches.
@Suite("Sector 1 of an NTAG I2C")
struct NextSectorTests {
  private static let products = ["ntag-i2c-2k", "ntag-i2c-plus-2k"]

  /// A tag with a message, and another byte everywhere else in its user memory.
  private static func bench(_ product: String, seed: Int = 7) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(PreparedTag.write { $0.overwrite = true }).failure == nil)
    var memory = bench.memory
    for page in try pages(product) where page >= 20 {
      let start = try row(of: page, product) * 4
      for at in start..<start + 4 { memory[at] = UInt8(truncatingIfNeeded: at * seed + at >> 8) }
    }
    bench.tag.eeprom.load(memory)
    return bench
  }

  private static func pages(_ product: String) throws -> [Page] {
    let map = try #require(Product.named(product)?.type2)
    return Array(map.user) + (map.further.map(Array.init) ?? [])
  }

  /// Where the simulated chip keeps a page.
  private static func row(of page: Page, _ product: String) throws -> Int {
    let map = try #require(Product.named(product)?.type2)
    return try #require(map.pages.firstIndex(of: page))
  }

  @Test("is in a dump, and in what info shows", arguments: products)
  func dump(_ product: String) throws {
    let bench = try Self.bench(product)
    let report = bench.run(.dump)
    let dump = try #require(report.dump)
    #expect(dump.unreadRows.isEmpty && report.findings.isEmpty, "\(report.findings)")
    for page in try Self.pages(product) {
      let start = try Self.row(of: page, product) * 4
      #expect(dump.image.row(Int(page.number)) == Array(bench.memory[start..<start + 4]))
    }
    let rows = bench.run(.info).memory
    let last = try #require(try Self.pages(product).last)
    #expect(rows.first { $0.label == "Page \(last.number)" }?.bytes != nil)
  }

  @Test("comes back from a file of each format", arguments: products)
  func files(_ product: String) throws {
    let source = try Self.bench(product)
    let dump = try #require(source.run(.dump).dump)
    for format in [DumpFormat.raw, .flipper, .proxmark] {
      let image = try TagDump(parsing: try dump.serialize(as: format)).image
      #expect(image.layout == dump.image.layout, "\(format)")
      let bench = try Self.bench(product, seed: 5)
      let report = bench.run(.restore(Restore(image)))
      #expect(
        report.failure == nil && report.verified,
        "\(format): \(report.failure.map { "\($0)" } ?? "")")
      #expect(Array(bench.memory[16...]) == Array(source.memory[16...]), "\(format)")
      #expect(bench.run(.restore(Restore(image))).result == .unchanged, "\(format)")
    }
  }

  @Test(
    "whatever exchange is lost or refused, each page gets its own bytes",
    arguments: products, MemoryTrial.Loss.all.indices)
  func faults(_ product: String, _ loss: Int) throws {
    let loss = MemoryTrial.Loss.all[loss]
    let source = try Self.bench(product)
    let image = try #require(source.run(.dump).dump?.image)
    // A few pages at the border, and sector 1's first and last.
    var memory = source.memory
    let pages = try Self.pages(product)
    for page in pages
    where [21, 225, 255, 256, 257, pages[pages.count - 1].number].contains(page.number) {
      let start = try Self.row(of: page, product) * 4
      memory[start] ^= 0xFF
    }
    let calm = try Bench(product)
    calm.tag.eeprom.load(memory)
    #expect(calm.run(.restore(Restore(image))).failure == nil)
    for place in 0..<calm.chip.places.exchanges {
      var plan = FaultPlan()
      plan.exchanges = (0..<loss.count).map { (.at(place + $0), loss.fault()) }
      let bench = try Bench(product, faults: plan)
      bench.tag.eeprom.load(memory)
      var report = bench.run(.restore(Restore(image))) { $0.patience = .zero }
      for _ in 0..<6 where report.failure != nil {
        bench.chip.field.place([bench.tag])
        report = bench.run(.restore(Restore(image))) { $0.patience = .zero }
      }
      #expect(report.failure == nil, "\(loss) at \(place): \(report.failure.map { "\($0)" } ?? "")")
      #expect(bench.memory == source.memory, "\(loss) at \(place)")
    }
  }

  @Test("holds the end of a message that is longer than sector 0")
  func message() throws {
    let bench = try Bench("ntag-i2c-2k")
    for count in [990, 1500, 1800] {
      let message = FaultCase.media(count)
      #expect(bench.run(FaultCase.write(message)).failure == nil, "\(count)")
      #expect(bench.run(.read).message == message, "\(count)")
    }
    #expect(bench.run(FaultCase.write(FaultCase.media(1870))).failure?.kind == .badInput)
    #expect(bench.run(FaultCase.short).failure == nil)
    #expect(bench.run(.read).message == PreparedTag.url)
  }

  @Test("is said not to show where the password protects it, and sector 0 is read")
  func protected() throws {
    let bench = try Self.bench("ntag-i2c-plus-2k")
    var memory = bench.memory
    // NFC_PROT and 2K_PROT; AUTH0 stays off.
    memory[228 * 4] = 0x80
    memory[231 * 4] = 0x08
    bench.tag.eeprom.load(memory)
    let report = bench.run(.dump)
    let dump = try #require(report.dump)
    #expect(dump.unreadRows == Array(256...511))
    #expect(report.findings.contains { $0.code == "not-known" && $0.text.contains("256 to 511") })
    #expect(bench.run(.read).message == PreparedTag.url)
    #expect(bench.run(FaultCase.other).failure == nil)
    let image = try #require(try Self.bench("ntag-i2c-plus-2k", seed: 5).run(.dump).dump?.image)
    let before = bench.memory
    #expect(bench.run(.restore(Restore(image))).failure?.kind == .refused)
    #expect(bench.memory == before)
  }

  @Test("a plus as delivered takes its first message; data that somebody has put there stay")
  func delivered() throws {
    for product in ["ntag-i2c-plus-1k", "ntag-i2c-plus-2k"] {
      let bench = try Bench(product)
      #expect(bench.run(.info).content.name == "unformatted")
      #expect(bench.run(FaultCase.short).failure == nil)
      #expect(bench.run(.read).message == PreparedTag.url)
      for (at, bytes) in [
        (60, Array("THIRD-PARTY-DATA".utf8)), (200, [UInt8](repeating: 7, count: 8)),
        (400, [UInt8](repeating: 0, count: 12)),
      ] {
        let used = try Bench(product)
        var memory = used.memory
        memory.replaceSubrange(at..<at + bytes.count, with: bytes)
        used.tag.eeprom.load(memory)
        if bytes.contains(where: { $0 != 0 }) {
          #expect(used.run(.info).content.name == "foreign")
          #expect(used.run(FaultCase.short).failure?.kind == .refused && used.memory == memory)
        }
      }
    }
  }
}
