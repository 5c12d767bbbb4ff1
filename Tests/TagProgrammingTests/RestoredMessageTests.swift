import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Whether readers find the message of a dump on another tag")
struct RestoredMessageTests {
  private static let link = "https://example.com/t/0001"

  private static func image(_ product: String) throws -> MemoryImage {
    let source = try Bench(product)
    #expect(source.run(.write(try url(link), WriteOptions())).failure == nil)
    return try #require(source.run(.dump).dump).image
  }

  /// `image` with other bytes from `offset` on.
  private static func changed(_ image: MemoryImage, _ offset: Int, _ bytes: [UInt8?]) throws
    -> MemoryImage
  {
    var all = image.bytes
    all.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return try #require(MemoryImage(image.layout, uid: image.uid, bytes: all))
  }

  private static func demanding(_ image: MemoryImage) -> Job {
    var restore = Restore(image)
    restore.mustShowMessage = true
    return .restore(restore)
  }

  @Test(
    "on a blank tag and on one as delivered they do: its container comes last",
    arguments: Type2Tests.products)
  func found(_ product: String) throws {
    let image = try Self.image(product)
    for content in [TagCatalog.Content.blank, .factory] {
      let tag = try Bench(product, content: content)
      let wasBlank = tag.memory[12..<16].allSatisfy { $0 == 0 }
      let report = tag.run(Self.demanding(image))
      #expect(report.failure == nil && report.verified)
      #expect(report.message == (try url(Self.link)))
      #expect(tag.run(.read).message == (try url(Self.link)))
      let written = report.program?.steps.compactMap { $0.written?.place.page } ?? []
      #expect(!wasBlank || written.last == .capabilityContainer)
      #expect(tag.run(Self.demanding(image)).result == .unchanged)
    }
  }

  @Test("a container too small for the message stays, but where this job was cut short at it")
  func tooSmall() throws {
    let image = try Self.image("ultralight")
    for isOurs in [false, true] {
      let tag = try Bench("ultralight", content: .blank)
      var memory = tag.memory
      memory.replaceSubrange(12..<20, with: [0xE1, 0x10, 0x02, 0, 3, 0, 0xFE, 0])
      if isOurs { memory.replaceSubrange(16..<64, with: image.bytes[16..<64].map { $0 ?? 0 }) }
      tag.tag.eeprom.load(memory)
      let report = tag.run(Self.demanding(image))
      if isOurs {
        #expect(report.failure == nil)
        #expect(Array(tag.memory[12..<16]) == [0xE1, 0x10, 0x06, 0])
        #expect(tag.run(.read).message == (try url(Self.link)))
      } else {
        #expect(report.failure?.cause == .dumpUnseen(.capabilityContainer))
        #expect(tag.memory == memory)
      }
    }
  }

  @Test(
    "where the tag cannot have the container it is left alone, or what readers miss is said",
    arguments: ["another one in the dump", "bits in the tag's", "a locked page", "no reading"])
  func unseen(_ why: String) throws {
    var image = try Self.image("ultralight")
    let tag = try Bench("ultralight", content: .blank)
    var memory = tag.memory
    switch why {
    case "another one in the dump": image = try Self.changed(image, 12, [0xE1, 0x10, 0x0C, 0])
    case "bits in the tag's": memory[15] = 0x10
    case "no reading": memory.replaceSubrange(12..<16, with: [0xE1, 0x10, 0x06, 0x80])
    default: memory[10] = 0x08
    }
    tag.tag.eeprom.load(memory)
    let refused = tag.run(Self.demanding(image))
    #expect(refused.failure?.cause == .dumpUnseen(.capabilityContainer))
    #expect(refused.failure?.kind == .refused && tag.memory == memory)
    let report = tag.run(.restore(Restore(image)))
    #expect(report.failure == nil && report.result == .written)
    #expect(
      report.findings.contains {
        $0.code == "not-restored" && $0.text == Cause.Frame.capabilityContainer.lack
      })
    #expect(why == "no reading" || tag.run(.read).message == nil)
  }

  @Test("a MIFARE Classic whose trailers the dump does not know has no directory")
  func directory() throws {
    var image = try Self.image("classic1k")
    for sector in 0..<16 {
      let trailer = (sector * 4 + 3) * 16
      image = try Self.changed(image, trailer, [UInt8?](repeating: nil, count: 6))
      image = try Self.changed(image, trailer + 10, [UInt8?](repeating: nil, count: 6))
    }
    let tag = try Bench("classic1k")
    let before = tag.memory
    let refused = tag.run(Self.demanding(image))
    #expect(refused.failure?.cause == .dumpUnseen(.directory) && tag.memory == before)
    let report = tag.run(.restore(Restore(image)))
    #expect(report.failure == nil)
    #expect(report.findings.contains { $0.text == Cause.Frame.directory.lack })
  }

  @Test("what the dump's tag has counted is named, and so is its key in a dump that was given it")
  func countersAndKeys() throws {
    let source = try Bench("ultralight-ev1-11")
    var dump = try #require(source.run(.dump).dump)
    dump.counters = [0: 77, 1: 0, 2: 3]
    let texts = source.run(.restore(Restore(dump))).findings.map(\.text)
    #expect(texts.contains { $0.hasPrefix("Counters 0 and 2 of the dump") }, "\(texts)")
    let key = Array("0123456789abcdef".utf8)
    let locked = try Bench("ultralight-c")
    #expect(locked.run(.protect(Protection(key: key))).failure == nil)
    let report = locked.run(.dump) { $0.credentials.password = key }
    let pages = (44...47).compactMap { report.dump?.image.row($0) }
    #expect(Type2Key.ultralightC.key(in: pages) == key)
  }
}
