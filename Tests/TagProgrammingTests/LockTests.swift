import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Tags that are locked for good")
struct LockTests {
  private static let link = "https://example.com/t/0001"

  /// Page 3 and the lock bytes after locking: MF0ICU1, 7.5; MF0ICU2, 7.5.3; NTAG203, 8.5.2;
  /// MF0ULX1, 8.5.3; NTAG210/212, 8.5.3; NTAG213/215/216, 8.5.3.
  struct Chip: CustomTestStringConvertible, Sendable {
    let name: String
    let container: [UInt8]
    var dynamic: (page: Int, bytes: [UInt8])?
    var testDescription: String { name }
  }

  static let chips = [
    Chip(name: "ultralight", container: [0xE1, 0x10, 0x06, 0x0F]),
    Chip(name: "ultralight-ev1-11", container: [0xE1, 0x10, 0x06, 0x0F]),
    Chip(
      name: "ultralight-ev1-21", container: [0xE1, 0x10, 0x10, 0x0F],
      dynamic: (36, [0xFF, 0x03, 0x1F])),
    Chip(name: "ultralight-c", container: [0xE1, 0x10, 0x12, 0x0F], dynamic: (40, [0xFF, 0x00])),
    Chip(
      name: "ultralight-aes", container: [0xE1, 0x10, 0x12, 0x0F], dynamic: (40, [0xFF, 0x0F, 0])),
    Chip(name: "ntag203", container: [0xE1, 0x10, 0x12, 0x0F], dynamic: (40, [0xFF, 0x00])),
    Chip(name: "ntag210", container: [0xE1, 0x10, 0x06, 0x0F]),
    Chip(name: "ntag212", container: [0xE1, 0x10, 0x10, 0x0F], dynamic: (36, [0xFF, 0x03, 0x1F])),
    Chip(name: "ntag213", container: [0xE1, 0x10, 0x12, 0x0F], dynamic: (40, [0xFF, 0x0F, 0x3F])),
    Chip(
      name: "ntag215", container: [0xE1, 0x10, 0x3E, 0x0F], dynamic: (130, [0xFF, 0x00, 0x0F])),
    Chip(
      name: "ntag216", container: [0xE1, 0x10, 0x6D, 0x0F], dynamic: (226, [0xFF, 0x3F, 0x7F])),
  ]

  private static func write(_ text: String = link, lock: Bool) throws -> Job {
    var options = WriteOptions()
    options.lock = lock
    return .write(try url(text), options)
  }

  @Test("just the bits of the data sheet are set, nothing else changes", arguments: chips)
  func bits(_ chip: Chip) throws {
    let bench = try Bench(chip.name)
    #expect(bench.run(try Self.write(lock: false)).failure == nil)
    var wanted = bench.memory
    let report = bench.run(.lock(force: false))
    #expect(report.failure == nil)
    #expect(report.result == .written && report.verified)
    #expect(report.isLocked == true && report.status == .readOnly)
    wanted.replaceSubrange(10..<16, with: [0xFF, 0xFF] + chip.container)
    if let (page, bytes) = chip.dynamic {
      wanted.replaceSubrange(page * 4..<page * 4 + bytes.count, with: bytes)
    }
    #expect(bench.memory == wanted)
  }

  @Test(
    "a capability container that lets nobody write leaves the pages open: it is said, and lock finishes it",
    arguments: chips)
  func halfLocked(_ chip: Chip) throws {
    func words(_ bench: Bench) -> String? {
      bench.run(.info).details.first { $0.label == "write access" }?.text
    }
    let bench = try Bench(chip.name)
    #expect(bench.run(try Self.write(lock: false)).failure == nil)
    #expect(words(bench) == nil)
    var memory = bench.memory
    memory[15] |= 0x0F
    bench.tag.eeprom.load(memory)
    let said = try #require(words(bench))
    #expect(said.contains("read-only for writers") && said.contains("still open"), "\(said)")
    #expect(bench.run(.lock(force: false)).failure == nil)
    #expect(words(bench) == nil && bench.run(.info).isLocked == true)
  }

  @Test(
    "write and lock in one pass does what write, then lock does; after it the message is there for good",
    arguments: Type2Tests.products + ["mini", "classic1k7b", "classic4k"])
  func onePass(_ product: String) throws {
    let (one, two) = (try Bench(product), try Bench(product))
    #expect(one.run(try Self.write(lock: true)).failure == nil)
    _ = two.run(try Self.write(lock: false))
    #expect(two.run(.lock(force: false)).failure == nil)
    #expect(one.memory == two.memory)
    let locked = one.memory
    for job in [try Self.write(lock: true), try Self.write(lock: false), .lock(force: false)] {
      let report = one.run(job)
      #expect(report.failure == nil && report.result == .unchanged)
      #expect(report.status == .readOnly)
    }
    for lock in [true, false] {
      let refused = one.run(try Self.write("https://example.com/other", lock: lock))
      #expect(refused.failure?.kind == .refused)
    }
    #expect(one.memory == locked)
    let info = one.run(.info)
    #expect(info.isLocked == true && info.status == .readOnly)
    #expect(info.message == (try url(Self.link)))
  }

  @Test(
    "a plan locks after the message was read back, static lock bytes last, and says what is for good"
  )
  func plan() throws {
    let bench = try Bench("ntag213")
    let before = bench.memory
    let report = bench.run(try Self.write(lock: true)) { $0.dryRun = true }
    #expect(report.result == .planned && bench.memory == before)
    let steps = try #require(report.program?.steps)
    let firstLock = try #require(steps.firstIndex { $0.purpose == .lock })
    let verification = steps.firstIndex { step in
      step.checked?.place == .page(4)
    }
    #expect(try #require(verification) < firstLock)
    #expect(steps[..<firstLock].allSatisfy { !$0.isIrreversible })
    #expect(
      steps[firstLock...].map(\.description) == [
        "write page 3: E1 10 12 0F  (locked, irreversible)", "read page 3 back",
        "write page 40: FF 0F 3F 00  (locked, irreversible)", "read page 40 back",
        "write page 2: 00 00 FF FF  (locked, irreversible)", "read page 2 back",
      ])
  }

  @Test("a tag without a message is not locked, an empty one only when that is meant")
  func empty() throws {
    for product in ["ultralight", "ntag213", "mini"] {
      let bench = try Bench(product)
      let before = bench.memory
      let report = bench.run(.lock(force: false))
      #expect(report.failure?.kind == .refused && bench.memory == before)
    }
    #expect(try Bench("ultralight").run(.lock(force: true)).failure?.kind == .refused)
    #expect(try Bench("ntag213").run(.lock(force: true)).failure == nil)
  }

  @Test(
    "a message that readers do not understand is locked only when that is meant",
    arguments: ["ntag213", "ultralight", "mini", "classic1k"])
  func unreadable(_ product: String) throws {
    let damages: [(String, (inout [UInt8]) -> Void)] = [
      ("holds no message that can be read", { $0[Self.messageOffset(in: $0)] = 0xF0 }),
      ("holds no message that can be read", { $0[Self.messageOffset(in: $0) + 1] = 0xA7 }),
      // A page in the middle of the URL that was never written.
      (
        "Record 1 of the message breaks the rules of its type",
        { memory in
          let start = Self.messageOffset(in: memory)
          for index in start + 8..<start + 12 { memory[index] = 0 }
        }
      ),
    ]
    for (sentence, damage) in damages {
      let bench = try Bench(product)
      #expect(bench.run(try Self.write(lock: false)).failure == nil)
      var memory = bench.memory
      damage(&memory)
      bench.tag.eeprom.load(memory)
      let refused = bench.run(.lock(force: false))
      #expect(refused.failure?.kind == .refused)
      #expect(refused.failure?.what.contains(sentence) == true, "\(refused.failure?.what ?? "")")
      #expect(bench.memory == memory)
      let forced = bench.run(.lock(force: true))
      #expect(forced.failure == nil && forced.isLocked == true)
    }
  }

  /// Where the length field of the message's TLV stands.
  private static func messageOffset(in memory: [UInt8]) -> Int {
    // A Classic's area starts with sector 1; an NTAG213 has a Lock Control TLV before the message.
    if memory.count >= 320 { return 65 }
    return memory[16] == 0x01 ? 22 : 17
  }

  /// A written NTAG213 with these bytes in page 2 (from byte 2) and in page 40.
  private func partlyLocked(_ fixed: [UInt8], _ dynamic: [UInt8]) throws -> Bench {
    let bench = try Bench("ntag213")
    _ = bench.run(try Self.write(lock: false))
    var image = bench.memory
    image.replaceSubrange(10..<12, with: fixed)
    image.replaceSubrange(160..<163, with: dynamic)
    bench.tag.eeprom.load(image)
    return bench
  }

  @Test(
    "tags that are locked in part are locked to the end",
    arguments: [
      ([0xF0, 0x00], [0, 0, 0]), ([0, 0], [0xFF, 0, 0]), ([0xFE, 0xFF], [0, 0, 0]),
      ([0x09, 0], [0xFF, 0x0F, 0x3F]), ([0x01, 0], [0, 0, 0]),
    ] as [([UInt8], [UInt8])])
  func partly(_ fixed: [UInt8], _ dynamic: [UInt8]) throws {
    let bench = try partlyLocked(fixed, dynamic)
    let report = bench.run(.lock(force: false))
    #expect(report.failure == nil && report.isLocked == true)
    #expect(bench.run(.info).isLocked == true)
    #expect(Array(bench.memory[160..<163]) == [0xFF, 0x0F, 0x3F])
  }

  @Test(
    "where a block-locking bit keeps data pages open for good, nothing is locked and that is said",
    arguments: [([0x02, 0], [0, 0, 0]), ([0, 0], [0, 0, 0x20])] as [([UInt8], [UInt8])])
  func frozenOpen(_ fixed: [UInt8], _ dynamic: [UInt8]) throws {
    let bench = try partlyLocked(fixed, dynamic)
    let before = bench.memory
    let report = bench.run(.lock(force: false))
    #expect(report.failure?.kind == .refused)
    guard case .type2(.openForGood) = report.failure?.cause else {
      Issue.record("\(report.failure as Any)")
      return
    }
    #expect(bench.memory == before)
  }

  @Test("a Classic's sectors get the read-only trailers, its directory stays", arguments: [4, 15])
  func classicTrailers(last: Int) throws {
    let bench = try Bench(last == 4 ? "mini" : "classic1k")
    _ = bench.run(try Self.write(lock: false))
    var wanted = bench.memory
    for sector in 1...last {
      wanted.replaceSubrange(sector * 64 + 54..<sector * 64 + 58, with: [0x07, 0x8F, 0x0F, 0x43])
    }
    #expect(bench.run(.lock(force: false)).failure == nil)
    #expect(bench.memory == wanted)
  }

  @Test("a Classic with a key B of its own needs it, and keeps it")
  func secretKeyB() throws {
    let key = try #require(Key([0xC0, 0xFF, 0xEE, 1, 2, 3]))
    let bench = try Bench("mini")
    var format = ClassicFormat()
    format.keyB = key
    format.message = try url(Self.link)
    _ = bench.run(.formatClassic(format))
    let before = bench.memory
    #expect(bench.run(.lock(force: false)).failure?.kind == .refused)
    #expect(bench.memory == before)
    #expect(bench.run(.lock(force: false)) { $0.credentials.keys = [key] }.failure == nil)
    #expect(Array(bench.memory[122..<128]) == key.bytes)
  }
}

@Suite("Which types of tags can be locked")
struct LockableProductTests {
  @Test("what a list refuses is what a run refuses", arguments: TagCatalog.names)
  func type4(_ name: String) throws {
    guard let product = Product.named(name), Product.type4s.contains(product) else { return }
    let bench = try Bench(name)
    _ = bench.run(FaultCase.short)
    let report = bench.run(.lock(force: true))
    guard let cause = report.failure?.cause else {
      #expect(product.canLock)
      return
    }
    if case .type4(.cannotLock) = cause { #expect(!product.canLock) }
  }
}
