import NDEF
import Readers
import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

@Suite("Passwords that follow from a master key and the UID, and signatures of the maker")
struct DerivedPasswordTests {
  private let derived = DerivedPassword(AESKey((1...16).map { UInt8($0) }) ?? .delivered)

  @Test(
    "each tag gets its own, is opened with it alone, and gives it back",
    arguments: ["ntag213", "ultralight-ev1-21"])
  func ownPassword(product: String) throws {
    var seen: Set<[UInt8]> = []
    for index in 0..<3 {
      let bench = Bench(try TagCatalog.tag(product, index: index))
      let protect = Job.protect(Protection(derived: derived, readToo: true))
      #expect(bench.run(protect).result == .written)
      let tag = try #require(bench.tag as? VirtualType2)
      let expected = derived.secrets(of: UID(tag.uid))
      let pages = bench.memory.suffix(8)
      #expect(Array(pages.prefix(4)) == expected.password)
      #expect(Array(pages.dropFirst(4).prefix(2)) == expected.pack)
      #expect(seen.insert(expected.password).inserted)
      #expect(bench.run(.unprotect).failure != nil)
      let mine = { (options: inout RunOptions) in
        options.credentials.derivedPassword = derived
      }
      #expect(bench.run(protect, mine).result == .unchanged)
      let report = bench.run(.write(try url("https://example.com/t/1"), WriteOptions()), mine)
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
      #expect(bench.run(.unprotect, mine).result == .written)
      #expect(bench.run(.write(try url("https://example.com/t/2"), WriteOptions())).failure == nil)
    }
  }

  @Test(
    "so does each tag that has a key in place of a password",
    arguments: [
      ("ultralight-c", Type2Key.ultralightC, 176), ("ultralight-aes", .ultralightAES, 192),
    ])
  func ownKey(product: String, layout: Type2Key, start: Int) throws {
    var seen: Set<[UInt8]> = []
    for index in 0..<2 {
      let bench = Bench(try TagCatalog.tag(product, index: index))
      #expect(bench.run(.protect(Protection(derived: derived))).result == .written)
      let key = derived.key(of: UID(bench.tag.uid))
      #expect(Array(bench.memory[start..<start + 16]) == layout.pages(of: key).flatMap(\.self))
      #expect(seen.insert(key).inserted)
      let report = bench.run(.unprotect) { $0.credentials.derivedPassword = derived }
      #expect(report.result == .written, "\(report.failure as Any)")
    }
  }

  @Test("with a message, too, and cut short at any step")
  func interrupted() throws {
    var options = WriteOptions()
    options.protection = Protection(derived: derived)
    let job = Job.write(try url("https://example.com/t/1"), options)
    for step in 1...12 {
      let bench = try Bench("ntag215")
      _ = bench.run(job, until: step)
      let again = bench.run(job) { $0.credentials.derivedPassword = derived }
      #expect(again.failure == nil, "\(step): \(again.failure?.message ?? "")")
      #expect(
        Array(bench.memory.suffix(8).prefix(4)) == derived.secrets(of: UID(bench.tag.uid)).password)
    }
  }

  @Test("info says what the signature says; with genuine tags alone wanted others are left alone")
  func genuine() throws {
    let tags: [(String, [UInt8])] = [
      ("ntag213", [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]),
      ("ultralight-ev1-11", [0x04, 0xC1, 0x28, 0x5A, 0x37, 0x30, 0x80]),
      ("ultralight-aes", [0x04, 0x5E, 0x4C, 0xC2, 0x45, 0x13, 0x90]),
      ("classic1k-ev1", [0x04, 0x33, 0x61, 0x9A, 0xB3, 0x57, 0x80]),
      ("st25ta02k", [0x02, 0xE3, 0x00, 0x2F, 0xCD, 0x40, 0x38]),
      ("ntag424", [0x04, 0x51, 0x8D, 0xFA, 0xA9, 0x61, 0x80]),
    ]
    var options = WriteOptions()
    options.mustBeGenuine = true
    let job = Job.write(try url("https://example.com/t/1"), options)
    for (product, uid) in tags {
      let genuine = Bench(try TagCatalog.tag(product, uid: uid))
      #expect(Self.origin(genuine)?.hasPrefix("genuine") == true, "\(product)")
      #expect(genuine.run(job).result == .written, "\(product)")
      let other = try Bench(product)
      let before = other.memory
      #expect(Self.origin(other)?.hasPrefix("not genuine") == true, "\(product)")
      let refused = other.run(job)
      #expect(refused.failure?.kind == .refused && other.memory == before, "\(product)")
      #expect(refused.failure?.holds == .unchanged)
    }
    // Cards before EV1 have no signature, and refuse the key.
    let plain = try Bench("classic1k")
    #expect(Self.origin(plain)?.hasPrefix("none") == true)
    #expect(plain.run(job).failure?.kind == .refused)
    let old = try Bench("ntag203")
    #expect(Self.origin(old) == nil && old.run(job).failure?.kind == .refused)
  }

  private static func origin(_ bench: Bench) -> String? {
    bench.run(.info).details.first { $0.label == "originality" }?.text
  }
}
