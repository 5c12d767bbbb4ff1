import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Whole tags into dumps and out of them")
struct RestoreTests {
  private static let products =
    Type2Tests.products + ["mini", "classic1k", "classic1k7b", "classic4k"]
  private static let link = "https://example.com/t/0001"

  private static func write(_ text: String = link) throws -> Job {
    .write(try url(text), WriteOptions())
  }

  /// A tag with a message.
  private func written(_ product: String) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(try Self.write()).failure == nil)
    return bench
  }

  private func image(_ bench: Bench, password: [UInt8]? = nil) throws -> MemoryImage {
    let report = bench.run(.dump) { $0.credentials.password = password }
    #expect(report.failure == nil && report.result == .read)
    return try #require(report.dump).image
  }

  /// `image` with other bytes from `offset` on.
  private func changed(_ image: MemoryImage, at offset: Int, to bytes: [UInt8?]) throws
    -> MemoryImage
  {
    var all = image.bytes
    all.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return try #require(MemoryImage(image.layout, uid: image.uid, bytes: all))
  }

  @Test(
    "a dump of a mirrored tag is refused; with leave, the tag gets the mirror",
    arguments: ["ntag210", "ntag213", "ntag215", "ntag216"])
  func mirrored(_ product: String) throws {
    let source = try Bench(product)
    let job = try Self.write("https://e.com/" + String(repeating: "0", count: 21))
    #expect(source.run(job).failure == nil)
    let image = try image(source)
    let cfg0 = try #require(Product.named(product)?.type2?.configuration?.cfg0)
    let isCounted = product != "ntag210"
    // The mirror of flipperzero-firmware#3857: UID and counter over the link's end; then one behind
    // the message.
    for (page, isOver) in [(UInt8(8), true), (UInt8(0), false)] {
      let mirrored = try changed(
        image, at: cfg0.byteOffset,
        to: [isCounted ? 0xD4 : 0x54, 0, page, 0xFF, isCounted ? 0x10 : 0])
      let target = try Bench(product)
      let before = target.memory
      let report = target.run(.restore(Restore(mirrored, force: false)))
      if isOver {
        #expect(
          report.failure?.cause
            == .type2(.dumpMirrored(isCounted ? .uidAndCounter : .uid)))
        #expect(report.failure?.kind == .refused && target.memory == before)
        let forced = target.run(.restore(Restore(mirrored, force: true)))
        #expect(forced.failure == nil)
        #expect(target.memory[cfg0.byteOffset + 2] == page)
        // What is said of the tag is what readers find: the UID in its message.
        let (said, found) = (forced.content.shown, target.run(.read).content.shown)
        #expect(said != nil && said?.prefix(24) == found?.prefix(24))
        // A tag that has the mirror takes the dump without leave, and no other dump.
        #expect(target.run(.restore(Restore(mirrored, force: false))).failure == nil)
        let (before, plain) = (target.memory, target.run(.restore(Restore(image, force: false))))
        #expect(
          plain.failure?.cause == .type2(.mirrorsOverDump(isCounted ? .uidAndCounter : .uid)))
        #expect(target.memory == before)
      } else {
        #expect(report.failure == nil)
      }
    }
  }

  @Test("a dump holds every byte but passwords and keys that are not known", arguments: products)
  func dumps(_ product: String) throws {
    let bench = try written(product)
    let before = bench.memory
    let report = bench.run(.dump)
    let dump = try #require(report.dump)
    #expect(bench.memory == before)
    #expect(dump.image.uid == UID(bench.tag.uid))
    #expect(dump.sak == bench.tag.sak && dump.atqa == bench.tag.atqa)
    #expect(dump.image.message == (try url(Self.link)).serialize())
    for (index, byte) in dump.image.bytes.enumerated() where byte != nil {
      #expect(byte == before[index], "byte \(index)")
    }
    let hidden = dump.image.bytes.count { $0 == nil }
    let map = Product.named(product)?.type2
    let keys = map?.key.map { 4 * $0.hiddenPages.count }
    #expect(hidden == keys ?? (map?.configuration != nil ? 8 : 0))
    #expect((dump.version != nil) == (Product.named(product)?.features.contains(.version) ?? false))
  }

  @Test(
    "a changed tag gets back what its dump holds, and the second time nothing is written",
    arguments: products)
  func roundTrip(_ product: String) throws {
    let bench = try written(product)
    let before = bench.memory
    let job = Job.restore(Restore(try image(bench)))
    #expect(bench.run(job).result == .unchanged)
    #expect(bench.run(try Self.write("https://example.com/another/0002")).failure == nil)
    let report = bench.run(job)
    #expect(report.failure == nil && report.result == .written && report.verified)
    #expect(report.message == (try url(Self.link)))
    #expect(bench.memory == before)
    #expect(bench.run(job).result == .unchanged)
  }

  @Test(
    "a Classic that was reset is as before, keys and directory too",
    arguments: ["mini", "classic1k", "classic4k"])
  func afterReset(_ product: String) throws {
    let bench = try written(product)
    let (formatted, job) = (bench.memory, Job.restore(Restore(try image(bench))))
    #expect(bench.run(.resetClassic).failure == nil)
    let back = Job.restore(Restore(try image(bench)))
    #expect(bench.run(job).failure == nil)
    #expect(bench.memory == formatted)
    #expect(bench.run(back).failure == nil)
    #expect(bench.memory == (try Bench(product)).memory)
  }

  @Test("another tag keeps its UID, and that is said", arguments: ["ntag213", "classic1k"])
  func otherTag(_ product: String) throws {
    let image = try image(try written(product))
    let other = Bench(try TagCatalog.tag(product, index: 5))
    let head = Array(other.memory.prefix(product == "ntag213" ? 10 : 16))
    let report = other.run(.restore(Restore(image)))
    #expect(report.failure == nil)
    #expect(Array(other.memory.prefix(head.count)) == head)
    #expect(report.findings.contains { $0.code == "not-restored" && $0.text.contains("UID") })
    #expect(other.run(.read).message == (try url(Self.link)))
  }

  @Test("what a dump does not know stays as it is, and is said")
  func unknown() throws {
    let bench = try written("classic1k")
    let unknown = [UInt8?](repeating: nil, count: 16)
    var image = try image(bench)
    image = try changed(image, at: 20 * 16, to: unknown)
    image = try changed(image, at: 39 * 16 + 10, to: Array(unknown.prefix(6)))
    _ = bench.run(.resetClassic)
    let report = bench.run(.restore(Restore(image)))
    #expect(report.failure == nil)
    let texts = report.findings.map(\.text)
    #expect(texts.contains("Blocks not known to the dump, and not changed: 20."))
    #expect(texts.contains { $0.hasPrefix("Sector 9: the dump does not know both keys") })
    #expect(Array(bench.memory[39 * 16..<39 * 16 + 6]) == Key.factory.bytes)
  }

  @Test(
    "access bits that would destroy a sector are refused with their block, before anything is written"
  )
  func invalidBits() throws {
    let bench = try written("mini")
    let image = try changed(try image(bench), at: 11 * 16 + 6, to: [0xFF, 0x07, 0x69])
    _ = bench.run(try Self.write("https://example.com/other"))
    let before = bench.memory
    for force in [false, true] {
      let report = bench.run(.restore(Restore(image, force: force)))
      #expect(report.failure?.kind == .badInput)
      #expect(report.failure?.cause == .classic(.invalidAccessBits(11, isOfDump: true)))
      #expect(bench.memory == before)
    }
  }

  @Test("a trailer that freezes its sector needs leave")
  func frozen() throws {
    let bench = try written("mini")
    let bits: [UInt8?] = [0x07, 0x8F, 0x0F, 0x43]
    let image = try changed(try image(bench), at: 11 * 16 + 6, to: bits)
    let before = bench.memory
    let left = bench.run(.restore(Restore(image)))
    #expect(left.failure == nil && left.result == .unchanged && bench.memory == before)
    #expect(left.findings.contains { $0.remedy == .permitForce })
    let forced = bench.run(.restore(Restore(image, force: true)))
    #expect(forced.failure == nil && forced.program?.irreversibleSteps.count == 1)
    #expect(Array(bench.memory[11 * 16 + 6..<11 * 16 + 10]) == bits.compactMap(\.self))
  }

  @Test(
    "locks and configuration of a dump need leave; with it they come last",
    arguments: ["ntag213", "ntag203", "ultralight"])
  func locks(_ product: String) throws {
    let locked = try written(product)
    _ = locked.run(.lock(force: false))
    let image = try image(locked)
    let bench = try Bench(product, content: .blank)
    let report = bench.run(.restore(Restore(image)))
    #expect(report.failure == nil)
    #expect(report.findings.contains { $0.remedy == .permitForce })
    #expect(
      !TagImage.hasLocks(ofType2: bench.memory, dynamicPage: Product.named(product)?.lockPage))
    #expect(bench.run(.restore(Restore(image, force: true))).failure == nil)
    let end = product == "ntag213" ? 172 : bench.memory.count
    #expect(bench.memory[10..<end] == locked.memory[10..<end])
    #expect(bench.run(.restore(Restore(image, force: true))).result == .unchanged)
  }

  @Test("protection comes back with its password, and never without it")
  func protection() throws {
    let password: [UInt8] = [1, 2, 3, 4]
    let bench = try written("ntag215")
    _ = bench.run(.protect(Protection(password: password, pack: [5, 6])))
    let before = bench.memory
    let (blind, whole) = (try image(bench), try image(bench, password: password))
    _ = bench.run(.unprotect) { $0.credentials.password = password }
    let open = bench.memory
    let left = bench.run(.restore(Restore(blind, force: true)))
    #expect(left.failure == nil && bench.memory == open)
    #expect(left.findings.contains { $0.text.contains("password that it does not hold") })
    #expect(bench.run(.restore(Restore(whole, force: true))).failure == nil)
    #expect(bench.memory == before)
    let again = bench.run(.restore(Restore(whole, force: true))) {
      $0.credentials.password = password
    }
    #expect(again.result == .unchanged)
    // The dump holds the password that the tag asks for.
    #expect(bench.run(.restore(Restore(whole))).result == .unchanged)
    #expect(bench.run(.restore(Restore(blind))).failure?.kind == .refused)
  }

  @Test("a dump of another type is refused, untouched")
  func otherType() throws {
    let (ntag, card) = (try image(try written("ntag213")), try image(try written("classic1k")))
    for (product, dump) in [
      ("ntag215", ntag), ("classic1k", ntag), ("ntag213", card), ("mini", card),
    ] {
      let bench = try Bench(product)
      let before = bench.memory
      #expect(bench.run(.restore(Restore(dump, force: true))).failure?.kind == .badInput)
      #expect(bench.memory == before)
    }
  }

  @Test("bytes below a mirror are not known to a dump")
  func mirror() throws {
    let bench = try Bench("ntag213")
    _ = bench.run(.write(try url("https://a.example/00000000000000"), WriteOptions()))
    var memory = bench.memory
    memory.replaceSubrange(164..<168, with: [0x54, 0, 0x08, 0xFF])
    bench.tag.eeprom.load(memory)
    let report = bench.run(.dump)
    let image = try #require(report.dump).image
    #expect(image.bytes[33..<47].allSatisfy { $0 == nil } && image.bytes[32] != nil)
    #expect(report.findings.contains { $0.code == "dump-mirrored" })
  }
}
