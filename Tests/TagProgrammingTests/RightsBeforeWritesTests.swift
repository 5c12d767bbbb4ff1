import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// No job is refused after it has changed its tag, and no dry run counts on one.
@Suite("Rights before writes on Ultralight and NTAG")
struct RightsBeforeWritesTests {
  static let trials = PreparedTag.type2.filter { Exhaustive.includes($0.testDescription) }

  @Test(
    "a job that is refused leaves its tag as it was", arguments: trials)
  func noDamage(_ tag: PreparedTag) throws {
    let pages = PageWrite(start: 4, bytes: Array(1...48), force: false)
    for (name, job) in tag.some(of: PreparedTag.type2Jobs) + [("pages", .writePages(pages))] {
      for password in [nil, PreparedTag.password, [1, 2, 3, 4]] {
        let bench = try tag.bench()
        let before = bench.memory
        let report = bench.run(job) { $0.credentials.password = password }
        guard let failure = report.failure, [.refused, .badInput].contains(failure.kind) else {
          continue
        }
        #expect(bench.memory == before, "\(name), \(failure)")
        let isUntouched =
          switch failure.holds {
          case nil, .unchanged, .passwordCounted: true
          default: false
          }
        #expect(isUntouched, "\(name), \(failure)")
      }
    }
  }

  /// AUTH0 within the message, by chip, and a message that ends behind it.
  private static let within: [(product: String, auth0: UInt8)] = [
    ("ntag210", 8), ("ntag212", 8), ("ntag213", 8), ("ntag215", 10), ("ntag216", 10),
    ("ultralight-ev1-11", 8), ("ultralight-ev1-21", 8), ("ultralight-c", 8), ("ultralight-aes", 8),
  ]

  @Test(
    "AUTH0 in the middle of the message: refused before the first write", arguments: within)
  func middle(_ product: String, _ auth0: UInt8) throws {
    let bench = try Bench(product)
    #expect(bench.run(FaultCase.write(FaultCase.media(40))).failure == nil)
    var memory = bench.memory
    if product == "ultralight-c" {
      (memory[42 * 4], memory[43 * 4]) = (auth0, 1)
    } else {
      let place = try #require(Product.named(product)?.type2?.configuration)
      memory[place.cfg0.byteOffset + 3] = auth0
      memory[place.cfg1.byteOffset] &= 0x7F
    }
    bench.tag.eeprom.load(memory)
    let log = WriteLog()
    var watched = bench
    watched.log = log
    let report = watched.run(FaultCase.write(FaultCase.media(39)))
    #expect(report.failure?.kind == .refused, "\(report.failure.map { "\($0)" } ?? "")")
    #expect(report.failure?.holds == .unchanged && bench.memory == memory)
    #expect(log.writes.isEmpty, "\(log.writes)")
  }

  @Test(
    "a dry run sends no password that the tag may count",
    arguments: ["ntag213", "ultralight-ev1-11", "ntag210"], [UInt8(0x01), 0x81])
  func dryRunCounts(_ product: String, access: UInt8) throws {
    let place = try #require(Product.named(product)?.type2?.configuration)
    let image = try #require(try Bench(product).run(.dump).dump?.image)
    let jobs: [Job] = [
      FaultCase.short, .lock(force: false), .protect(Protection(password: [5, 6, 7, 8])),
      .unprotect, .restore(Restore(image)), .restore(Restore(image, force: true)),
      .writePages(PageWrite(start: 6, bytes: [1, 2, 3, 4], force: false)),
    ]
    for job in jobs {
      let bench = try Bench(product)
      #expect(bench.run(FaultCase.other).failure == nil)
      var memory = bench.memory
      memory[place.cfg0.byteOffset + 3] = 4
      memory[place.cfg1.byteOffset] = access
      memory.replaceSubrange(
        place.cfg0.byteOffset + 8..<place.cfg0.byteOffset + 12, with: PreparedTag.password)
      bench.tag.eeprom.load(memory)
      let chip = try #require(bench.tag as? VirtualType2)
      for password in [[9, 9, 9, 9], PreparedTag.password] {
        let report = bench.run(job) {
          $0.dryRun = true
          $0.credentials.password = password
        }
        #expect(chip.registers.failedAuthentications == 0, "\(job)")
        #expect(bench.memory == memory)
        let isSaid =
          report.findings.contains { $0.code == "password-not-tried" }
          || report.failure?.cause == .type2(.passwordNotTried)
          || report.failure?.cause == .type2(.passwordWithheld(limit: access == 1 ? 1 : nil))
        #expect(isSaid, "\(job): \(report.failure.map { "\($0)" } ?? "planned")")
      }
    }
  }

  @Test("restoring without --force sends no password out of the dump to a tag that hides its limit")
  func heldPassword() throws {
    let chip = try #require(try TagCatalog.tag("ntag213") as? VirtualType2)
    let bench = Bench(chip)
    _ = bench.run(.protect(Protection(password: PreparedTag.password, readToo: true)))
    let dumped = try #require(try Bench("ntag213").run(.dump).dump?.image)
    var rows: [[UInt8?]] = dumped.rows
    rows[43] = [9, 9, 9, 9]
    let image = try #require(
      MemoryImage(dumped.layout, uid: dumped.uid, bytes: rows.flatMap { $0 }))
    var memory = bench.memory
    memory[42 * 4] |= 1
    bench.tag.eeprom.load(memory)
    let report = bench.run(.restore(Restore(image)))
    #expect(report.failure?.kind == .refused)
    #expect(chip.registers.failedAuthentications == 0 && bench.memory == memory)
  }

  @Test(
    "the password of delivery is not set", arguments: ["ntag213", "ultralight-c", "ultralight-aes"])
  func deliveredSecret(_ product: String) throws {
    let map = try #require(Product.named(product)?.type2)
    let bench = try Bench(product)
    let before = bench.memory
    for job in [
      Job.protect(.delivered(on: map)), PreparedTag.write { $0.protection = .delivered(on: map) },
    ] {
      let report = bench.run(job)
      guard case .type2(.deliveredSecret)? = report.failure?.cause else {
        Issue.record("\(report.failure.map { "\($0)" } ?? "set")")
        continue
      }
      #expect(bench.memory == before)
    }
  }

  @Test("the password of a frozen configuration changes, and nothing else")
  func frozenPassword() throws {
    let bench = try Bench("ntag213")
    #expect(bench.run(FaultCase.short).failure == nil)
    let old = Protection(password: [0x11, 0x22, 0x33, 0x44], pack: [1, 2])
    #expect(bench.run(.protect(old)).failure == nil)
    var memory = bench.memory
    memory[42 * 4] |= 0x40
    bench.tag.eeprom.load(memory)
    let new = Protection(password: [0xAA, 0xBB, 0xCC, 0xDD], pack: [3, 4])
    let report = bench.run(.protect(new)) { $0.credentials.password = old.password }
    #expect(report.failure == nil, "\(report.failure.map { "\($0)" } ?? "")")
    memory.replaceSubrange(43 * 4..<43 * 4 + 6, with: new.password + new.pack)
    #expect(bench.memory == memory)
    let other = Protection(password: [1, 1, 1, 1], readToo: true)
    let refused = bench.run(.protect(other)) { $0.credentials.password = new.password }
    #expect(refused.failure?.kind == .refused && bench.memory == memory)
  }
}
