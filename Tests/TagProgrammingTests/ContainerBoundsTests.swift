import NDEF
import TagMemory
import Testing

@testable import TagProgramming

@Suite("A capability container bounds the area")
struct ContainerBoundsTests {
  /// Chips whose container is written by users, or may be torn.
  static let products = [
    "ultralight", "ultralight-c", "ultralight-aes", "ntag203", "st25tn01k", "ntag-i2c-plus-1k",
  ]

  /// A tag whose container says 16 bytes, with an empty message and data behind the area.
  private func bounded(_ product: String) throws -> Bench {
    let bench = try Bench(product)
    var memory = bench.memory
    memory.replaceSubrange(12..<20, with: [0xE1, 0x10, 0x02, 0x00, 0x03, 0x00, 0xFE, 0x00])
    memory.replaceSubrange(32..<36, with: [0xAA, 0xBB, 0xCC, 0xDD])
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test("a message that does not fit is refused, and nothing is written", arguments: products)
  func refuses(_ product: String) throws {
    for isRehearsal in [true, false] {
      let bench = try bounded(product)
      let before = bench.memory
      let report = bench.run(.write(try url("https://example.com/t/2"), WriteOptions())) {
        $0.dryRun = isRehearsal
      }
      #expect(report.failure?.kind == .badInput)
      #expect(bench.memory == before)
    }
  }

  @Test("one that fits leaves container and data behind it alone", arguments: products)
  func keeps(_ product: String) throws {
    let bench = try bounded(product)
    let before = bench.memory
    #expect(bench.run(.emptyMessage(WriteOptions())).result == .unchanged)
    #expect(bench.memory == before)
    let message = try url("https://a.com")
    for result in [TagReport.Result.written, .unchanged] {
      #expect(bench.run(.write(message, WriteOptions())).result == result)
      #expect(bench.memory[12..<16] == before[12..<16])
      #expect(bench.memory[32...] == before[32...])
    }
    #expect(bench.run(.read).message == message)
  }
}
