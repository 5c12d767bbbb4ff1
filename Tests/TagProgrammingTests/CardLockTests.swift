import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What is said of a locked tag that speaks ISO-DEP")
struct CardLockTests {
  private static let key: [UInt8] = (1...16).map { UInt8($0) }

  private func format(_ key: [UInt8]?) -> Job {
    var format = Type4Format()
    format.newKey = key
    format.message = PreparedTag.url
    return .formatType4(format)
  }

  @Test(
    "a DESFire's lock is one that its key can undo, and one that anybody can where the key is zeros"
  )
  func desFire() throws {
    for key in [nil, Self.key] {
      let bench = try Bench("desfire-ev1")
      let credentials = Credentials(cardKeys: [key].compactMap(\.self))
      _ = bench.run(format(key))
      for isPlan in [true, false] {
        let report = bench.run(.lock(force: false)) {
          $0.credentials = credentials
          $0.dryRun = isPlan
        }
        let program = try #require(report.program)
        #expect(report.result == (isPlan ? .planned : .written))
        #expect(program.irreversibleSteps.isEmpty && program.phases.map(\.canBeUndone) == [true])
        #expect(report.findings.map(\.code) == (key == nil ? ["application-key"] : []))
        #expect(report.isLockedUnderKey && report.isLocked == !isPlan)
      }
      // It is true: who has the key writes again.
      let card = bench.tag
      #expect(TagImage.hasLocks(ofType4: card.eeprom.bytes, product: "desfire-ev1"))
      #expect(bench.run(FaultCase.other).failure?.kind == .refused)
    }
  }

  @Test("a blank 2K card gets the file of 0800h that AN11004 gives it")
  func fullFile() throws {
    let report = try Bench("desfire-ev1").run(format(nil))
    #expect(report.failure == nil)
    #expect(report.capacity == 0x0800 - 2)
  }

  @Test("an NTAG 424 DNA whose file takes no write is read-only, whatever its container says")
  func ntag424() throws {
    let bench = try Bench("ntag424")
    _ = bench.run(FaultCase.short)
    #expect(bench.run(.read).status == .readWrite)
    var memory = bench.memory
    // The settings of file 2: everybody reads, nobody writes or changes that.
    memory.replaceSubrange(416 + 32..<416 + 36, with: [3, 0x00, 0xFF, 0xEF])
    bench.tag.eeprom.load(memory)
    for job in [Job.read, .info] {
      let found = bench.run(job)
      #expect(found.status == .readOnly && found.isLocked == true && !found.isLockedUnderKey)
    }
  }
}
