import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP as a question that is asked between two steps.
///
/// The signals arrive on a thread of Dispatch, where anything may be done. The first asks for an end at the next safe
/// point; the second ends the exchange with the board that is under way; the third ends the process.
final class Interruption {
  private let state = State()
  private var sources: [any DispatchSourceSignal] = []

  private final class State: Sendable {
    let count = Atomic<Int>(0)
    let first = DispatchSemaphore(value: 0)
    let onSecond = Mutex<(@Sendable () -> Void)?>(nil)
  }

  /// Catches the signals from now on; not SIGHUP where it was ignored from the start, as nohup(1) does.
  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      if number == SIGHUP, unsafe unsafeBitCast(before, to: Int.self) == 1 { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [state] in
        switch state.count.add(1, ordering: .relaxed).newValue {
        case 1: state.first.signal()
        case 2: state.onSecond.withLock { $0 }?()
        default: _exit(ExitStatus.interrupted.rawValue)
        }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Whether somebody asked for the end.
  var isRequested: Bool { question() }

  /// The same as a question for other threads.
  var question: @Sendable () -> Bool {
    { [state] in state.count.load(ordering: .relaxed) > 0 }
  }

  /// Blocks until somebody asks for the end. One caller only.
  func wait() { state.first.wait() }

  /// What ends the exchange under way; runs on another thread.
  func onSecond(_ action: @escaping @Sendable () -> Void) {
    state.onSecond.withLock { $0 = action }
  }
}
