import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job that was cut short over an area with TLVs of others, at every place where the length of
/// its message can stand in a page or block, with lengths of one byte and of three.
@Suite("TLVs of others, wherever the message's length stands")
struct RestartAnywhereTests {
  /// An area: what stands before the message, how many bytes the message has (nil: none), and how
  /// many bytes of 0 lie between it and the TLVs of others.
  struct Area: CustomTestStringConvertible, Sendable {
    let product: String
    let leading: [UInt8]
    let old: Int?
    let gap: Int
    /// The bytes that the message gets.
    let new: Int

    var testDescription: String {
      "\(product), \(leading.count) before, \(old ?? 0) to \(new) bytes, gap \(gap)"
    }

    static func before(_ count: Int) -> [UInt8] {
      count < 2
        ? [UInt8](repeating: 0, count: count)
        : [0xFD, UInt8(count - 2)] + [UInt8](repeating: 5, count: count - 2)
    }

    static func media(_ count: Int, _ fill: Int) -> Message {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* fill) }
      // A short media type is always valid.
      return Message(try! Record(.media, type: Array("c/d".utf8), payload: payload))
    }

    /// Offsets of the area's bytes in `memory`.
    func offsets(_ memory: [UInt8]) -> [Int] {
      guard product.hasPrefix("classic") || product == "mini" else {
        return Array(16..<16 + Int(memory[14]) * 8)
      }
      return (64..<memory.count).filter { $0 % 64 < 48 }
    }

    /// The bytes that `reserved` offsets leave are used in their order.
    func put(on bench: Bench, reserved: Range<Int> = 0..<0) {
      var memory = bench.memory
      let message = old.map { Self.media($0, 7).serialize() } ?? []
      let header = TLV.messageHeader(byteCount: message.count) ?? []
      let area =
        leading + header + message + [UInt8](repeating: 0, count: gap)
        + [0xFD, 3, 9, 0xFE, 9, 0xFD, 1, 7, 0xFE, 0xAA]
      let offsets = offsets(memory)
      for offset in offsets[reserved] { memory[offset] = 0xB7 }
      let free = offsets.enumerated().filter { !reserved.contains($0.offset) }.map(\.element)
      for (offset, byte) in zip(free, area) { memory[offset] = byte }
      bench.tag.eeprom.load(memory)
    }

    func bench(reserved: Range<Int> = 0..<0) throws -> Bench {
      let bench = try Bench(product)
      _ = bench.run(FaultCase.short)
      put(on: bench, reserved: reserved)
      return bench
    }

    var job: Job { FaultCase.write(Self.media(new, 11)) }
  }

  /// Every place of a length in a page, and those near the end of a block.
  static let trials: [Area] = [
    ("ntag216", [0, 1, 2, 3, 5]), ("st25tn01k", [0, 1]), ("classic1k", [0] + Array(10..<15)),
    ("mini", [12, 13]),
  ].flatMap { product, counts in
    counts.flatMap { count in
      lengths(product, count).map { old, new, gap in
        Area(product: product, leading: Area.before(count), old: old, gap: gap, new: new)
      }
    }
  }

  private static func lengths(_ product: String, _ count: Int)
    -> [(old: Int?, new: Int, gap: Int)]
  {
    let short: [(old: Int?, new: Int, gap: Int)] = [(20, 20, 0), (20, 33, 21), (nil, 20, 31)]
    guard product == "ntag216" && count < 4 || product == "classic1k" else { return short }
    return short + [(260, 10, 5), (10, 260, 260)]
  }

  /// Steps near both ends, where the length is written.
  private static func places(_ steps: Int) -> [Int] {
    (1...max(1, steps)).filter { $0 < 6 || $0 > steps - 6 || $0 % 29 == 0 }
  }

  @Test("stay, wherever it was cut", arguments: trials)
  func restart(_ trial: Area) throws {
    try check(trial, reserved: 0..<0)
  }

  @Test(
    "stay where bytes of the area are reserved",
    arguments: [6..<9, 7..<10, 8..<12, 9..<11, 12..<20, 24..<25, 30..<36])
  func reserved(_ range: Range<Int>) throws {
    let control = try #require(
      MemoryControl(byteAddress: 16 + range.lowerBound, byteCount: range.count))
    let leading = [0x02, 0x03] + control.serialize()
    for (old, new, gap) in [(20, 20, 0), (20, 3, 1), (20, 33, 20), (nil, 20, 31)] {
      try check(
        Area(product: "ntag213", leading: leading, old: old, gap: gap, new: new), reserved: range)
    }
  }

  private func check(_ trial: Area, reserved: Range<Int>) throws {
    let what = "\(trial.testDescription), reserved \(reserved)"
    let whole = try trial.bench(reserved: reserved)
    let before = whole.memory
    let undisturbed = whole.run(trial.job)
    #expect(undisturbed.failure == nil, "\(what): \(undisturbed.failure?.message ?? "")")
    for offset in trial.offsets(before)[reserved] { #expect(whole.memory[offset] == 0xB7) }
    let shown = [TagImage.content(before, of: trial.product), .message([])]
    let wanted = TagImage.content(whole.memory, of: trial.product)
    for step in Self.places(undisturbed.program?.steps.count ?? 0) {
      let bench = try trial.bench(reserved: reserved)
      _ = bench.run(trial.job, until: step)
      let found = TagImage.content(bench.memory, of: trial.product)
      // That reader knows nothing of reserved bytes.
      #expect(
        !reserved.isEmpty || shown.contains(found) || found == wanted, "\(what), step \(step)")
      let again = bench.run(trial.job)
      #expect(again.failure == nil, "\(what), step \(step): \(again.failure?.message ?? "")")
      let differing = bench.memory.indices.filter { bench.memory[$0] != whole.memory[$0] }
      #expect(differing.isEmpty, "\(what), step \(step): \(differing.prefix(16))")
    }
  }
}
