import Testing

@testable import LibNFCReaders

@Suite("An adapter's latency timer")
struct AdapterLatencyTests {
  @Test("is found by the name of the tty, and set to 1 ms unless it is shorter already")
  func lowers() throws {
    for (before, after) in [("16", 1), ("1", 1), ("0", 0)] {
      let tree = try FixtureTree()
      try tree.file("class/tty/ttyUSB0/device/latency_timer", before)
      let latency = try #require(AdapterLatency(ofTTY: "/dev/ttyUSB0", sysfs: tree.root))
      #expect(latency.milliseconds == Int(before))
      latency.lower()
      #expect(latency.milliseconds == after)
    }
  }

  @Test("is missing on other adapters and on pseudo-terminals")
  func missing() throws {
    let tree = try FixtureTree()
    try tree.file("class/tty/ttyACM0/device/interface", "CDC")
    #expect(AdapterLatency(ofTTY: "/dev/ttyACM0", sysfs: tree.root) == nil)
    #expect(AdapterLatency(ofTTY: "/dev/pts/3", sysfs: tree.root) == nil)
  }
}
