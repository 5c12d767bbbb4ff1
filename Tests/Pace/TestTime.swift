import Readers
import Synchronization

/// Time that passes only when a test says so, or when somebody sleeps by its clock.
package final class TestTime: Sendable {
  private struct Values {
    var elapsed = Duration.zero
    var sleeps: [Duration] = []
  }

  private let start = ContinuousClock.now
  private let values = Mutex(Values())

  package init() {}

  package var now: ContinuousClock.Instant { start + elapsed }

  /// What has passed since it was made, or since `restart`.
  package var elapsed: Duration { values.withLock(\.elapsed) }

  /// For how long others have slept, each time.
  package var sleeps: [Duration] { values.withLock(\.sleeps) }

  package func restart() { values.withLock { $0 = Values() } }

  package func advance(_ duration: Duration) { values.withLock { $0.elapsed += duration } }

  package var clock: HostClock {
    HostClock(
      now: { self.elapsed },
      sleep: { duration in
        self.values.withLock { values in
          values.sleeps.append(duration)
          values.elapsed += duration
        }
      })
  }
}
