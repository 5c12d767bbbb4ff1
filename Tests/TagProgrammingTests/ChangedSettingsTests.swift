import PN532Simulator
import Testing

@Suite("Tags whose settings hold any bytes")
struct ChangedSettingsTests {
  private static let count = Exhaustive.isAsked ? 100_000 : 1_500

  @Test(
    "are looked at, described and planned for without a trap; what is refused is unchanged",
    .enabled(if: Exhaustive.isFirst))
  func anything() throws {
    var random = SplitMix64(state: 0x51DE)
    for number in 0..<Self.count {
      var script = (0..<3 + Int(random.next() % 60)).map { _ in
        UInt8(truncatingIfNeeded: random.next() >> 24)
      }
      script[0] = UInt8(number % HostileRun.products.count)
      let run = try ChangedRun(script)
      #expect(run.complaints.isEmpty, "script \(number), \(script): \(run.complaints)")
    }
  }
}
