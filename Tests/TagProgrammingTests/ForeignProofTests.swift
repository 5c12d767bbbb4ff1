import NDEF
import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

@Suite("An NTAG 424 DNA that somebody else has set up, and one as delivered")
struct ForeignProofTests {
  /// The settings of the message's file, from their option byte on.
  static func set(_ hex: String, on tag: VirtualNTAG424) {
    let settings = Hexadecimal.bytes(hex)
    let start = NTAG424File.settingsStart + NTAG424File.settingsRoom
    _ = tag.eeprom.program([UInt8(settings.count)] + settings, at: start)
  }

  private func bench(_ settings: String? = nil, holding text: String? = nil) throws -> Bench {
    let bench = try Bench("ntag424")
    if let text { #expect(bench.run(.write(try url(text), WriteOptions())).failure == nil) }
    if let settings { Self.set(settings, on: try #require(bench.tag as? VirtualNTAG424)) }
    return bench
  }

  @Test("in the middle of GetVersion the chip refuses what is not its rest, and the reader ends it")
  func middle() throws {
    let bench = try bench(holding: "https://example.com/t/1")
    let tag = try #require(bench.tag as? VirtualNTAG424)
    tag.select()
    func answer(_ hex: String) -> String {
      guard case .data(let bytes) = tag.receive(Hexadecimal.bytes(hex)) else { return "silence" }
      return Hexadecimal.text(bytes.suffix(2))
    }
    #expect(answer("9060000000") == "91af")
    for refused in ["00A4040007D276000085010100", "00A4000C02E104", "00B0000002"] {
      #expect(answer(refused) == "6985")
    }
    #expect(answer("90AF000000") == "91af" && answer("90AF000000") == "9100")
    #expect(answer("00A4040007D276000085010100") == "9000")
    #expect(answer("9060000000") == "91af" && answer("90F500000102 00") == "91ca")
    #expect(answer("9071000002000000") == "91af" && answer("00A4000C02E104") == "6985")
    #expect(answer("90AF000000") == "917e" && answer("00A4000C02E104") == "9000")
    #expect(tag.registers.failures == [0, 0, 0, 0, 0])
    // What another program has begun and left.
    #expect(answer("9060000000") == "91af")
    let report = bench.run(.read)
    #expect(report.message == (try url("https://example.com/t/1")) && report.failure == nil)
  }

  @Test("mirrors anywhere, over the length of the message, too: nothing traps, nothing is guessed")
  func offsets() throws {
    for offset in [0, 1, 2, 3, 7, 8, 20, 100, 242, 250, 0xFFFFF0] {
      let place = [0, 8, 16].map { UInt8(offset >> $0 & 0xFF) }
      for settings in ["40E0EE81FFEF", "40E0EE41FFEF"] {
        let bench = try bench(
          settings + Hexadecimal.text(place), holding: "https://example.com/t/1")
        for job in [Job.read, .info, .dump, .write(try url("https://example.com/2"), .init())] {
          let before = bench.memory
          let report = bench.run(job)
          if job != .dump, report.failure != nil { #expect(bench.memory == before) }
          let isOver = offset < 2 && settings.contains("81FF")
          if job == .info, isOver, report.message != nil {
            #expect(report.findings.contains { $0.code == "mirror-over-length" })
          }
        }
      }
    }
  }

  @Test("the report shows values of a tag as they were read, and drops them with their settings")
  func told() throws {
    let old = "https://example.com/t?u=00000000000000&c=000000"
    let settings = "40E0EEC1FFEF160000270000"
    for job in [Job.lock(force: false), .read] {
      let bench = try bench(settings, holding: old)
      let report = bench.run(job)
      #expect(report.failure == nil)
      let link = "\(try #require(report.message).records[0].content.summary)"
      #expect(link.contains("0479373A9E6C80") && !link.contains("goeshere"), "\(link)")
    }
    let template = "https://example.com/t?e={picc}&c={mac}"
    let job = try PersonalisationTests.job(template, keys: PersonalisationTests.ring)
    let plain = try bench().run(job)
    let foreign = try bench(settings, holding: old).run(job)
    #expect(foreign.failure == nil)
    #expect(foreign.message == plain.message && plain.message != nil)
  }

  @Test("a message is not written where the tag would fill something in: the old one stays")
  func covered() throws {
    let old =
      "https://example.com/t?e=" + String(repeating: "0", count: 32) + "&c="
      + String(repeating: "0", count: 16)
    // Encrypted UID and counter at 31, the code at 66, as the address has them.
    let bench = try bench("40E0EEC1FF121F0000420000420000", holding: old)
    let before = bench.memory
    let long = Message(
      try URIRecord("https://example.com/" + String(repeating: "x", count: 90)).record)
    for isPlan in [true, false] {
      let report = bench.run(.write(long, WriteOptions())) { $0.dryRun = isPlan }
      #expect(report.failure?.cause == .type4(.mirrorsCover([.picc, .mac])))
      #expect(report.failure?.kind == .refused && report.failure?.holds ?? .unchanged == .unchanged)
      #expect(bench.memory == before)
    }
    // One that ends before them is read as it was written.
    #expect(bench.run(.write(try url("https://example.com/s"), WriteOptions())).failure == nil)
  }

  @Test(
    "a key that somebody has changed is found before the first write, whatever its version says")
  func changedKey() throws {
    for number in 0..<5 {
      let bench = try bench(holding: "https://example.com/t/1")
      let key = [UInt8](repeating: 0x33, count: 16)
      let start = NTAG424File.keysStart + number * NTAG424File.keyRoom
      _ = bench.tag.eeprom.program(key, at: start)
      let before = bench.memory
      for isPlan in [true, false] {
        let report = bench.run(try PersonalisationTests.job()) { $0.dryRun = isPlan }
        #expect(report.failure?.cause == .type4(.keysUnknown([UInt8(number)])))
        #expect(report.failure?.kind == .refused && bench.memory == before, "key \(number)")
      }
    }
  }

  @Test("as delivered it is locked for good with its key of zeros, and says what stays open")
  func locked() throws {
    let message = try url("https://example.com/t/1")
    var closing = WriteOptions()
    closing.lock = true
    for job in [Job.lock(force: false), .write(message, closing)] {
      let bench = try bench(holding: "https://example.com/t/1")
      let before = bench.memory
      let planned = bench.run(job) { $0.dryRun = true }
      #expect(planned.failure == nil && planned.program?.irreversibleSteps.count == 1)
      #expect(bench.memory == before)
      let report = bench.run(job)
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
      #expect(report.isLocked == true && report.verified)
      #expect(report.findings.contains { $0.code == "delivered-keys" })
      let after = bench.memory
      let refused = bench.run(.write(try url("https://example.com/2"), WriteOptions()))
      #expect(refused.failure?.cause == .type4(.writeNeedsKey(.ntag424, nil)))
      #expect(bench.run(.lock(force: false)).result == .unchanged && bench.memory == after)
      #expect(bench.run(.read).message == message)
    }
  }

  @Test("under a key of somebody's it is locked with that key alone; a dry run counts no wrong one")
  func lockedByKey() throws {
    let bench = try bench(holding: "https://example.com/t/1")
    let key = [UInt8](repeating: 0x44, count: 16)
    _ = bench.tag.eeprom.program(key + [7], at: NTAG424File.keysStart)
    let tag = try #require(bench.tag as? VirtualNTAG424)
    let refused = bench.run(.lock(force: false)) { $0.dryRun = true }
    #expect(refused.failure?.cause == .type4(.lockNeedsKey(.ntag424, 0)))
    #expect(tag.registers.failures == [0, 0, 0, 0, 0])
    let before = bench.memory
    #expect(bench.run(.lock(force: false)).failure?.remedy == .giveKey && bench.memory == before)
    let report = bench.run(.lock(force: false)) {
      $0.credentials = Credentials(cardKeys: [key])
    }
    #expect(report.failure == nil && report.isLocked == true)
    #expect(!report.findings.contains { $0.code == "delivered-keys" })
  }

  @Test("a code that never changes is written with a word")
  func constant() throws {
    let bench = try Bench("ntag424")
    let report = bench.run(
      try PersonalisationTests.job("https://example.com/t?u={uid}&c={mac:uid}"))
    #expect(report.failure == nil && report.findings.contains { $0.code == "code-constant" })
    let other = try Bench("ntag424")
    #expect(
      !other.run(try PersonalisationTests.job()).findings.contains { $0.code == "code-constant" })
  }

  @Test("tags with the keys of before are opened, and moved to the right ones")
  func shortKeys() throws {
    let (name, master) = (Array("company".utf8), PersonalisationTests.master)
    let short = KeyRing(.an10922Short(master: master, name: name), version: 1)
    let right = KeyRing(.an10922(master: master, name: name), version: 2)
    let bench = try Bench("ntag424")
    #expect(bench.run(try PersonalisationTests.job(keys: short)).failure == nil)
    let refused = bench.run(try PersonalisationTests.job(keys: right))
    #expect(refused.failure?.kind == .refused)
    let moved = bench.run(try PersonalisationTests.job(keys: right, before: short))
    #expect(moved.failure == nil, "\(moved.failure?.message ?? "")")
    let tag = try #require(bench.tag as? VirtualNTAG424)
    for number in KeyRing.keyNumbers {
      #expect(tag.key(number) == right.key(number, of: UID(tag.storedUID)).bytes)
    }
  }
}
