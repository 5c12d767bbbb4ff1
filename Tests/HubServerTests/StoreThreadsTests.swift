import Foundation
import Synchronization
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("Threads for what blocks")
struct StoreThreadsTests {
  @Test("no more work at once than there are threads, and each piece of it once")
  func bounds() async throws {
    let threads = StoreThreads(count: 3, isLongWork: true)
    let counts = Counts()
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          try await threads.run {
            counts.state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
            Thread.sleep(forTimeInterval: 0.002)
            counts.state.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let (most, all) = counts.state.withLock { ($0.most, $0.all) }
    #expect(all == 50 && most <= 3)
  }
}

private final class Counts: Sendable {
  let state = Mutex((now: 0, most: 0, all: 0))
}
