import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// PWD_AUTH on the wire, where the tag counts wrong passwords (AUTHLIM, NTAG213/215/216, 8.8.2) or
/// hides whether it does.
@Suite("Passwords that are counted are sent once")
struct PasswordCountTests {
  private static let (right, wrong): ([UInt8], [UInt8]) = ([0x11, 0x22, 0x33, 0x44], [9, 9, 9, 9])
  private static let jobs: [Job] = [
    .read, .info, .dump, FaultCase.other, .lock(force: false), .unprotect,
    .protect(Protection(password: [5, 6, 7, 8])),
  ]

  /// A protected tag that closes after `limit` wrong passwords, with PROT where `hides`.
  private static func tag(limit: UInt8, hides: Bool) throws -> (Bench, Listener) {
    let chip = try #require(try TagCatalog.tag("ntag213") as? VirtualType2)
    let listener = Listener(chip)
    let bench = Bench(listener)
    _ = bench.run(FaultCase.short)
    _ = bench.run(.protect(Protection(password: right, readToo: hides)))
    var memory = bench.memory
    memory[42 * 4] = limit | (hides ? 0x80 : 0)
    bench.tag.eeprom.load(memory)
    listener.passwords = []
    return (bench, listener)
  }

  @Test(
    "a wrong one costs one try, whatever becomes of the answer", arguments: jobs, [true, false])
  func wrongOne(_ job: Job, hides: Bool) throws {
    for limit in UInt8(1)...7 {
      for fate in Listener.Fate.allCases {
        let (bench, listener) = try Self.tag(limit: limit, hides: hides)
        listener.fate = fate
        let report = bench.run(job) { $0.credentials.password = Self.wrong }
        let what = "\(job), limit \(limit), \(fate)"
        #expect(listener.passwords.count <= 1, "\(what): \(listener.passwords.count)")
        #expect(listener.chip.registers.failedAuthentications <= 1, "\(what)")
        if case .lock = job { #expect(report.failure?.kind == .refused, "\(what)") }
      }
    }
  }

  @Test(
    "a wrong one costs one try, however often the tag comes in a run", arguments: jobs,
    [true, false])
  func manyTimes(_ job: Job, hides: Bool) throws {
    let (bench, listener) = try Self.tag(limit: 7, hides: hides)
    let refused = RefusedPasswords()
    for _ in 1...3 {
      _ = bench.run(job) {
        $0.credentials.password = Self.wrong
        $0.refusedPasswords = refused
      }
    }
    #expect(listener.passwords.count <= 1 && listener.chip.registers.failedAuthentications <= 1)
  }

  @Test("one from a list is not sent where the tag says that it counts")
  func listed() throws {
    for (limit, count) in [(UInt8(1), 0), (0, 1)] {
      let (bench, listener) = try Self.tag(limit: limit, hides: false)
      let report = bench.run(FaultCase.other) { options in
        options.listedSecret = { _ in Self.right }
      }
      #expect((listener.passwords.isEmpty ? 0 : 1) == count, "limit \(limit)")
      #expect((report.failure == nil) == (limit == 0), "limit \(limit)")
    }
  }

  @Test("that of another tag's dump is not sent where the tag counts, or hides whether it does")
  func ofDump() throws {
    for limit in [UInt8(0), 1] {
      let source = Bench(try TagCatalog.tag("ntag213", index: 1))
      _ = source.run(.protect(Protection(password: Self.right)))
      let dump = source.run(.dump) { $0.credentials.password = Self.right }
      let image = try #require(dump.dump?.image)
      let (bench, listener) = try Self.tag(limit: limit, hides: true)
      let report = bench.run(.restore(Restore(image, force: true)))
      #expect(report.failure?.kind == .refused && listener.passwords.isEmpty)
    }
  }

  @Test(
    "a tag that counts, or hides whether it does, gets no password that was not given for it, nor one that the job replaces",
    arguments: jobs, [true, false])
  func noneGiven(_ job: Job, hides: Bool) throws {
    var isNew = false
    if case .set = job.passwordChange { isNew = true }
    for given in [nil, Self.right, Self.wrong] where given == nil || isNew {
      let (bench, listener) = try Self.tag(limit: 1, hides: hides)
      let before = bench.memory
      let report = bench.run(job) { $0.credentials.password = given }
      #expect(listener.passwords.isEmpty && bench.memory == before)
      guard let failure = report.failure else { continue }
      #expect(failure.kind == .refused && failure.holds == .unchanged)
      #expect(!failure.what.contains("refused"), "\(failure.what)")
      #expect(failure.remedy == (isNew ? .giveNewPasswordOrRemove : .givePassword))
    }
  }

  @Test("a wrong one that may have been counted is said to be", arguments: [true, false])
  func counted(hides: Bool) throws {
    let (bench, _) = try Self.tag(limit: 3, hides: hides)
    let report = bench.run(.unprotect) { $0.credentials.password = Self.wrong }
    #expect(report.failure?.holds == .passwordCounted(limit: hides ? nil : 3))
  }

  @Test("a tag without a limit that was given no password is said to need one")
  func withoutLimit() throws {
    for job in Self.jobs where job.passwordChange != nil {
      let (bench, _) = try Self.tag(limit: 0, hides: false)
      let failure = try #require(bench.run(job).failure)
      guard case .type2(.passwordNeeded) = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
      #expect(failure.remedy == .givePassword && failure.holds == .unchanged)
    }
  }

  @Test("the right one is sent once more when its answer is lost, but in another run")
  func rightOne() throws {
    for hides in [true, false] {
      let (bench, listener) = try Self.tag(limit: 2, hides: hides)
      listener.fate = .lost
      let failed = bench.run(FaultCase.other) { $0.credentials.password = Self.right }
      #expect(failed.failure?.kind == .refused && listener.passwords.count == 1)
      #expect(failed.failure?.what.contains("lost") == true)
      listener.fate = .honest
      let again = bench.run(FaultCase.other) { $0.credentials.password = Self.right }
      #expect(again.failure == nil, "\(again.failure!)")
    }
  }

  @Test("a password that the tag has taken is given again after every selection")
  func provenOne() throws {
    let (bench, listener) = try Self.tag(limit: 1, hides: true)
    var plan = FaultPlan()
    plan.exchanges = [(.at(14), .silence), (.at(25), .answerCorrupt)]
    let struck = Bench(listener, faults: plan)
    let report = struck.run(FaultCase.other) { $0.credentials.password = Self.right }
    #expect(report.failure == nil, "\(report.failure!)")
    #expect(listener.chip.registers.failedAuthentications == 0)
    _ = bench
  }

  @Test("a password changes while nothing is counted: a bad cell costs no try")
  func badCell() throws {
    let chip = try #require(try TagCatalog.tag("ntag213") as? VirtualType2)
    let listener = Listener(chip)
    let bench = Bench(listener)
    _ = bench.run(FaultCase.short)
    var memory = bench.memory
    memory[42 * 4] = 3
    bench.tag.eeprom.load(memory)
    bench.tag.eeprom.stuckBits = [StuckBit(address: 43 * 4, bit: 0, value: 0)]
    var wanted = Protection(password: [1, 1, 1, 1])
    let unsaid = bench.run(.protect(wanted))
    #expect(unsaid.failure?.cause == .type2(.limitNotSaid(3)) && bench.memory == memory)
    wanted.settings.attemptLimit = 3
    let report = bench.run(.protect(wanted))
    #expect(report.failure?.kind == .mismatch)
    #expect(report.failure?.what.contains("(page 43)") == true)
    #expect(!listener.passwords.isEmpty && chip.registers.failedAuthentications == 0)
    #expect(bench.memory[42 * 4] == 0, "counts with a password that nobody knows")
  }
}

/// A tag whose passwords are listened to, and whose answers to them may be lost.
private final class Listener: WrappedTag {
  enum Fate: CaseIterable { case honest, lost, short }

  var passwords: [[UInt8]] = []
  var fate = Fate.honest

  override func receive(_ frame: [UInt8]) -> TagAnswer {
    let answer = super.receive(frame)
    guard frame.first == 0x1B, frame.count == 5 else { return answer }
    passwords.append(Array(frame[1...]))
    return switch fate {
    case .honest: answer
    case .lost: .silence
    case .short: .data([0])
    }
  }
}
