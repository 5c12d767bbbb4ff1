#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The host's time as a reader needs it: a clock that never goes back, and a way to wait without
/// using a core.
package struct HostClock: Sendable {
  /// Time since some fixed moment.
  package var now: @Sendable () -> Duration
  /// Waits that long; blocks the thread.
  package var sleep: @Sendable (Duration) -> Void

  package init(
    now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's own clock; one moment for the whole process.
  package static let system = {
    let start = ContinuousClock.now
    return HostClock(now: { start.duration(to: .now) }, sleep: { pause($0) })
  }()

  /// Blocks the thread for `duration`; a signal does not shorten the wait.
  package static func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    guard seconds > 0 || attoseconds > 0 else { return }
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&wanted, &rest) != 0 && errno == EINTR { wanted = rest }
  }
}
