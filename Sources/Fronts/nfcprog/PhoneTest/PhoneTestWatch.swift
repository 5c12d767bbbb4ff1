import Dispatch
import Readers
import Synchronization

/// Ends a wait for a telephone once a person presses Enter, or after a time.
final class PhoneTestWatch: Sendable {
  private let state = Mutex((isOver: false, isStopped: false, isSkipped: false))
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Says whether the person or the time has ended it.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Says whether the person has ended it.
  var isSkipped: Bool { state.withLock { $0.isSkipped } }

  /// `end` is called once, on another thread, and never after `stop`.
  init(_ patience: Duration, _ keyboard: LineKeyboard?, _ end: @escaping @Sendable () -> Void) {
    let deadline = ContinuousClock.now + patience
    DispatchQueue.global().async { [self] in
      defer { hasEnded.signal() }
      while !state.withLock({ $0.isStopped }) {
        if keyboard == nil { HostClock.pause(Self.look) }
        let isSkipped = keyboard?.line(within: Self.look) != nil
        guard isSkipped || ContinuousClock.now >= deadline else { continue }
        state.withLock { state in
          guard !state.isStopped else { return }
          (state.isOver, state.isSkipped) = (true, isSkipped)
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
