import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Passwords set, changed and taken away")
struct ProtectionTests {
  static let chips = [
    "ultralight-ev1-11", "ultralight-ev1-21", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216",
  ]
  private static let password: [UInt8] = [0x11, 0x22, 0x33, 0x44]
  private static let other: [UInt8] = [0x55, 0x66, 0x77, 0x88]
  private static let link = "https://example.com/t/0001"

  /// A tag with a message.
  private func written(_ product: String) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(.write(try url(Self.link), WriteOptions())).failure == nil)
    return bench
  }

  private func configuration(of bench: Bench) throws -> [UInt8] {
    let page = try #require(Product.named(bench.tag.product)?.type2?.configuration?.cfg0)
    return Array(bench.memory[page.byteOffset..<page.byteOffset + 16])
  }

  @Test(
    "a tag with a password is read by everybody and written with it alone; without it, it is as before",
    arguments: chips)
  func setAndTakeAway(_ product: String) throws {
    let bench = try written(product)
    let before = bench.memory
    let set = bench.run(.protect(Protection(password: Self.password, pack: [0xAB, 0xCD])))
    #expect(set.failure == nil && set.isPasswordProtected == true)
    let stored = try configuration(of: bench)
    #expect(stored[3] == 2 && stored[4] & 0x87 == 0)
    #expect(Array(stored[8..<16]) == Self.password + [0xAB, 0xCD, 0, 0])

    let message = try url(Self.link)
    #expect(bench.run(.read).message == message)
    let info = bench.run(.info)
    #expect(info.isPasswordProtected == true && info.status == .readOnly)
    let change = Job.write(try url("https://example.com/2"), WriteOptions())
    #expect(bench.run(change).failure?.kind == .refused)
    #expect(bench.run(.lock(force: false)).failure?.kind == .refused)
    #expect(bench.run(change) { $0.credentials.password = Self.password }.failure == nil)
    #expect(
      bench.run(.write(message, WriteOptions())) { $0.credentials.password = Self.password }
        .failure == nil)

    #expect(bench.run(.unprotect).failure?.kind == .refused)
    #expect(
      bench.run(.unprotect) { $0.credentials.password = Self.other }.failure?.kind == .refused)
    let off = bench.run(.unprotect) { $0.credentials.password = Self.password }
    #expect(off.failure == nil && off.isPasswordProtected == false)
    #expect(bench.memory == before)
    #expect(bench.run(.unprotect).result == .unchanged)
  }

  @Test(
    "with reading protected nothing shows without the password, and everything works with it",
    arguments: chips)
  func readToo(_ product: String) throws {
    let bench = try written(product)
    let before = bench.memory
    let protection = Protection(password: Self.password, readToo: true)
    #expect(bench.run(.protect(protection)).failure == nil)
    // Whether it counts wrong passwords does not show: it gets none that was not given for it.
    #expect(bench.run(.protect(protection)).failure?.remedy == .giveNewPasswordOrRemove)
    let again = bench.run(.protect(protection)) { $0.credentials.password = Self.password }
    #expect(again.result == .unchanged)
    #expect(bench.run(.read).failure?.kind == .refused)
    let off = bench.run(.unprotect)
    #expect(off.failure?.cause == .type2(.configurationHidden))
    #expect(off.failure?.remedy == .givePassword)
    let info = bench.run(.info)
    #expect(info.failure == nil && info.message == nil && info.isPasswordProtected == true)
    let read = bench.run(.read) { $0.credentials.password = Self.password }
    #expect(read.message == (try url(Self.link)))
    #expect(bench.run(.unprotect) { $0.credentials.password = Self.password }.failure == nil)
    #expect(bench.memory == before)
  }

  @Test("a password is changed with the old one, and the same command again changes nothing")
  func change() throws {
    let bench = try written("ntag213")
    _ = bench.run(.protect(Protection(password: Self.password)))
    let job = Job.protect(Protection(password: Self.other))
    #expect(bench.run(job).failure?.kind == .refused)
    let changed = bench.run(job) { $0.credentials.password = Self.password }
    #expect(changed.failure == nil && changed.result == .written)
    #expect(bench.run(job).result == .unchanged)
    #expect(bench.run(job) { $0.credentials.password = Self.password }.result == .unchanged)
  }

  @Test("one pass writes, protects and locks; the same command again changes nothing")
  func onePass() throws {
    let bench = try Bench("ntag215")
    var options = WriteOptions()
    options.protection = Protection(password: Self.password)
    options.lock = true
    let job = Job.write(try url(Self.link), options)
    let report = bench.run(job)
    #expect(report.failure == nil && report.isLocked == true && report.isPasswordProtected == true)
    let memory = bench.memory
    let again = bench.run(job)
    #expect(again.result == .unchanged && again.counts.writes == 0)
    #expect(bench.memory == memory)
  }

  @Test("protection is off while PWD changes, and on only after the tag has taken the new one")
  func order() throws {
    let bench = try written("ntag213")
    _ = bench.run(.protect(Protection(password: Self.password)))
    let plan = bench.run(.protect(Protection(password: Self.other, readToo: true))) {
      $0.credentials.password = Self.password
      $0.dryRun = true
    }
    #expect(
      plan.program?.steps.map(\.description) == [
        "write page 41: 04 00 00 FF  (what the password protects)", "read page 41 back",
        "write page 43: (a password or key)", "write page 44: (a password or key)",
        "give the password, which the tag acknowledges",
        "write page 42: 80 05 00 00  (what the password protects)", "read page 42 back",
        "write page 41: 04 00 00 02  (what the password protects)", "read page 41 back",
        "select the tag again and rewrite page 39 without the password, which the tag must refuse",
      ])
  }

  @Test(
    "a tag without a password is refused with the reason, untouched",
    arguments: [
      ("ultralight", "no password"), ("ntag203", "no password"),
      ("classic1k", "keys"),
    ])
  func cannot(_ product: String, _ reason: String) throws {
    let bench = try Bench(product)
    let before = bench.memory
    let protection = Protection(password: Self.password)
    var options = WriteOptions()
    options.protection = protection
    for job in [.protect(protection), .unprotect, .write(try url(Self.link), options)] as [Job] {
      let report = bench.run(job)
      #expect(report.failure?.kind == .badInput)
      #expect(report.failure?.what.contains(reason) == true)
    }
    #expect(bench.memory == before)
  }

  @Test("a frozen configuration is refused, untouched")
  func frozen() throws {
    let bench = try written("ntag213")
    var image = bench.memory
    image[168] = 0x40
    bench.tag.eeprom.load(image)
    let report = bench.run(.protect(Protection(password: Self.password)))
    #expect(report.failure?.kind == .refused)
    #expect(report.failure?.cause == .type2(.configurationFrozen(isOfDump: false)))
    #expect(bench.memory == image)
  }

  @Test("wrong passwords are fewer than the tag allows")
  func attemptLimit() throws {
    let tag = try #require(try TagCatalog.tag("ntag213") as? VirtualType2)
    let bench = Bench(tag)
    _ = bench.run(.protect(Protection(password: Self.password)))
    for limit in UInt8(1)...7 {
      var image = bench.memory
      image[168] = limit
      bench.tag.eeprom.load(image)
      tag.registers.failedAuthentications = 0
      for (job, count) in [(Job.protect(Protection(password: Self.other)), 0), (.unprotect, 1)] {
        let report = bench.run(job) { $0.credentials.password = [1, 2, 3, 4] }
        #expect(report.failure?.kind == .refused)
        #expect(tag.registers.failedAuthentications == count)
      }
    }
  }

  @Test("which passwords are tried, and in which order")
  func candidates() {
    let set = PasswordChange.set(Protection(password: Self.other))
    let delivered: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    func tried(_ change: PasswordChange?, _ limit: Int?) -> [[UInt8]] {
      PasswordChange.candidates(given: Self.password, change: change, limit: limit)
    }
    #expect(tried(nil, 0) == [Self.password])
    #expect(tried(set, 0) == [Self.other, Self.password, delivered])
    // How many wrong ones the tag has met before is not known: one alone, and of a job that sets
    // another none, since an earlier run of it may have set that.
    for limit in [2, 3, nil] {
      #expect(tried(set, limit).isEmpty)
      #expect(
        PasswordChange.candidates(given: Self.other, change: set, limit: limit) == [Self.other])
      let restoring = PasswordChange.candidates(
        given: Self.password, held: Self.other, change: nil, lasting: Self.other, limit: limit)
      #expect(restoring.isEmpty)
    }
    #expect(tried(.takeAway, 0) == [Self.password, delivered])
    #expect(tried(.takeAway, nil) == [Self.password])
    for change in [set, .takeAway, nil] {
      for limit in [1, 7] {
        let guesses = PasswordChange.candidates(
          given: nil, held: Self.other, change: change, limit: limit)
        #expect(guesses.isEmpty, "\(change as Any), \(limit)")
      }
    }
    // A tag that hides its configuration may have it from this very job, or from another.
    #expect(PasswordChange.candidates(given: nil, change: set, limit: nil).isEmpty)
    #expect(PasswordChange.candidates(given: nil, change: .takeAway, limit: nil).isEmpty)
  }

  @Test("a copy that takes writes without its password is found out, before anything is locked")
  func brokenPromise() throws {
    let copy = ForgetfulTag(try #require(try TagCatalog.tag("ntag213") as? VirtualType2))
    var options = WriteOptions()
    options.protection = Protection(password: Self.password)
    options.lock = true
    let report = Bench(copy).run(.write(try url(Self.link), options))
    #expect(report.failure?.kind == .mismatch)
    #expect(report.failure?.what.contains("ignores its password") == true)
    #expect(!TagImage.hasLocks(ofType2: copy.eeprom.bytes, dynamicPage: 40))
  }

  @Test("no text of a protection or of its steps shows the password")
  func secrecy() {
    let protection = Protection(password: [0xDE, 0xAD, 0xBE, 0xEF], pack: [0xCA, 0xFE])
    let job = Job.protect(protection)
    let steps: [TagProgram.Step] = [
      .writePage(43, protection.password, .secret),
      .enterPassword(protection.password, pack: protection.pack),
    ]
    for text in ["\(protection)", "\(job)", String(reflecting: job), "\(steps[0])", "\(steps[1])"] {
      for part in ["de", "DE", "222", "ca", "202"] { #expect(!text.contains(part), "\(text)") }
    }
  }
}

/// A copy of a chip that takes passwords, says that it protects itself, and lets everybody write.
private final class ForgetfulTag: WrappedTag {
  override func receive(_ frame: [UInt8]) -> TagAnswer {
    if frame.first == 0xA2, frame.count == 6, chip.state == .active, (4..<40).contains(frame[1]) {
      _ = eeprom.program(Array(frame[2...]), at: Int(frame[1]) * 4)
      return .nibble(0xA)
    }
    return super.receive(frame)
  }
}
