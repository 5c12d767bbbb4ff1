import TagMemory
import Testing

@testable import TagProgramming

@Suite("Keys and blocks that a lost power supply leaves behind")
struct TornTests {
  @Test("every way to tear a key is among the torn keys")
  func everyTear() throws {
    let torn = TornKeys.between(.factory, .nfc)
    for cut in 0..<6 {
      for mask in UInt8.min...UInt8.max {
        let (old, new) = (Key.factory.bytes[cut], Key.nfc.bytes[cut])
        let mixed = (old & mask) | (new & ~mask)
        let bytes = Key.nfc.bytes[..<cut] + [mixed] + Key.factory.bytes[(cut + 1)...]
        let key = try #require(Key(bytes))
        #expect(torn.contains(key) || key == .factory || key == .nfc)
      }
    }
  }

  @Test("torn keys are few enough to be tried")
  func few() {
    // Fewer than a closed sector is asked at most.
    #expect(TornKeys.between(.factory, .nfc).count == 23)
    #expect(TornKeys.between(.nfc, .factory).count == 23)
    #expect(TornKeys.between(.mad, .factory).count < 200)
  }

  @Test(
    "blank memory and the beginnings of the same job are tolerated, anything else is not",
    arguments: [
      ([0, 0, 0, 0], nil, true),
      ([1, 0, 0, 0], nil, false),
      ([1, 2, 3, 4], [1, 2, 3, 4], true),
      ([1, 2, 9, 0], [1, 2, 3, 4], true),
      ([1, 2, 9, 4], [1, 2, 3, 4], false),
      ([9, 9, 0, 0], [1, 2, 3, 4], false),
    ] as [([UInt8], [UInt8]?, Bool)])
  func tolerance(_ found: [UInt8], _ wanted: [UInt8]?, _ isTolerated: Bool) {
    #expect(Tolerance.isBlank(found, orPartOf: wanted) == isTolerated)
  }
}
