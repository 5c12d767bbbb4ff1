import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Proprietary TLVs that follow a message: a new message goes before them, and readers find them
/// where they were.
@Suite("TLVs of others behind a message")
struct OthersBehindTests {
  /// The area, by chip: a message, NULL TLVs, proprietary TLVs, and bytes behind the Terminator.
  static func area(_ count: Int, leading: [UInt8], gap: Int) -> [UInt8] {
    let message = FaultCase.media(count).serialize()
    return leading + [0x03, UInt8(message.count)] + message + [UInt8](repeating: 0, count: gap)
      + [0xFD, 3, 9, 0xFE, 9, 0xFD, 1, 7, 0xFE, 0xAA]
  }

  /// Offsets of the area's bytes in the memory of `product`.
  static func offsets(_ product: String) -> [Int] {
    guard product.hasPrefix("classic") || product == "mini" else { return Array(16..<160) }
    return (64..<320).filter { $0 % 64 < 48 }
  }

  static func put(_ area: [UInt8], on bench: Bench) {
    var memory = bench.memory
    for (offset, byte) in zip(offsets(bench.tag.storedProduct), area) { memory[offset] = byte }
    bench.tag.eeprom.load(memory)
  }

  static let trials: [(product: String, leading: [UInt8], gap: Int)] =
    ["ntag213", "ntag203", "ultralight-ev1-21", "classic1k", "mini"].flatMap { product in
      [[], [0], [0, 0], [0, 0, 0], [0xFD, 1, 5]].flatMap { leading in
        [0, 1, 9].map { (product, leading, $0) }
      }
    }

  /// The area of the tag, in the order in which readers walk it.
  static func area(of bench: Bench) -> [UInt8] {
    offsets(bench.tag.storedProduct).map { bench.memory[$0] }
  }

  @Test("stay where they are, and a reader walks on to them", arguments: trials.indices)
  func stay(_ index: Int) throws {
    let (product, leading, gap) = Self.trials[index]
    for count in [20, 14, 3] {
      let what = "\(product), \(leading), gap \(gap), \(count) bytes"
      let bench = try Bench(product)
      _ = bench.run(FaultCase.short)
      Self.put(Self.area(20, leading: leading, gap: gap), on: bench)
      let before = Self.area(of: bench)
      let report = bench.run(FaultCase.write(FaultCase.media(count)))
      #expect(report.failure == nil, "\(what): \(report.failure?.message ?? "")")
      let after = Self.area(of: bench)
      let message = FaultCase.media(20).serialize()
      let others = leading.count + 2 + message.count + gap
      #expect(after[others...] == before[others...], "\(what)")
      let scan = TLVScan(after, of: .type2(byteCount: after.count))
      #expect(scan.message?.value == FaultCase.media(count).serialize(), "\(what)")
      #expect(scan.othersBehindMessage == others, "\(what)")
    }
  }

  @Test("a message that needs their room is refused", arguments: ["ntag213", "classic1k"])
  func room(_ product: String) throws {
    for dryRun in [true, false] {
      let bench = try Bench(product)
      _ = bench.run(FaultCase.short)
      Self.put(Self.area(20, leading: [], gap: 2), on: bench)
      let before = bench.memory
      let report = bench.run(FaultCase.write(FaultCase.media(60))) { $0.dryRun = dryRun }
      #expect(report.failure?.remedy == .permitOverwrite && bench.memory == before)
    }
  }
}

extension VirtualTag {
  /// As `sim:` spells it.
  fileprivate var storedProduct: String { (self as? any StoredTag)?.product ?? "" }
}
