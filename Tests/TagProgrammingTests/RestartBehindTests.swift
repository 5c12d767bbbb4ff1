import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job that was ended in the middle, and the same command run again by somebody who knows nothing
/// of the first run: TLVs of others behind the message are where readers find them.
@Suite("TLVs of others behind a message that was cut short")
struct RestartBehindTests {
  static let trials: [(product: String, leading: [UInt8], gap: Int)] =
    ["ntag213", "ultralight-ev1-21", "classic1k"].flatMap { product in
      [[], [0], [0, 0], [0, 0, 0], [0xFD, 1, 5], [0xFD, 2, 5, 5]].flatMap { leading in
        [0, 1].map { (product, leading, $0) }
      }
    } + [("ntag213", [0x01, 0x03, 0xA0, 0x0C, 0x34], 2)]
    // Room for a longer message.
    + ["ntag213", "ultralight-ev1-21", "classic1k"].flatMap { product in
      [[], [0xFD, 1, 5]].flatMap { leading in
        (17...24).map { (product, leading, $0) }
      }
    }

  private static func bench(_ index: Int, _ count: Int) throws -> Bench {
    let (product, leading, gap) = trials[index]
    let bench = try Bench(product)
    _ = bench.run(FaultCase.short)
    OthersBehindTests.put(
      OthersBehindTests.area(count, leading: leading, gap: gap), on: bench)
    return bench
  }

  @Test("stay, wherever it was cut", arguments: trials.indices)
  func restart(_ index: Int) throws {
    let gap = Self.trials[index].gap
    for (old, new) in [(20, 20), (20, 3), (1, 1), (3, 20)] where new - old <= gap {
      let job = FaultCase.write(
        new == old
          ? Message(
            try Record(
              .media, type: Array("c/d".utf8), payload: [UInt8](repeating: 0xFC, count: new)))
          : FaultCase.media(new))
      let what = "\(Self.trials[index]), \(old) to \(new) bytes"
      let whole = try Self.bench(index, old)
      let undisturbed = whole.run(job)
      #expect(undisturbed.failure == nil, "\(what): \(undisturbed.failure?.message ?? "")")
      let steps = undisturbed.program?.steps.count ?? 0
      for step in 1...max(1, steps) {
        let bench = try Self.bench(index, old)
        _ = bench.run(job, until: step)
        let again = bench.run(job)
        #expect(again.failure == nil, "\(what), step \(step): \(again.failure?.message ?? "")")
        let differing = bench.memory.indices.filter { bench.memory[$0] != whole.memory[$0] }
        #expect(differing.isEmpty, "\(what), step \(step): \(differing)")
      }
    }
  }

  @Test(
    "a message that needs their room is refused, before and after a message was cut short",
    arguments: ["ntag213", "classic1k"])
  func room(_ product: String) throws {
    let index = try #require(
      Self.trials.firstIndex { $0.product == product && $0.leading.isEmpty && $0.gap == 1 })
    let longer = FaultCase.write(FaultCase.media(60))
    for step in [0, 2, 4, 6] {
      let bench = try Self.bench(index, 20)
      if step > 0 { _ = bench.run(FaultCase.write(FaultCase.media(19)), until: step) }
      let before = bench.memory
      let report = bench.run(longer)
      #expect(report.failure?.remedy == .permitOverwrite && bench.memory == before, "\(step)")
    }
  }
}
