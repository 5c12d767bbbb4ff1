import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Type 2 tags, from survey to verification")
struct Type2Tests {
  static let products = [
    "ultralight", "ultralight-ev1-11", "ultralight-ev1-21", "ultralight-c", "ultralight-aes",
    "ntag203", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216",
  ]

  @Test(
    "a message written is the message read, on tags as bought and on blank ones",
    arguments: products, [TagCatalog.Content.factory, .blank])
  func writesAndReads(_ product: String, content: TagCatalog.Content) throws {
    let bench = try Bench(product, content: content)
    let message = try url("https://example.com/t/0001")
    let written = bench.run(.write(message, WriteOptions()))
    #expect(written.failure == nil)
    #expect(written.result == .written)
    #expect(written.product?.name == product)
    #expect(written.findings.isEmpty, "what was odd before is not told of what was written")
    let read = bench.run(.read)
    #expect(read.message == message)
    #expect(read.status == .readWrite)
    #expect(bench.run(.write(message, WriteOptions())).result == .unchanged)
    let other = try url("https://example.com/t/other")
    #expect(bench.run(.write(other, WriteOptions())).failure == nil)
    #expect(bench.run(.read).message == other)
  }

  @Test("the bytes are the ones that the data sheet's layout asks for")
  func bytes() throws {
    let bench = try Bench("ntag213")
    _ = bench.run(.write(try url("https://example.com/t/1"), WriteOptions()))
    #expect(
      Array(bench.memory[16..<44]) == [
        0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x14, 0xD1, 0x01, 0x10, 0x55, 0x04, 0x65, 0x78, 0x61,
        0x6D, 0x70, 0x6C, 0x65, 0x2E, 0x63, 0x6F, 0x6D, 0x2F, 0x74, 0x2F, 0x31, 0xFE,
      ])
  }

  @Test(
    "the longest message fits, one byte more is refused and nothing is touched", arguments: products
  )
  func fills(_ product: String) throws {
    let bench = try Bench(product)
    let capacity = try #require(Product.named(product)?.capacity)
    let header = capacity > 258 ? 9 : 6
    func message(_ size: Int) throws -> Message {
      try Message(
        Record(
          .media, type: Array("a/b".utf8), payload: [UInt8](repeating: 0x42, count: size - header)))
    }
    let before = bench.memory
    #expect(bench.run(.write(try message(capacity + 1), WriteOptions())).failure?.kind == .badInput)
    #expect(bench.memory == before)
    let report = bench.run(.write(try message(capacity), WriteOptions()))
    #expect(report.failure == nil)
    #expect(report.capacity == capacity)
    #expect(bench.run(.read).message == (try message(capacity)))
    let small = try url("https://example.com/t/0001")
    #expect(bench.run(.write(small, WriteOptions())).failure == nil)
    #expect(bench.run(.read).message == small)
  }

  @Test("few commands do: all that are sent after the reader was opened")
  func counts() throws {
    let bench = try Bench("ntag213")
    let first = bench.run(.write(try url("https://example.com/t/0001"), WriteOptions()))
    #expect(first.counts.frames == 12)
    #expect(first.counts.writes == 7 && bench.tag.eeprom.programmingCycles == 7)
    let second = bench.run(.write(try url("https://example.com/t/0002"), WriteOptions()))
    #expect(second.counts.frames == 6)
    #expect(second.counts.writes == 1 && bench.tag.eeprom.programmingCycles == 8)
    #expect(bench.run(.read).counts.frames == 4)
  }

  @Test("a read-only tag and a tag with locked pages are refused untouched")
  func refusesLocked() throws {
    for (offset, bytes) in [(12, [0xE1, 0x10, 0x12, 0x0F]), (8, [0, 0x48, 0xFF, 0xFF])]
      as [(Int, [UInt8])]
    {
      let bench = try Bench("ntag213")
      var image = bench.memory
      image.replaceSubrange(
        offset + (offset == 8 ? 2 : 0)..<offset + 4, with: bytes.suffix(offset == 8 ? 2 : 4))
      bench.tag.eeprom.load(image)
      let report = bench.run(.write(try url("https://example.com/t/0001"), WriteOptions()))
      #expect(report.failure?.kind == .refused)
      #expect(bench.memory == image)
    }
  }

  @Test("a tag that is neither blank nor NDEF is refused, and written with leave")
  func keepsForeignData() throws {
    let bench = try Bench("ultralight")
    var image = bench.memory
    image[40] = 0x42
    bench.tag.eeprom.load(image)
    let message = try url("https://example.com")
    let refused = bench.run(.write(message, WriteOptions()))
    #expect(refused.failure?.kind == .refused)
    #expect(bench.memory == image)
    var options = WriteOptions()
    options.overwrite = true
    #expect(bench.run(.write(message, options)).failure == nil)
    #expect(bench.run(.read).message == message)
  }

  @Test("a wrong lock-control TLV is put right and the message keeps its place")
  func correctsLockControl() throws {
    let bench = try Bench("ntag213")
    var image = bench.memory
    image.replaceSubrange(16..<21, with: [0x01, 0x03, 0xA0, 0x10, 0x44])
    bench.tag.eeprom.load(image)
    #expect(bench.run(.write(try url("https://example.com/t/1"), WriteOptions())).failure == nil)
    #expect(Array(bench.memory[16..<23]) == [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x14])
  }

  @Test("raw pages are written and read back; what needs force is refused without it")
  func writesPages() throws {
    let bench = try Bench("ntag213")
    let report = bench.run(
      .writePages(PageWrite(start: 8, bytes: [1, 2, 3, 4, 5, 6, 7, 8], force: false)))
    #expect(report.failure == nil)
    // Neither was looked at.
    #expect(report.capacity == nil && report.messageLength == nil)
    #expect(Array(bench.memory[32..<40]) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(
      bench.run(.writePages(PageWrite(start: 8, bytes: [1, 2, 3, 4], force: false))).result
        == .unchanged)
    for page in [0, 2, 3, 40, 41, 43] {
      let before = bench.memory
      let refused = bench.run(
        .writePages(PageWrite(start: page, bytes: [1, 2, 3, 4], force: false)))
      #expect(refused.failure?.kind == .badInput)
      #expect(bench.memory == before)
    }
    #expect(
      bench.run(.writePages(PageWrite(start: 44, bytes: [1, 2, 3, 4, 5, 6, 7, 8], force: true)))
        .failure?.kind == .badInput)
  }
}
