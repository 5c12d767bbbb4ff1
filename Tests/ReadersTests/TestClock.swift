import Readers

/// Time that passes only when somebody sleeps, or when told to.
final class TestClock {
  private(set) var now = Duration.zero
  private(set) var sleeps: [Duration] = []

  func restart() { (now, sleeps) = (.zero, []) }

  func advance(_ duration: Duration) { now += duration }

  var clock: HostClock {
    HostClock(
      now: { self.now },
      sleep: { duration in
        self.sleeps.append(duration)
        self.now += duration
      })
  }
}
