import Bytes
import Testing

@testable import TagMemory

@Suite("What no Type 2 chip is delivered with is found odd")
struct Type2OddityTests {
  private static let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])

  /// A factory tag's pages, `change` laid over them.
  private static func memory(
    _ product: Product, _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> Type2Memory {
    let map = try #require(product.type2)
    var bytes = [UInt8](repeating: 0, count: map.pageCount * 4)
    let head = try #require(uid.type2Bytes)
    bytes.replaceSubrange(0..<9, with: head)
    bytes[9] = 0x48
    bytes.replaceSubrange(12..<16, with: map.capabilityContainer.serialize())
    if let place = map.configuration {
      let start = place.cfg0.byteOffset
      bytes.replaceSubrange(
        start..<start + 8, with: Configuration(factory: place.style).serialize())
    }
    change(&bytes)
    return Type2Memory(map, image: bytes)
  }

  private static func sentences(
    _ product: Product, _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> [String] {
    try memory(product, change).oddities(of: product, uid: uid).map { "\($0.code): \($0)" }
  }

  @Test("a tag as delivered has nothing odd", arguments: Product.type2Originals)
  func delivered(_ product: Product) throws {
    #expect(try Self.sentences(product) == [])
    guard let locks = product.type2?.dynamicLocks else { return }
    // BD behind three lock bytes.
    let byte = locks.page.byteOffset + 3
    let odd = try Self.sentences(product) { if locks.byteCount == 3 { $0[byte] = 0xBD } }
    #expect(odd == [])
  }

  @Test("a tag locked whole has nothing odd", arguments: Product.type2Originals)
  func locked(_ product: Product) throws {
    let odd = try Self.sentences(product) { bytes in
      (bytes[10], bytes[11], bytes[15]) = (0xFF, 0xFF, 0x0F)
      guard let map = product.type2?.dynamicLocks, let user = product.type2?.user else { return }
      let locks = LockBytes(unlocked: map).locking(16...user.upperBound, freezing: true)
      bytes.replaceSubrange(map.page.byteOffset..<map.page.byteOffset + 4, with: locks.serialize())
    }
    #expect(odd == [])
  }

  @Test(
    "each stray bit has its sentence",
    arguments: [
      (8, 0x01, "uid-check: page 2 begins with 05 where the UID's check byte is 04"),
      (10, 0x02, "lock-bits: pages 4 to 9 can never be locked: the block-locking bits in page 2"),
      (13, 0x01, "cc-version: the capability container (page 3) holds E1 11 12 00: version 1.1"),
      (162, 0x40, "lock-bits: page 40, byte 2, has bits set that lock nothing on this chip (40)"),
      (164, 0x40, "configuration: page 41, byte 0, holds 44, the chip is delivered with 04"),
      (166, 0x05, "configuration: page 41, byte 2, holds 05, the chip is delivered with 00"),
      (
        168, 0x45,
        "configuration: page 42, byte 0, holds 45, the chip is delivered with 00: the "
          + "configuration is permanently frozen, 5 wrong passwords in a row lock the tag permanently"
      ),
      (168, 0x10, "page 42, byte 0, holds 10, the chip is delivered with 00: the tag counts how"),
    ])
  func strayBits(_ address: Int, _ bits: Int, _ sentence: String) throws {
    let odd = try Self.sentences(.ntag213) { $0[address] ^= UInt8(bits) }
    #expect(odd.count == 1 && odd[0].contains(sentence), "\(odd)")
  }

  @Test("what a password protects is not odd, and VCTID is 00 or 05 on an NTAG213")
  func protection() throws {
    let odd = try Self.sentences(.ntag213) { ($0[167], $0[168], $0[169]) = (0x02, 0x80, 0x05) }
    #expect(odd == [])
    let other = try Self.sentences(.ntag213) { $0[169] = 0x04 }
    #expect(other.count == 1)
  }

  @Test("a mirror is said with its place")
  func mirror() throws {
    let odd = try Self.sentences(.ntag213) { ($0[164], $0[166]) = (0x54, 0x05) }
    #expect(odd.contains { $0.hasSuffix("14 characters are shown from page 5 on") }, "\(odd)")
  }

  @Test("an area of another size within the memory is said, one beyond it is a fault")
  func area() throws {
    let odd = try Self.sentences(.ntag215) { $0[14] = 0x3F }
    #expect(
      odd == [
        "cc-size: the capability container (page 3) claims 504 bytes; the chip is delivered with 496"
      ])
    let beyond = try Self.sentences(.ntag213) { $0[14] = 0x13 }
    #expect(beyond == [])
  }

  @Test("an NTAG I2C has its UID without check bytes")
  func noCheckByte() throws {
    let odd = try Self.sentences(.ntagI2C1K) { $0[8] = 0x44 }
    #expect(odd == [])
  }

  @Test("lock bits of a counter or a key are said")
  func beside() throws {
    let counter = try Self.sentences(.ultralightC) { $0[161] = 0x10 }
    #expect(
      counter == [
        "lock-bits: page 41 permanently locked by page 40, in addition to the user memory"
      ])
    let reserved = try Self.sentences(.ultralightC) { $0[162] = 0x08 }
    #expect(reserved.count == 1)
    let unknown = try Self.sentences(.ntag203) { $0[161] = 0x02 }
    #expect(unknown.count == 1)
  }

  @Test("nothing is said of lock bits and configurations that are not known")
  func unknown() throws {
    let odd = try Self.sentences(.ntag213TT) { ($0[162], $0[164], $0[168]) = (0x40, 0x44, 7) }
    #expect(odd == [])
  }

  @Test(
    "bits without a meaning are cleared, all others stay",
    arguments: [
      // A mirror half switched on; one on; one that does not fit.
      (Configuration.Style.ntag213, "4400000280050000", "0400000280050000"),
      (.ntag213, "5400050280050000", "5400050280050000"),
      (.ntag213, "5400260280050000", "0400000280050000"),
      (.ntag213, "0F000002B7000000", "0400000297000000"),
      (.ntag213, "0400000280070000", "0400000280050000"),
      (.ntag210, "D4000602B8050000", "1400060280050000"),
      (.ultralightEV1, "FF008002BF070000", "0400000287070000"),
    ])
  func inert(_ style: Configuration.Style, _ found: String, _ wanted: String) throws {
    let configuration = try Configuration(parsing: try Hex.bytes(found), style: style)
    let expected = try Hex.bytes(wanted)
    #expect(configuration.withoutInertBits(user: 4...39).bytes == expected)
  }
}
