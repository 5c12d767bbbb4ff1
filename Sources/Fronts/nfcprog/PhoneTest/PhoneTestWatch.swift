import Dispatch
import Readers
import Synchronization

/// Ends a wait for a telephone once a person presses Enter, or after a time.
final class PhoneTestWatch: Sendable {
  private let state = Mutex((isOver: false, isStopped: false))
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Says whether the person or the time has ended it.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// `end` is called once, on another thread, and never after `stop`.
  init(_ patience: Duration, _ keyboard: LineKeyboard?, _ end: @escaping @Sendable () -> Void) {
    let deadline = ContinuousClock.now + patience
    DispatchQueue.global().async { [self] in
      defer { hasEnded.signal() }
      while !state.withLock({ $0.isStopped }) {
        if keyboard == nil { HostClock.pause(Self.look) }
        let isDone =
          keyboard?.line(within: Self.look) != nil || ContinuousClock.now >= deadline
        guard isDone else { continue }
        state.withLock { state in
          guard !state.isStopped else { return }
          state.isOver = true
          end()
        }
        return
      }
    }
  }

  /// Watches no more. Whoever comes back from here reads the keyboard alone.
  func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    if !wasStopped { hasEnded.wait() }
  }

  private static let look = Duration.milliseconds(100)
}
