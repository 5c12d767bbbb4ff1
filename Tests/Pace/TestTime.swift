import Synchronization

/// Time that passes only when a test says so.
package final class TestTime: Sendable {
  private let moment = Mutex(ContinuousClock.now)

  package init() {}

  package var now: ContinuousClock.Instant { moment.withLock { $0 } }

  package func advance(_ duration: Duration) { moment.withLock { $0 += duration } }
}
