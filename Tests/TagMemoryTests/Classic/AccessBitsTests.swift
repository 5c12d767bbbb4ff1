import Bytes
import TagMemory
import Testing

@Suite("Access bits, MF1S50YYX_V1 8.7.1")
struct AccessBitsTests {
  static let known: [(String, AccessConditions, String)] = [
    ("FF0780", .transport, "000 000 000, trailer 001"),
    ("787788", .mad, "100 100 100, trailer 011"),
    ("7F0788", .nfcReadWrite, "000 000 000, trailer 011"),
    ("078F0F", .nfcReadOnly, "010 010 010, trailer 110"),
    ("796788", .libfreefareMAD, "000 100 100, trailer 011"),
    ("08778F", .value, "110 110 110, trailer 011"),
    ("FF0F00", AccessConditions(data: .open, trailer: .keysWithA), "000 000 000, trailer 000"),
  ]

  @Test("known bytes and conditions belong together", arguments: known)
  func knownConditions(_ hex: String, _ conditions: AccessConditions, _ text: String) throws {
    let bytes = try Hex.bytes(hex)
    #expect(try AccessBits(parsing: bytes).conditions == conditions)
    #expect(AccessBits(conditions).serialize() == bytes)
    #expect(conditions.description == text)
  }

  @Test("all 4096 combinations come back")
  func everyCombination() throws {
    var seen: Set<[UInt8]> = []
    for first in DataCondition.allCases {
      for second in DataCondition.allCases {
        for third in DataCondition.allCases {
          for trailer in TrailerCondition.allCases {
            let conditions = AccessConditions(first, second, third, trailer: trailer)
            let bytes = AccessBits(conditions).serialize()
            guard try AccessBits(parsing: bytes).conditions == conditions else {
              Issue.record("\(conditions) became \(Hex.string(bytes))")
              return
            }
            seen.insert(bytes)
          }
        }
      }
    }
    #expect(seen.count == 4096)
  }

  @Test("any flipped bit is refused, in any combination")
  func everyFlip() throws {
    for code in 0..<4096 {
      let (c1, c2, c3) = (UInt8(code >> 8), UInt8(code >> 4 & 0xF), UInt8(code & 0xF))
      let bytes: [UInt8] = [~c2 << 4 | ~c1 & 0xF, c1 << 4 | ~c3 & 0xF, c3 << 4 | c2]
      #expect(try AccessBits(parsing: bytes).serialize() == bytes)
      for bit in 0..<24 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        guard (try? AccessBits(parsing: damaged)) == nil else {
          Issue.record("\(Hex.string(damaged)) was accepted")
          return
        }
      }
    }
  }

  @Test(
    "bytes that would block the sector are named",
    arguments: ["000000", "FFFFFF", "FF0769", "FF0781", "8077FF"])
  func invalid(_ hex: String) throws {
    let bytes = try Hex.bytes(hex)
    #expect(throws: TagMemoryError.accessBitsDisagree(bytes)) { try AccessBits(parsing: bytes) }
  }

  @Test("errors are sentences")
  func sentences() {
    #expect(
      TagMemoryError.accessBitsDisagree([0xFF, 0x07, 0x69]).description
        == "access bits FF 07 69 are invalid: a sector written with them is permanently lost")
    #expect(
      throws: TagMemoryError.wrongLength(format: "an access bits field", expected: 3, found: 4)
    ) { try AccessBits(parsing: [0xFF, 0x07, 0x80, 0x69]) }
  }
}
