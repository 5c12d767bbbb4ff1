import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A tag that holds a link and does not show it, closed in every way that its chip has.
@Suite("A tag that does not show itself is never called empty")
struct UnreadableTests {
  private static let keyB: [UInt8] = [0xA0, 0xB1, 0xC2, 0xD3, 0xE4, 0xF5]
  private static let link = "https://example.com/aaaaaaaaaaaaaaaaaaaaaaaa"

  /// What `info` and `read` say of a tag on which `message` is, shown or not.
  private func check(_ bench: Bench, _ name: String) throws {
    let message = try url(Self.link)
    for job in [Job.info, .read] {
      let report = bench.run(job)
      switch report.content {
      case .message(let held): #expect(held.message == message, "\(name)")
      case .unreadable:
        #expect(report.status == .notSupported && !report.verified, "\(name)")
      // A look that was refused as a whole has said so.
      case .notLookedAt: #expect(report.failure?.kind == .refused, "\(name)")
      case .empty, .lost, .unformatted, .blank, .foreign:
        Issue.record("\(name), \(job): \(report.content.name)")
      }
    }
  }

  @Test(
    "of a Type 2 tag, wherever its password begins to be needed to read",
    arguments: [
      "ntag210", "ntag212", "ntag213", "ntag215", "ntag216", "ultralight-ev1-11",
      "ultralight-ev1-21", "ntag213f", "ntag215f", "ntag216f", "ntag-i2c-plus-1k",
      "ntag-i2c-plus-2k",
    ])
  func password(product: String) throws {
    let blank = try Bench(product)
    #expect(blank.run(.write(try url(Self.link), WriteOptions())).failure == nil)
    let memory = blank.memory
    let map = try #require(Product.named(product)?.type2)
    let first = try #require(map.configuration?.cfg0 ?? map.access?.auth0)
    for auth0 in 0..<min(map.pageCount, 24) {
      let bench = try Bench(product)
      var image = memory
      image[first.byteOffset + 3] = UInt8(auth0)
      image[first.byteOffset + 4] = 0x80
      bench.tag.eeprom.load(image)
      try check(bench, "\(product), AUTH0 \(auth0)")
    }
  }

  @Test("what opens a file of a Type 4 tag is said where its maker says it")
  func type4() throws {
    for (tag, access, opener) in [
      ("type4", UInt8(0x80), ReadObstacle.Opener.unknown), ("type4", 0xFF, .nothing),
      ("st25ta02k", 0x80, .password), ("st25ta02k", 0xFF, .nothing),
    ] {
      let bench = try Bench(tag)
      #expect(bench.run(.write(try url(Self.link), WriteOptions())).failure == nil)
      try check(bench, tag)
      var memory = bench.memory
      // The rights of the message's file, behind its name and size in the capability container.
      let container = try #require(memory.firstRange(of: [0x04, 0x06]))
      memory[container.upperBound + 4] = access
      bench.tag.eeprom.load(memory)
      let report = bench.run(.info)
      #expect(report.content.obstacle?.opener == opener, "\(tag), \(access): \(report.content)")
    }
  }

  @Test("what key B alone may read is read where that is given, and no telephone finds it")
  func keyB() throws {
    let bench = try Bench("classic1k")
    let message = try url(Self.link)
    _ = bench.run(.write(message, WriteOptions()))
    var image = bench.memory
    let old = try SectorTrailer(parsing: image[112..<128])
    let trailer = SectorTrailer(
      keyA: old.keyA,
      conditions: AccessConditions(data: .keyBOnly, trailer: .managedWithB),
      generalPurposeByte: old.generalPurposeByte, keyB: try #require(Key(Self.keyB)))
    image.replaceSubrange(112..<128, with: trailer.serialize())
    bench.tag.eeprom.load(image)
    let refused = bench.run(.read)
    #expect(refused.failure?.kind == .refused && refused.content.obstacle?.opener == .keyB)
    let key = try #require(Key(Self.keyB))
    for job in [Job.read, .info] {
      let report = bench.run(job) { $0.credentials.keys = [key] }
      #expect(report.message == message && report.status == .notSupported)
    }
  }

  @Test(
    "of a MIFARE Classic, whatever the access conditions of the message's sector or the directory's",
    arguments: [Sector.mad, 1], DataCondition.allCases)
  func conditions(sector: Sector, data: DataCondition) throws {
    let blank = try Bench("classic1k")
    _ = blank.run(.write(try url(Self.link), WriteOptions()))
    let memory = blank.memory
    for condition in TrailerCondition.allCases {
      let bench = try Bench("classic1k")
      var image = memory
      let start = Int(sector.trailer.index) * Block.byteCount
      let old = try SectorTrailer(parsing: image[start..<start + Block.byteCount])
      let trailer = SectorTrailer(
        keyA: old.keyA, conditions: AccessConditions(data: data, trailer: condition),
        generalPurposeByte: old.generalPurposeByte, keyB: try #require(Key(Self.keyB)))
      image.replaceSubrange(start..<start + Block.byteCount, with: trailer.serialize())
      bench.tag.eeprom.load(image)
      try check(bench, "\(sector), \(data), trailer \(condition)")
    }
  }
}
