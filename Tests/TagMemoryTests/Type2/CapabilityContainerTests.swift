import Bytes
import Testing

@testable import TagMemory

@Suite("Capability container, NFC Forum Type 2 Tag 1.1, 6.1")
struct CapabilityContainerTests {
  @Test(
    "says what its four bytes mean, and gives them back",
    arguments: [
      // bytes, NDEF, area, read, write
      ("E1100600", true, 48, .free, .free), ("E1101000", true, 128, .free, .free),
      ("E1101200", true, 144, .free, .free), ("E1103E00", true, 496, .free, .free),
      ("E1106D00", true, 872, .free, .free), ("E110120F", true, 144, .free, .never),
      ("E1111208", true, 144, .free, .proprietary(8)),
      ("E110128F", true, 144, .proprietary(8), .never),
      ("E1101213", true, 144, .reserved(1), .reserved(3)), ("E1201200", false, 144, .free, .free),
      ("F110FFEE", false, 2040, .proprietary(0xE), .proprietary(0xE)),
      ("00000000", false, 0, .free, .free), ("E1000600", false, 48, .free, .free),
    ] as [(String, Bool, Int, CapabilityContainer.Access, CapabilityContainer.Access)])
  func meaning(
    _ hex: String, _ isNDEF: Bool, _ area: Int, _ read: CapabilityContainer.Access,
    _ write: CapabilityContainer.Access
  ) throws {
    let bytes = try Hex.bytes(hex)
    let container = try CapabilityContainer(parsing: bytes)
    #expect(container.isNDEF == isNDEF)
    #expect(container.areaByteCount == area)
    #expect(container.readAccess == read)
    #expect(container.writeAccess == write)
    #expect(container.serialize() == bytes)
    #expect(container.isBlank == (hex == "00000000"))
  }

  @Test(
    "can gain bits and never lose one",
    arguments: [
      ("00000000", "E1101200", true), ("E1100600", "E1101200", false),
      ("E1101000", "E1101200", true), ("E1101200", "E1100600", false),
      ("E1101200", "E110120F", true), ("E110120F", "E1101200", false),
      ("E1101200", "E1101200", true), ("F110FFEE", "E1103E00", false),
      ("E1100200", "E1101200", true), ("E1100600", "E1100E00", true),
    ])
  func becoming(_ old: String, _ new: String, _ possible: Bool) throws {
    let old = try CapabilityContainer(parsing: Hex.bytes(old))
    let new = try CapabilityContainer(parsing: Hex.bytes(new))
    #expect(old.canBecome(new) == possible)
    #expect((old.merged(with: new) == new) == possible)
  }

  @Test("or-ing is what the tag does, for every pair of sizes")
  func everyPair() {
    for old in 0...255 {
      for new in 0...255 {
        let (a, b) = (
          CapabilityContainer(areaByteCount: old * 8), CapabilityContainer(areaByteCount: new * 8)
        )
        #expect(a.canBecome(b) == (old | new == new))
      }
    }
  }

  @Test("becomes read-only by its low nibble alone")
  func readOnly() {
    let container = CapabilityContainer(areaByteCount: 144)
    #expect(container.readOnly.serialize() == [0xE1, 0x10, 0x12, 0x0F])
    #expect(container.readOnly == CapabilityContainer(areaByteCount: 144, readOnly: true))
    #expect(container.canBecome(container.readOnly))
    #expect(container.readOnly.description == "E1 10 12 0F")
  }

  @Test("takes four bytes, no others", arguments: [0, 3, 5, 16])
  func length(_ count: Int) {
    #expect(
      throws: TagMemoryError.wrongLength(
        format: "a capability container", expected: 4, found: count)
    ) {
      try CapabilityContainer(parsing: [UInt8](repeating: 0xE1, count: count))
    }
  }
}
