import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A data area made at random: TLVs of others before and behind a message, NULL TLVs between them,
/// bytes that Memory Control TLVs reserve, and bytes behind the Terminator.
struct ForeignArea {
  /// The area, byte for byte.
  private(set) var bytes: [UInt8]
  /// Offsets of reserved bytes.
  private(set) var reserved: Set<Int> = []
  /// The place behind the last byte that was put.
  private var offset = 0

  /// `size` bytes; `random` decides.
  init(size: Int, lockControl: [UInt8], random: inout SplitMix64) {
    bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    func upTo(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    put(lockControl)
    let isRoomy = size >= 128
    for _ in 0..<upTo(isRoomy ? 3 : 2) {
      switch upTo(3) {
      case 0: put([UInt8](repeating: 0, count: 1 + upTo(3)))
      case 1: put([0xFD, 2, 0xFE, UInt8(upTo(256))])
      default: reserve(start: offset + 7 + upTo(isRoomy ? 40 : 12), count: 1 + upTo(6))
      }
    }
    let old = upTo(2) == 0 ? [] : FaultCase.media(upTo(isRoomy ? 40 : 8)).serialize()
    put([0x03, UInt8(old.count)] + old)
    for _ in 0..<upTo(3) {
      switch upTo(3) {
      case 0: put([UInt8](repeating: 0, count: 1 + upTo(5)))
      case 1: put([0xFD, 0])
      default: put([0xFD, 3, 0x03, UInt8(upTo(256)), 0xFE])
      }
    }
    put([0xFE])
  }

  private mutating func put(_ new: [UInt8]) {
    for byte in new {
      while reserved.contains(offset) { offset += 1 }
      guard offset < bytes.count else { return }
      bytes[offset] = byte
      offset += 1
    }
  }

  /// A Memory Control TLV for the `count` bytes from `start` on, offsets in the area, which begins
  /// with byte 16 of the tag.
  private mutating func reserve(start: Int, count: Int) {
    let address = start + 16
    guard address < 250, start + count < bytes.count - 8, reserved.isEmpty else { return }
    put([0x02, 3, UInt8(address / 16) << 4 | UInt8(address % 16), UInt8(count), 4])
    reserved = Set(start..<start + count)
  }

  /// The TLVs in `bytes` other than NULL and the Terminator, walked as the NFC Forum says, the
  /// bytes in `reserved` aside.
  static func walk(_ bytes: [UInt8], without reserved: Set<Int>) -> [[UInt8]] {
    var rest = bytes.indices.filter { !reserved.contains($0) }.map { bytes[$0] }[...]
    var found: [[UInt8]] = []
    while let tag = rest.first, tag != 0xFE {
      guard tag != 0 else {
        rest = rest.dropFirst()
        continue
      }
      let field = Array(rest.dropFirst().prefix(3))
      guard let short = field.first else { break }
      let isLong = short == 0xFF && field.count == 3
      let length = isLong ? Int(field[1]) << 8 | Int(field[2]) : Int(short)
      rest = rest.dropFirst(isLong ? 4 : 2)
      found.append([tag] + rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return found
  }
}

/// Whatever others have put around a message stays, or the message is refused and nothing changes.
@Suite("Random bytes of others on Type 2 tags")
struct RandomForeignBytesTests {
  private static let products = TagCatalog.names.filter { Product.named($0)?.type2 != nil }

  @Test("stay around every message", arguments: products)
  func stay(_ product: String) throws {
    let map = try #require(Product.named(product)?.type2)
    let size = min(map.areaByteCount, map.user.count * Page.byteCount)
    for seed in 0..<(Exhaustive.isAsked ? 400 : 24) {
      var random = SplitMix64(state: UInt64(seed) << 8 | UInt64(size & 0xFF))
      let area = ForeignArea(
        size: size, lockControl: seed.isMultiple(of: 2) ? map.deliveredLockControl : [],
        random: &random)
      let message = FaultCase.media(Int(random.next() % UInt64(size >= 128 ? 48 : 12)))
      try check(product, area, message, seed)
    }
  }

  private func check(_ product: String, _ area: ForeignArea, _ message: Message, _ seed: Int) throws
  {
    let map = try #require(Product.named(product)?.type2)
    let bench = try Bench(product)
    var before = bench.memory
    before.replaceSubrange(12..<16, with: map.capabilityContainer.serialize())
    before.replaceSubrange(16..<16 + area.bytes.count, with: area.bytes)
    bench.tag.eeprom.load(before)
    let report = bench.run(FaultCase.write(message)) { $0.credentials = Credentials() }
    let what = "\(product), \(seed): \(report.failure.map { "\($0)" } ?? "written")"
    let after = bench.memory
    guard report.failure == nil else {
      #expect(after == before && report.failure?.kind == .refused, "\(what)")
      return
    }
    let now = Array(after[16..<16 + area.bytes.count])
    for offset in area.reserved {
      #expect(now[offset] == area.bytes[offset], "\(what): reserved byte \(offset)")
    }
    func walk(_ bytes: [UInt8]) -> [[UInt8]] { ForeignArea.walk(bytes, without: area.reserved) }
    let (old, new) = (walk(area.bytes), walk(now))
    #expect(
      new.filter { $0[0] != 0x03 } == old.filter { $0[0] != 0x03 }, "\(what): \(old), \(new)")
    #expect(
      new.first { $0[0] == 0x03 }.map { Array($0.dropFirst()) } == message.serialize(), "\(what)")
    #expect(after[..<16] == before[..<16], "\(what)")
    #expect(
      after[(16 + area.bytes.count)...] == before[(16 + area.bytes.count)...], "\(what)")
    // Whole pages behind both messages and what follows them were nobody's business.
    let end = (lastTouched(area.bytes, now) + 1 + 3) / 4 * 4
    #expect(now[min(end, now.count)...] == area.bytes[min(end, now.count)...], "\(what)")
  }

  /// The last offset of the Terminator, before or after.
  private func lastTouched(_ old: [UInt8], _ new: [UInt8]) -> Int {
    [old, new].compactMap { TLVScan($0, of: .type2(byteCount: $0.count)).terminator }.max()
      ?? old.count - 1
  }
}
