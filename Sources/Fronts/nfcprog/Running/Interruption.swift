import Dispatch
import Line
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP as a question that is asked between two steps.
///
/// A handler puts each signal into a pipe, from the moment it is set, so that none is lost before
/// anybody listens; a thread of Dispatch reads the pipe, where anything may be done. The first
/// signal asks for an end at the next safe point; the second ends the exchange with the board that
/// is under way; the third ends the process.
final class Interruption: @unchecked Sendable {
  // Sendable by hand: the source is made once and then only kept alive.
  private let state = State()
  private let source: (any DispatchSourceRead)?

  private final class State: Sendable {
    let count = Atomic<Int>(0)
    let first = DispatchSemaphore(value: 0)
    let onFirst = Mutex<(@Sendable () -> Void)?>(nil)
    let onSecond = Mutex<(@Sendable () -> Void)?>(nil)

    /// One more signal has come.
    func advance() {
      switch count.add(1, ordering: .relaxed).newValue {
      case 1:
        first.signal()
        onFirst.withLock { $0 }?()
      case 2: onSecond.withLock { $0 }?()
      default:
        ResultCommand.killAll()
        _exit(ExitStatus.interrupted.rawValue)
      }
    }
  }

  /// Catches the signals from now on; not SIGHUP where it was ignored from the start, as nohup(1)
  /// does.
  init() {
    var ends: [CInt] = [-1, -1]
    // Without a pipe, which takes more open files than there may be, a signal ends the process as
    // it does by default.
    guard unsafe pipe(&ends) == 0 else {
      source = nil
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
    source.setEventHandler { [state, end = ends[0]] in
      var byte: UInt8 = 0
      while unsafe read(end, &byte, 1) == 1 { state.advance() }
    }
    source.resume()
    self.source = source
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, passOn)
      if number == SIGHUP, unsafe unsafeBitCast(before, to: Int.self) == 1 {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Is true if somebody asked for the end.
  var isRequested: Bool { question() }

  /// The closure tells other threads whether somebody asked for the end.
  var question: @Sendable () -> Bool {
    { [state] in state.count.load(ordering: .relaxed) > 0 }
  }

  /// Blocks until somebody asks for the end. One caller only.
  func wait() { state.first.wait() }

  /// What ends a wait that has no limit; runs on another thread, at once where somebody has asked
  /// for the end already.
  func onFirst(_ action: @escaping @Sendable () -> Void) {
    state.onFirst.withLock { $0 = action }
    if isRequested { action() }
  }

  /// Returns what ends the exchange under way; runs on another thread.
  func onSecond(_ action: @escaping @Sendable () -> Void) {
    state.onSecond.withLock { $0 = action }
  }
}

/// The end of the pipe that the handler writes into.
private let signalPipe = Atomic<CInt>(-1)

/// The signal handler: nothing in it but what POSIX allows there.
private func passOn(_ number: CInt) {
  let before = errno
  var byte: UInt8 = 1
  _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = before
}
