import Testing

@testable import nfcprog

@Suite("The bell of a line")
struct SoundQueueTests {
  /// What is heard in so many tenths of a second.
  private func heard(_ queue: inout SoundQueue, _ ticks: Int) -> String {
    (0..<ticks).map { _ in queue.tick() ? "x" : "." }.joined()
  }

  @Test("each verdict has a pattern of its own")
  func patterns() {
    let patterns: [SoundQueue.Pattern] = [.pass, .again, .left, .fail, .several, .code, .lost]
    let all = patterns.map { pattern in
      var queue = SoundQueue()
      queue.add(pattern)
      return heard(&queue, 20)
    }
    #expect(Set(all).count == patterns.count)
    #expect(all.allSatisfy { $0.first == "x" }, "the first bell comes at once")
  }

  @Test("none is overwritten by the next, and trouble goes before good tags")
  func order() {
    var queue = SoundQueue()
    queue.add(.pass)
    let isFirst = queue.tick()
    #expect(isFirst)
    queue.add(.pass)
    queue.add(.fail)
    queue.add(.again)
    let sounds = heard(&queue, 45)
    #expect(sounds == ".......x.x.x.......x....x.......x............")
  }

  @Test("good tags that come faster than the bell rings do not make it lag")
  func lag() {
    var queue = SoundQueue()
    for _ in 0..<1000 { queue.add(.pass) }
    for _ in 0..<3 { queue.add(.fail) }
    let sounds = heard(&queue, 300)
    #expect(sounds.hasPrefix("x.x.x.......x.x.x.......x.x.x.......x"))
    #expect(sounds.count { $0 == "x" } == 9 + 8)
  }
}
