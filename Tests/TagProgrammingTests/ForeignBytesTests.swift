import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Bytes that a message has no need of stay as they are: other TLVs, the bytes that these reserve,
/// configuration, and what stands behind the message in its last page.
@Suite("Bytes of others on Ultralight and NTAG")
struct ForeignBytesTests {
  private static let products = [
    "ultralight-ev1-11", "ultralight-ev1-21", "ntag203", "ntag210", "ntag212", "ntag213",
    "ntag215", "ntag216",
  ]

  /// A tag with `leading` and an empty message behind it.
  private static func bench(_ product: String, _ leading: [UInt8]) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(FaultCase.short).failure == nil)
    var memory = bench.memory
    let user = try #require(Product.named(product)?.type2?.user)
    for page in user {
      memory.replaceSubrange(page.byteOffset..<page.byteOffset + 4, with: [0, 0, 0, 0])
    }
    memory.replaceSubrange(16..<16 + leading.count + 3, with: leading + [0x03, 0x00, 0xFE])
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test(
    "a TLV before an empty message stays", arguments: products,
    [
      [0xFD, 0x03, 1, 2, 3], [0xFD, 0x01, 0x77], [0x44, 0x03, 9, 8, 7],
      [0x02, 0x03, 0x80, 0x04, 0x02],
    ]
      as [[UInt8]])
  func leading(_ product: String, _ leading: [UInt8]) throws {
    let bench = try Self.bench(product, leading)
    var memory = bench.memory
    // What the Memory Control TLV reserves: page 8.
    if leading[0] == 0x02 { memory.replaceSubrange(32..<36, with: [0xDE, 0xAD, 0xBE, 0xEF]) }
    bench.tag.eeprom.load(memory)
    let report = bench.run(FaultCase.short)
    #expect(report.failure == nil, "\(report.failure.map { "\($0)" } ?? "")")
    #expect(Array(bench.memory[16..<16 + leading.count]) == leading)
    if leading[0] == 0x02 { #expect(Array(bench.memory[32..<36]) == [0xDE, 0xAD, 0xBE, 0xEF]) }
    #expect(bench.run(.read).message == PreparedTag.url)
  }

  @Test(
    "a TLV of others that a damaged control TLV hides stays, or the message is refused",
    arguments: products, [UInt8(0x01), 0x02])
  func hidden(_ product: String, _ tag: UInt8) throws {
    let others: [UInt8] = [0xFD, 0x02, 0xCA, 0xFE]
    let message = FaultCase.media(8).serialize()
    for length in (0...14).filter({ $0 != 3 }) + [0xFE, 0xFF] {
      for behind in [
        [], [0xFE], [0x03, 0x00, 0xFE], [0x03, UInt8(message.count)] + message + [0xFE],
        [0x03, 0x05, 1, 2, 3, 4, 5, 0xFE], [0x00, 0x00, 0x55, 0xFE],
      ] as [[UInt8]] {
        for before in [[], [0, 0, 0], [0xFD, 0x01, 0x77]] as [[UInt8]] {
          let bench = try Self.bench(product, [])
          var memory = bench.memory
          let area = before + [tag, UInt8(length), 0xA0, 0x0C, 0x34] + others + behind
          memory.replaceSubrange(16..<19, with: [0, 0, 0])
          memory.replaceSubrange(16..<16 + area.count, with: area)
          bench.tag.eeprom.load(memory)
          let what = "\(product), length \(length), \(before) before, \(behind) behind"
          let plan = bench.run(FaultCase.short) { $0.dryRun = true }
          let report = bench.run(FaultCase.short)
          #expect((plan.failure?.cause) == report.failure?.cause, "\(what)")
          let start = 16 + before.count + 5
          #expect(Array(bench.memory[start..<start + 4]) == others, "\(what)")
          if before.count == 3 { #expect(Array(bench.memory[16..<19]) == before, "\(what)") }
          guard report.failure != nil else {
            #expect(bench.run(.read).message == PreparedTag.url, "\(what)")
            continue
          }
          #expect(report.failure?.remedy == .permitOverwrite, "\(what)")
          let content = bench.run(.info).content
          #expect(content.name == "foreign" || content.length != nil, "\(what): \(content)")
          #expect(bench.memory == memory, "\(what)")
          let overwritten = bench.run(PreparedTag.write { $0.overwrite = true })
          #expect(overwritten.failure == nil, "\(what)")
        }
      }
    }
  }

  @Test(
    "reserved bytes in the page where the message ends stay",
    arguments: ["ntag215", "ultralight-ev1-11", "ultralight-ev1-21", "ntag216"])
  func reserved(_ product: String) throws {
    // Bytes 54 to 57: the last two of page 13 and the first two of page 14.
    let bench = try Self.bench(product, [0x02, 0x03, 0x36, 0x04, 0x04])
    var memory = bench.memory
    memory.replaceSubrange(54..<58, with: [0xDE, 0xAD, 0xBE, 0xEF])
    bench.tag.eeprom.load(memory)
    for count in [27, 28, 29, 30] {
      let report = bench.run(FaultCase.write(FaultCase.media(count)))
      #expect(report.failure == nil, "\(report.failure.map { "\($0)" } ?? "")")
      #expect(Array(bench.memory[54..<58]) == [0xDE, 0xAD, 0xBE, 0xEF], "\(count)")
    }
  }

  @Test(
    "reserved bytes around the length of a message stay, wherever a run ends",
    arguments: ["ntag213", "ntag215", "ultralight-ev1-21"], 6...8)
  func reservedHead(_ product: String, start: Int) throws {
    // Three bytes from the length on, or right behind it.
    let leading = [0x02, 0x03, UInt8(16 + start), 3, 0x04]
    let reserved = 16 + start..<16 + start + 3
    for end in 0...14 {
      let bench = try Self.bench(product, leading)
      var memory = bench.memory
      // An empty message around what is reserved.
      var offset = 16 + leading.count
      for byte: UInt8 in [0x03, 0x00, 0xFE] {
        while reserved.contains(offset) { offset += 1 }
        memory[offset] = byte
        offset += 1
      }
      memory.replaceSubrange(reserved, with: [0xDE, 0xAD, 0xBE])
      bench.tag.eeprom.load(memory)
      for (job, end) in [
        (FaultCase.write(FaultCase.media(10)), end), (FaultCase.write(FaultCase.media(10)), .max),
        (FaultCase.write(FaultCase.media(19)), end), (FaultCase.write(FaultCase.media(19)), .max),
      ] {
        _ = bench.run(job, until: end)
        #expect(
          Array(bench.memory[reserved]) == [0xDE, 0xAD, 0xBE], "\(product), \(start), until \(end)")
      }
      #expect(bench.run(.read).message == FaultCase.media(19), "\(product), \(start), \(end)")
    }
  }

  @Test("what stands behind a message in its last page stays", arguments: products)
  func behind(_ product: String) throws {
    let bench = try Bench(product)
    #expect(bench.run(FaultCase.write(FaultCase.media(20))).failure == nil)
    var memory = bench.memory
    let end = try #require(memory[16...].firstIndex(of: 0xFE))
    let next = (end + 4) / 4 * 4
    memory.replaceSubrange(end + 1..<next + 4, with: (end + 1..<next + 4).map { UInt8($0) | 0x80 })
    bench.tag.eeprom.load(memory)
    for count in [19, 20] {
      #expect(bench.run(FaultCase.write(FaultCase.media(count))).failure == nil)
      #expect(bench.memory[(end + 1)...] == memory[(end + 1)...], "\(count)")
    }
  }

  @Test("a message leaves the field detection of an NTAG213F, 215F or 216F alone")
  func fieldDetection() throws {
    for product in [Product.ntag213F, .ntag215F, .ntag216F] {
      let map = try #require(product.type2)
      let place = try #require(map.configuration)
      var state = Type2State(product: product, map: map)
      state.memory.store([UInt8](repeating: 0, count: map.byteCount), from: 0)
      state.memory.store([0xE1, 0x10, map.capabilityContainer.size, 0], from: .capabilityContainer)
      state.memory.store(map.deliveredArea, from: .firstOfArea)
      state.memory.store([0x07, 0, 0, 0xFF, 0, 0, 0, 0], from: place.cfg0)
      let program = try Type2MessagePlanner(
        state: state, meaning: state, uid: Pages.uid,
        message: FaultCase.media(60).serialize(), overwrite: false, force: false
      ).plan()
      #expect(!program.writtenPages.contains(where: place.all.contains))
      let protection = try Type2ProtectionPlanner(
        state: state, meaning: state, change: .set(Protection(password: [1, 2, 3, 4])),
        isThorough: false
      ).plan()
      let written = protection.steps.compactMap(\.written).filter { $0.place == .page(place.cfg0) }
      #expect(!written.isEmpty && written.allSatisfy { $0.bytes[0] == 0x07 })
    }
  }

  @Test(
    "whatever is done to a relative of the NTAG213, its settings for what the others lack stay",
    arguments: ["ntag213f", "ntag215f", "ntag216f", "ntag213tt", "ntag213c"])
  func relatives(_ product: String) throws {
    let map = try #require(Product.named(product)?.type2)
    let cfg0 = map.configuration?.cfg0.byteOffset ?? 41 * 4
    let settings: [UInt8] = product == "ntag213tt" ? [0x04, 0x02, 0, 0xFF] : [0x07, 0, 0, 0xFF]
    let protection = Protection(password: [1, 2, 3, 4])
    let long = FaultCase.write(FaultCase.media(60))
    for jobs in [
      [long], [long, .lock(force: false)], [.lock(force: true)],
      [.protect(protection), .unprotect],
    ] {
      let bench = try Bench(product)
      var memory = bench.memory
      memory.replaceSubrange(cfg0..<cfg0 + 4, with: settings)
      bench.tag.eeprom.load(memory)
      for job in jobs {
        let report = bench.run(job) { $0.credentials.password = protection.password }
        #expect(
          report.failure == nil || report.failure?.holds == .unchanged,
          "\(job): \(report.failure.map { "\($0)" } ?? "")")
        // AUTH0 aside, which a password sets.
        #expect(bench.memory[cfg0..<cfg0 + 3] == settings[..<3], "\(job)")
      }
      #expect(bench.memory[cfg0 + 3] == 0xFF)
    }
  }

  @Test("a product whose configuration no table has gets messages only")
  func messagesOnly() {
    for product in Product.all where !product.canLockAndProtect {
      #expect(product.type2?.configuration == nil, "\(product)")
    }
  }
}
