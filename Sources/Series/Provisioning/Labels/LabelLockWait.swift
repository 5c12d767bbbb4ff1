#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a label file is waited for that another program keeps locked.
package struct LabelLockWait: Sendable {
  /// Says that it is waited for.
  package var say: @Sendable (String) -> Void = { _ in }
  /// Is true if nothing is waited for any more.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// How long it is waited for, and after which time that is said.
  package var limit = Duration.seconds(30)
  package var quiet = Duration.seconds(2)

  package init() {}

  /// Locks an open file. Throws when it cannot be, or not in time.
  func lock(_ descriptor: CInt, _ path: String) throws(LabelError) {
    let start = ContinuousClock.now
    var isSaid = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw .cannotWrite(path, reason: "it cannot be locked")
      }
      let time = start.duration(to: .now)
      guard time < limit, !shouldStop() else { throw .locked(path) }
      if time >= quiet, !isSaid {
        isSaid = true
        say("Another program keeps the label file \(path) locked: the line waits for it.")
      }
      usleep(20_000)
    }
  }
}
