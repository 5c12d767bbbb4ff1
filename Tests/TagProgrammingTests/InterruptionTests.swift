import Testing

@testable import TagProgramming

@Suite("Jobs that somebody ends")
struct InterruptionTests {
  @Test(
    "stop before any step with 130, say so truly, and are finished by the same command",
    arguments: FaultCase.all)
  func anyStep(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    for step in try places(of: item, from: rehearsal.before) {
      let bench = try Bench(item.product)
      bench.tag.eeprom.load(rehearsal.before)
      let report = bench.run(item.job, until: step) { $0.credentials = item.credentials }
      let isWritten = bench.memory != rehearsal.before
      #expect(report.failure?.exitCode == 130, "\(item.testDescription), step \(step)")
      #expect(report.failure?.remedy != nil)
      if report.failure?.holds == .unchanged { #expect(!isWritten) }
      let again = item.runAgain(on: bench)
      #expect(again.failure == nil, "\(item.testDescription), after step \(step)")
      // The message's file of a DESFire takes what memory is left, which is another figure once the
      // application is there.
      let isFinished =
        item.product.hasPrefix("desfire")
        ? TagImage.content(ofType4: bench.memory, product: item.product)
          == TagImage.content(ofType4: rehearsal.wanted, product: item.product)
        : bench.memory == rehearsal.wanted
      #expect(isFinished, "\(item.testDescription), after step \(step)")
    }
  }

  /// The steps, from 1, before which the job is stopped: every one, or a sample with every place
  /// where half a directory stands.
  private func places(of item: FaultCase, from memory: [UInt8]) throws -> [Int] {
    let bench = try Bench(item.product)
    bench.tag.eeprom.load(memory)
    let steps = bench.run(item.job) { $0.credentials = item.credentials }.program?.steps ?? []
    let isWhole = Exhaustive.isAsked
    return steps.indices.filter { index in
      isWhole || index.isMultiple(of: max(1, steps.count / 3))
        || index > 0 && steps[index - 1].purpose == .directory
    }.map { $0 + 1 }
  }
}
