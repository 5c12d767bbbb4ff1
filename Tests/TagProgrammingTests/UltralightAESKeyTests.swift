import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("The key of an Ultralight AES")
struct UltralightAESKeyTests {
  private static let key = Array(UInt8(0)...15)
  private static let wrong = Array(UInt8(1)...16)
  private static let message = "https://example.com/t/1"

  private static func knowing(_ key: [UInt8]?) -> (inout RunOptions) -> Void {
    { $0.credentials.password = key }
  }

  private static func tag(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> (
    Bench, VirtualType2
  ) {
    let tag = try #require(try TagCatalog.tag("ultralight-aes") as? VirtualType2)
    let bench = Bench(tag)
    #expect(bench.run(.write(try url(message), WriteOptions())).result == .written)
    var memory = bench.memory
    change(&memory)
    tag.eeprom.load(memory)
    return (bench, tag)
  }

  @Test(
    "is set, used, changed and taken away; without it the tag stays as it is",
    arguments: [false, true])
  func life(readToo: Bool) throws {
    let (bench, _) = try Self.tag()
    let open = bench.memory
    let protect = Job.protect(Protection(key: Self.key, readToo: readToo))
    let protected = bench.run(protect)
    #expect(protected.result == .written && protected.failure == nil, "\(protected.failure as Any)")
    #expect(Array(bench.memory[164..<172]) == [0, 0, 0, 2, readToo ? 0x8C : 0x0C, 5, 0, 0])
    #expect(Array(bench.memory[192..<208]) == Self.key.reversed())
    let shut = bench.memory
    let other = Job.write(try url("https://example.com/t/2"), WriteOptions())
    for wrong in [nil, Self.wrong, [1, 2, 3, 4]] as [[UInt8]?] {
      let report = bench.run(other, Self.knowing(wrong))
      #expect(report.failure?.kind == .refused, "\(report.failure as Any)")
      #expect(bench.run(.unprotect, Self.knowing(wrong)).failure != nil)
    }
    #expect(bench.memory == shut)
    #expect(bench.run(.read).message == (readToo ? nil : try url(Self.message)))
    #expect(bench.run(.read, Self.knowing(Self.key)).message == (try url(Self.message)))
    #expect(bench.run(protect, Self.knowing(Self.key)).result == .unchanged)
    #expect(bench.run(other, Self.knowing(Self.key)).failure == nil)
    let new = Array(UInt8(0xE0)...0xEF)
    let change = bench.run(.protect(Protection(key: new)), Self.knowing(Self.key))
    if readToo {
      // An earlier run of this job may have set the new key, and AUTH_LIM does not show.
      #expect(change.failure?.cause == .type2(.passwordWithheld(limit: nil)))
      #expect(bench.run(.unprotect, Self.knowing(Self.key)).result == .written)
      #expect(bench.run(.protect(Protection(key: new))).result == .written)
    } else {
      #expect(change.result == .written)
    }
    #expect(bench.run(.unprotect, Self.knowing(Self.key)).failure?.kind == .refused)
    #expect(bench.run(.unprotect, Self.knowing(new)).result == .written)
    #expect(bench.memory[160...] == open[160...])
    #expect(bench.run(.unprotect).result == .unchanged)
    #expect(bench.run(.write(try url(Self.message), WriteOptions())).failure == nil)
    #expect(bench.memory == open)
  }

  @Test("is set with the message and the locks, and proves itself before anything asks for it")
  func protected() throws {
    let bench = try Bench("ultralight-aes")
    var options = WriteOptions()
    (options.protection, options.lock) = (Protection(key: Self.key), true)
    let report = bench.run(.write(try url(Self.message), options))
    #expect(report.failure == nil && report.isLocked == true, "\(report.failure as Any)")
    #expect(bench.memory[167] == 2 && Array(bench.memory[160..<163]) == [0xFF, 0x0F, 0])
  }

  @Test("info names its protection and its limits")
  func info() throws {
    let (bench, _) = try Self.tag { $0[171] = 1 }
    #expect(bench.run(.protect(Protection(key: Self.key))).failure == nil)
    let report = bench.run(.info)
    #expect(report.product == .ultralightAES && report.isPasswordProtected == true)
    let password = report.details.first { $0.label == "password" }?.text
    #expect(password == "the password is needed to write page 2 and later pages")
    #expect(report.findings.contains { $0.text.contains("256 wrong keys lock the tag") })
  }

  @Test("has 16 bytes, which is said before the first write")
  func lengths() throws {
    let (bench, _) = try Self.tag()
    let before = bench.memory
    let report = bench.run(.protect(Protection(password: [1, 2, 3, 4])))
    #expect(report.failure?.cause == .type2(.secretLength(byteCount: 16, .ultralightAES)))
    #expect(bench.memory == before)
  }

  @Test("is refused before the first write where it is locked, or the configuration is frozen")
  func locked() throws {
    let causes: [(offset: Int, bits: UInt8, cause: Type2Cause)] = [
      (180, 0x40, .locked([48, 49, 50, 51])), (168, 0xCC, .configurationFrozen(isOfDump: false)),
    ]
    for (offset, bits, cause) in causes {
      let (bench, _) = try Self.tag { $0[offset] = bits }
      let before = bench.memory
      let report = bench.run(.protect(Protection(key: Self.key)))
      #expect(report.failure?.cause == .type2(cause))
      #expect(bench.memory == before)
    }
  }

  @Test(
    "of a tag that demands secure messaging is neither set nor tried, and the tag not harmed",
    arguments: [UInt8(0x3C), 41, 3], [UInt8(0x0C), 0x8C])
  func secureMessaging(auth0: UInt8, access: UInt8) throws {
    let (bench, tag) = try Self.tag { memory in
      (memory[164], memory[167], memory[168], memory[170]) = (2, auth0, access, 5)
      memory.replaceSubrange(192..<208, with: Self.key.reversed())
    }
    let before = bench.memory
    let other = Job.write(try url("https://example.com/t/2"), WriteOptions())
    for job in [Job.protect(Protection(key: Self.wrong)), .unprotect, other] {
      let report = bench.run(job, Self.knowing(Self.key))
      let isOpen = auth0 == 0x3C && job == other
      #expect((report.failure == nil) == isOpen, "\(job): \(report.failure as Any)")
      // Of a tag that hides AUTH_LIM the key that the job replaces is not even sent.
      let isSent = access == 0x0C || auth0 == 0x3C || job.passwordChange == nil || job == .unprotect
      let cause = isSent ? Type2Cause.secureMessaging : .passwordWithheld(limit: nil)
      #expect(isOpen || report.failure?.cause == .type2(cause), "\(job)")
      if !isOpen { #expect(bench.memory == before) }
      tag.eeprom.load(before)
    }
    #expect(tag.registers.failedAuthentications == 0)
  }

  @Test("that is wrong is sent once where the tag counts, and the right one opens it afterwards")
  func counted() throws {
    let other = Job.write(try url("https://example.com/t/2"), WriteOptions())
    for readToo in [false, true] {
      let (bench, tag) = try Self.tag { $0[170] = 3 }
      #expect(bench.run(.protect(Protection(key: Self.key, readToo: readToo))).failure == nil)
      for (count, job) in [other, .unprotect].enumerated() {
        let report = bench.run(job, Self.knowing(Self.wrong))
        #expect(report.failure?.kind == .refused, "\(report.failure as Any)")
        #expect(tag.registers.failedAuthentications == count + 1)
      }
      #expect(bench.run(other, Self.knowing(Self.key)).failure == nil)
      #expect(tag.registers.failedAuthentications == 0)
    }
  }

  @Test("that is torn at any page is finished by the same command", arguments: [false, true])
  func torn(isChange: Bool) throws {
    for cycle in 0..<12 {
      for bytes in 0..<4 {
        let (bench, tag) = try Self.tag()
        let old = Array(UInt8(0xA0)...0xAF)
        if isChange { _ = bench.run(.protect(Protection(key: old))) }
        let first = tag.eeprom.programmingCycles
        tag.eeprom.fate = { $0 == first + cycle ? .tears(afterBytes: bytes) : .completes }
        let job = Job.protect(Protection(key: Self.key))
        _ = bench.run(job, Self.knowing(isChange ? old : nil))
        tag.eeprom.fate = nil
        let again = bench.run(job, Self.knowing(isChange ? old : nil))
        // Where the tag hides that it counts, one key alone is tried: then the new one opens it.
        let failure = again.failure == nil ? nil : bench.run(job, Self.knowing(Self.key)).failure
        #expect(failure == nil, "\(cycle), \(bytes): \(failure as Any)")
        #expect(Array(bench.memory[192..<208]) == Self.key.reversed())
        #expect(Array(bench.memory[164..<172]) == [0, 0, 0, 2, 0x0C, 5, 0, 0])
      }
    }
  }
}
