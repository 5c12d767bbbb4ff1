import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Content, then capability container and locks, then what shuts the tag: whatever step is the last
/// one, the same command goes on.
@Suite("Dumps that lock and shut a tag")
struct RestoreOrderTests {
  private static let password: [UInt8] = [1, 2, 3, 4]

  /// The dump of a tag that a job has locked, with its password.
  private static func protected(_ product: String, readToo: Bool = false) throws -> MemoryImage {
    let source = try Bench(product)
    guard case .write(let message, var options) = FaultCase.short else { preconditionFailure() }
    options.lock = true
    options.protection = Protection(password: password, pack: [5, 6], readToo: readToo)
    #expect(source.run(.write(message, options)).failure == nil)
    let dump = source.run(.dump) { $0.credentials.password = password }.dump
    return try #require(dump).image
  }

  private static func bytes(_ bench: Bench) -> [UInt8] { bench.memory }

  @Test(
    "a tag that was locked and protected comes back whole, cut short before any step",
    arguments: ["ntag213", "ntag216", "ultralight-ev1-21"], [false, true])
  func protectedDump(_ product: String, readToo: Bool) throws {
    let job = Job.restore(Restore(try Self.protected(product, readToo: readToo), force: true))
    let whole = try Bench(product)
    let report = whole.run(job)
    #expect(report.failure == nil, "\(report.failure!)")
    #expect(whole.run(job).result == .unchanged)
    let steps = try #require(report.program).steps
    let closing = steps.lastIndex { $0.purpose == .configuration } ?? 0
    let locking = steps.lastIndex { $0.isWrite && $0.page.map { $0 <= 3 } ?? false } ?? steps.count
    #expect(closing > locking)
    for step in 1...steps.count {
      let bench = try Bench(product)
      _ = bench.run(job, until: step)
      let again = bench.run(job)
      #expect(again.failure == nil, "before step \(step): \(again.failure!)")
      #expect(bench.memory == whole.memory, "before step \(step)")
    }
  }

  /// A dump of an Ultralight C that is locked and asks for its key from page 3 on.
  private static func closedUltralightC(holdsKey: Bool, auth1: UInt8) throws -> MemoryImage {
    let source = try Bench("ultralight-c")
    _ = source.run(FaultCase.short)
    _ = source.run(.lock(force: false))
    var bytes: [UInt8?] = source.memory
    (bytes[42 * 4], bytes[43 * 4]) = (3, auth1)
    if !holdsKey { for index in 44 * 4..<48 * 4 { bytes[index] = nil } }
    let uid = UID(source.tag.uid)
    return try #require(MemoryImage(.type2(pageCount: 48), uid: uid, bytes: bytes))
  }

  @Test(
    "an Ultralight C shuts after everything else, and that is marked", arguments: [UInt8(0), 1])
  func ultralightC(auth1: UInt8) throws {
    let image = try Self.closedUltralightC(holdsKey: true, auth1: auth1)
    let job = Job.restore(Restore(image, force: true))
    let whole = try Bench("ultralight-c")
    let planned = whole.run(job) { $0.dryRun = true }
    let plan = try #require(planned.program)
    let last = try #require(plan.steps.filter(\.isWrite).last)
    #expect(last.page == 42 && last.isIrreversible)
    let report = whole.run(job)
    #expect(report.failure == nil, "\(report.failure!)")
    #expect(Array(whole.memory[8...]) == image.bytes[8...].compactMap(\.self))
    for step in 1...plan.steps.count {
      let bench = try Bench("ultralight-c")
      _ = bench.run(job, until: step)
      let isShut = bench.memory[42 * 4] == 3
      let again = bench.run(job)
      // Once it is shut all of it stands, and nobody without its key sees more of it.
      #expect(
        isShut && auth1 == 0 || again.failure == nil, "before step \(step): \(again.failure!)")
      #expect(bench.memory == whole.memory, "before step \(step)")
    }
    // The answer to the write that shuts it may be lost.
    for place in 4..<whole.chip.places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .answerLost)]
      let bench = try Bench("ultralight-c", faults: faults)
      let struck = bench.run(job)
      #expect(struck.failure == nil, "answer lost at \(place): \(struck.failure?.message ?? "")")
      #expect(bench.memory == whole.memory, "answer lost at \(place)")
    }
  }

  @Test("an Ultralight C is not shut with a key that the dump does not hold")
  func unknownKey() throws {
    let image = try Self.closedUltralightC(holdsKey: false, auth1: 0)
    let bench = try Bench("ultralight-c")
    let report = bench.run(.restore(Restore(image, force: true)))
    #expect(report.failure == nil, "\(report.failure!)")
    #expect(report.findings.contains { $0.text.contains("key that it does not hold") })
    #expect(bench.memory[42 * 4] == 0x30)
    #expect(bench.run(.read).failure == nil)
  }

  @Test(
    "a capability container that the tag can never have is refused before anything is written",
    arguments: [
      ("ntag216", [0xE1, 0x10, 0x7F, 0x00], JobFailure.Kind.badInput),
      ("ntag213", [0xE1, 0x10, 0x06, 0x00], .refused), ("ntag213", [0, 0, 0, 0], .refused),
      ("ntag215", [0xE1, 0x10, 0x3D, 0x00], .refused),
    ] as [(String, [UInt8], JobFailure.Kind)])
  func container(_ product: String, _ container: [UInt8], _ kind: JobFailure.Kind) throws {
    let source = try Bench(product)
    _ = source.run(FaultCase.short)
    var bytes: [UInt8?] = source.memory
    bytes.replaceSubrange(12..<16, with: container.map { $0 })
    let image = try #require(
      MemoryImage(
        .type2(pageCount: bytes.count / 4), uid: UID(source.tag.uid), bytes: bytes))
    let bench = try Bench(product)
    let before = bench.memory
    let refused = bench.run(.restore(Restore(image, force: true)))
    #expect(refused.failure?.kind == kind, "\(refused.failure?.message ?? "done")")
    #expect(refused.failure?.holds == .unchanged && bench.memory == before)
    let left = bench.run(.restore(Restore(image)))
    #expect(left.failure == nil && Array(bench.memory[12..<16]) == Array(before[12..<16]))
    #expect(
      left.findings.contains {
        $0.text.contains("Page 3 is") || $0.text.contains("3 and") || $0.text.contains("Pages 3")
      })
  }

  @Test("trailers that freeze sectors come after everything else")
  func frozenTrailers() throws {
    let source = try Bench("classic1k")
    _ = source.run(FaultCase.short)
    _ = source.run(.lock(force: false))
    let image = try #require(MemoryImage(source.memory))
    let job = Job.restore(Restore(image, force: true))
    let whole = try Bench("classic1k")
    let report = whole.run(job)
    #expect(report.failure == nil, "\(report.failure!)")
    let writes = try #require(report.program).steps.filter(\.isWrite)
    let first = writes.firstIndex { $0.purpose == .lock } ?? writes.endIndex
    #expect(first < writes.endIndex)
    #expect(writes[first...].allSatisfy { $0.purpose == .lock })
    for step in stride(from: 1, through: report.program?.steps.count ?? 0, by: 7) {
      let bench = try Bench("classic1k")
      _ = bench.run(job, until: step)
      let again = bench.run(job)
      #expect(again.failure == nil, "before step \(step): \(again.failure!)")
      #expect(bench.memory == whole.memory, "before step \(step)")
    }
  }

  @Test("a counter moves once, and is read back", arguments: ["ntag203", "ultralight-c"])
  func counter(_ product: String) throws {
    let job = Job.writePages(PageWrite(start: 41, bytes: [3, 0, 0, 0], force: true))
    let rehearsal = try Bench(product)
    #expect(rehearsal.run(job).result == .written)
    #expect(rehearsal.memory[41 * 4] == 3)
    #expect(rehearsal.run(job).result == .written)
    #expect(rehearsal.memory[41 * 4] == 6)
    for place in 4..<rehearsal.chip.places.exchanges / 2 {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .answerLost)]
      let bench = try Bench(product, faults: faults)
      let report = bench.run(job)
      #expect(report.failure == nil, "\(place): \(report.failure!)")
      #expect(bench.memory[41 * 4] == 3, "\(place)")
    }
  }
}
