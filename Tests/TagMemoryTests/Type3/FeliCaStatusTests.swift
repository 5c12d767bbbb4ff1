import Testing

@testable import TagMemory

@Suite("Status flags of FeliCa tags")
struct FeliCaStatusTests {
  @Test(
    "are read out of the answers to reads and writes alone",
    arguments: [
      ([UInt8](repeating: 7, count: 9) + [0, 0], true, "0000"),
      (
        [9] + [UInt8](repeating: 0, count: 8) + [0x01, 0xA8], false,
        "01A8, there is no such block, or it is read-only"
      ),
      ([9] + [UInt8](repeating: 0, count: 8) + [0xFF, 0x99], false, "FF99"),
    ])
  func answers(_ bytes: [UInt8], _ isGood: Bool, _ text: String) throws {
    let status = try #require(FeliCaStatus(answer: bytes))
    #expect(status.isGood == isGood && "\(status)" == text)
  }

  @Test("are not looked for elsewhere")
  func others() {
    #expect(FeliCaStatus(answer: [1] + [UInt8](repeating: 1, count: 18)) == nil)
    #expect(FeliCaStatus(answer: [7, 0, 0]) == nil && FeliCaStatus(answer: []) == nil)
  }
}
