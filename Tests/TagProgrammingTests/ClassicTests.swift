import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("MIFARE Classic, from survey to verification")
struct ClassicTests {
  private static let products = ["mini", "classic1k", "classic1k7b", "classic4k"]

  private static func format(
    _ change: (inout ClassicFormat) -> Void = { _ in }
  ) -> Job {
    var format = ClassicFormat()
    change(&format)
    return .formatClassic(format)
  }

  @Test(
    "a factory tag is formatted to the golden image, with and without a look first",
    arguments: products, [true, false])
  func formats(_ product: String, overwrite: Bool) throws {
    let bench = try Bench(product)
    let report = bench.run(Self.format { $0.overwrite = overwrite })
    #expect(report.failure == nil)
    #expect(report.result == .written)
    #expect(report.status == .readWrite)
    #expect(
      bench.memory
        == GoldenImage.formatted(product, uid: bench.tag.uid, blank: try Bench(product).memory))
  }

  @Test("formatting a formatted tag writes nothing", arguments: products)
  func formatsOnce(_ product: String) throws {
    let bench = try Bench(product)
    _ = bench.run(Self.format())
    let cycles = bench.tag.eeprom.programmingCycles
    let report = bench.run(Self.format())
    #expect(report.result == .unchanged)
    #expect(report.failure == nil)
    #expect(bench.tag.eeprom.programmingCycles == cycles)
  }

  @Test("a message written is the message read", arguments: products)
  func writesAndReads(_ product: String) throws {
    let bench = try Bench(product)
    let message = try url("https://example.com/t/0001")
    let written = bench.run(.write(message, WriteOptions()))
    #expect(written.failure == nil)
    #expect(written.result == .written)
    let read = bench.run(.read)
    #expect(read.message == message)
    #expect(read.status == .readWrite)
    let again = bench.run(.write(message, WriteOptions()))
    #expect(again.result == .unchanged)
  }

  @Test(
    "the longest message fits, one byte more is refused and nothing is touched",
    arguments: [("mini", 190), ("classic1k", 716), ("classic4k", 3356)])
  func fills(_ product: String, capacity: Int) throws {
    let bench = try Bench(product)
    // Type "a/b" and short or long header: 6 or 9 bytes around the payload.
    let header = capacity > 258 ? 9 : 6
    func message(_ size: Int) throws -> Message {
      try Message(
        Record(
          .media, type: Array("a/b".utf8), payload: [UInt8](repeating: 0x42, count: size - header)))
    }
    _ = bench.run(Self.format())
    let before = bench.memory
    let refused = bench.run(.write(try message(capacity + 1), WriteOptions()))
    #expect(refused.failure?.kind == .badInput)
    #expect(bench.memory == before)
    let report = bench.run(.write(try message(capacity), WriteOptions()))
    #expect(report.failure == nil)
    #expect(report.capacity == capacity)
    #expect(bench.run(.read).message == (try message(capacity)))
  }

  @Test("resetting gives back the memory as delivered", arguments: products)
  func resets(_ product: String) throws {
    let bench = try Bench(product)
    let factory = bench.memory
    _ = bench.run(Self.format { $0.message = try? url("https://example.com/t/0001") })
    #expect(bench.memory != factory)
    let report = bench.run(.resetClassic)
    #expect(report.failure == nil)
    #expect(bench.memory == factory)
    #expect(bench.run(.resetClassic).result == .unchanged)
  }

  @Test("a tag with foreign data is refused and untouched, and formatted with leave")
  func keepsForeignData() throws {
    let bench = try Bench("classic1k")
    var image = bench.memory
    image[20 * 16] = 0x42
    bench.tag.eeprom.load(image)
    let refused = bench.run(Self.format())
    #expect(refused.failure?.kind == .refused)
    #expect(refused.failure?.cause == .classic(.notBlank([20], isUnread: false)))
    #expect(bench.memory == image)
    #expect(bench.run(Self.format { $0.overwrite = true }).failure == nil)
  }

  @Test("sectors with unknown keys are named, nothing is written; with their key it works")
  func namesUnknownKeys() throws {
    let bench = try Bench("classic1k")
    var image = bench.memory
    let secret: [UInt8] = [1, 2, 3, 4, 5, 6]
    for sector in [3, 7] {
      image.replaceSubrange((sector * 4 + 3) * 16..<(sector * 4 + 3) * 16 + 6, with: secret)
    }
    bench.tag.eeprom.load(image)
    let refused = bench.run(Self.format())
    #expect(refused.failure?.kind == .refused)
    #expect(refused.failure?.cause == .classic(.unopened([3, 7])))
    #expect(bench.memory == image)
    let report = bench.run(Self.format()) { $0.credentials.keys = [Key(secret)!] }
    #expect(report.failure == nil)
  }

  @Test("the plan of a dry run is the plan, and nothing is written")
  func dryRun() throws {
    let bench = try Bench("classic1k")
    let before = bench.memory
    let report = bench.run(Self.format()) { $0.dryRun = true }
    #expect(report.result == .planned)
    #expect(report.program?.cost.writes == 19)
    #expect(bench.memory == before)
  }

  @Test(
    "few commands format a factory tag: all that are sent after the reader was opened",
    arguments: [
      ("classic1k", true, 91, 19), ("classic1k", false, 168, 19), ("classic4k", true, 218, 46),
      ("classic4k", false, 509, 46),
    ])
  func formatCounts(_ product: String, overwrite: Bool, commands: Int, writes: Int) throws {
    let bench = try Bench(product)
    let report = bench.run(Self.format { $0.overwrite = overwrite })
    #expect(report.counts.frames == commands)
    #expect(bench.tag.eeprom.programmingCycles == writes)
  }

  @Test("few commands reset a formatted tag: every block that need not be written is read once")
  func resetCounts() throws {
    let bench = try Bench("classic1k")
    _ = bench.run(Self.format { $0.message = try? url("https://example.com/t/0001") })
    let report = bench.run(.resetClassic)
    #expect(report.counts.frames == 169)
    #expect(report.counts.writes == 20)
  }

  @Test("few commands write and read a URL, on a formatted tag and while formatting")
  func counts() throws {
    let message = try url("https://example.com/t/0001")
    let fresh = try Bench("classic1k")
    let both = fresh.run(
      Self.format {
        $0.message = message
        $0.overwrite = true
      })
    #expect(both.counts.frames == 93 && fresh.tag.eeprom.programmingCycles == 20)
    let bench = try Bench("classic1k")
    _ = bench.run(Self.format())
    let written = bench.run(.write(message, WriteOptions()))
    #expect(written.counts.frames == 12 && written.counts.writes == 2)
    #expect(bench.run(.read).counts.frames == 9)
  }
}
