import Clibnfc
import Dispatch
import Synchronization

/// Ends a blocked exchange from another thread: for a second Ctrl-C, when a board hangs.
///
/// The exchange under way throws `interrupted` and so does every later one; whether the tag carried
/// out the last command is then not known. Not for signal handlers: it takes a lock and allocates.
package final class Interrupter: Sendable {
  private struct State {
    var device: LibraryPointer?
    var isExchanging = false
    var isRequested = false
    var isIgnored = false
  }
  private let state = Mutex(State())

  init() {}

  /// Asks for the end. The exchange ends at once, or a moment later where it was just about to
  /// begin.
  package func interrupt() {
    state.withLock { if !$0.isIgnored { $0.isRequested = true } }
    abort(repetitions: Self.repetitions)
  }

  /// libnfc forgets a request that comes before it waits, so that it is repeated.
  private static let repetitions = 5
  private static let pause = DispatchTimeInterval.milliseconds(100)

  private func abort(repetitions: Int) {
    let isExchanging = state.withLock { state in
      // Outside an exchange libnfc would lose a descriptor and forget the request.
      guard state.isRequested, state.isExchanging, let device = state.device else { return false }
      unsafe nfc_abort_command(device.raw)
      return true
    }
    guard isExchanging, repetitions > 0 else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) {
      self.abort(repetitions: repetitions - 1)
    }
  }

  /// The end that was asked for has come: exchanges are carried out again, whoever asks for
  /// another, until `heed`.
  func ignore() { state.withLock { ($0.isRequested, $0.isIgnored) = (false, true) } }
  func heed() { state.withLock { $0.isIgnored = false } }

  /// Is true if an end was asked for.
  package var isRequested: Bool { state.withLock { $0.isRequested } }

  func attach(_ device: LibraryPointer) { state.withLock { $0.device = device } }

  /// Before the device is closed.
  func detach() { state.withLock { $0.device = nil } }

  func begin() { state.withLock { $0.isExchanging = true } }

  func end() { state.withLock { $0.isExchanging = false } }
}
