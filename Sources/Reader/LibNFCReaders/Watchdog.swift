import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends calls of libraries and drivers that do not come back by themselves.
///
/// libusb 0.1, below libnfc's USB drivers, waits without a limit for a transfer that it has already
/// had, where an answer and the end of its time came together (linux.c, `usb_urb_transfer`:
/// REAPURB); a serial driver waits for an adapter that takes no bytes. A signal ends both.
///
/// A call that is overdue has its thread signalled again and again. One that heeds no signal loses
/// the device below it: every descriptor of the device's file leads to /dev/null from then on, and
/// `hasCut` says so.
final class Watchdog: Sendable {
  /// The device file, without symbolic links.
  private let file: String
  private let cut = Mutex(false)

  /// Watches over calls that use the device at `file`.
  init(over file: String) { self.file = file }

  /// Is true if the device was taken away from a call: nothing comes of it before it is opened
  /// anew.
  var hasCut: Bool { cut.withLock { $0 } }

  /// Runs `body`, which is to come back within `limit`. A signal comes 300 ms later, and then once
  /// in each such time: libnfc begins a wait on a serial line anew that a signal has ended. The
  /// device goes after five signals and `patience`.
  func run<Result, Failure: Error>(
    within limit: Duration, patience: Duration = .seconds(5),
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let call = WatchedCalls.begin(limit + Self.slack, patience) { [self] in
      DeviceCut.cut(file)
      cut.withLock { $0 = true }
    }
    defer { WatchedCalls.end(call) }
    return try body()
  }

  private static let slack = Duration.milliseconds(300)
}

/// The calls that are being watched, in the whole process, and what looks at them 20 times a second
/// while there are some.
private enum WatchedCalls {
  struct Call {
    let thread: WatchedThread
    let interval: Duration
    let patience: Duration
    let cut: @Sendable () -> Void
    /// When the next signal is due.
    var due: ContinuousClock.Instant
    /// When the first one was sent.
    var firstSignal: ContinuousClock.Instant?
    var signalCount = 0
    var isCut = false
  }

  private struct State {
    var calls: [Int: Call] = [:]
    var lastNumber = 0
    var isTicking = false
    var idleTicks = 0
  }

  private static let state = Mutex(State())
  private static let queue = DispatchQueue(label: "nfcprog watchdog")
  private static let tick = DispatchTimeInterval.milliseconds(50)
  /// So long does it go on looking when nothing is left to watch: exchanges follow each other.
  private static let mostIdleTicks = 20

  static func begin(
    _ interval: Duration, _ patience: Duration, cut: @escaping @Sendable () -> Void
  ) -> Int {
    WatchdogSignal.letIn()
    let call = Call(
      thread: WatchedThread(), interval: interval, patience: patience, cut: cut,
      due: .now + interval)
    return state.withLock { state in
      state.lastNumber += 1
      state.calls[state.lastNumber] = call
      if !state.isTicking {
        state.isTicking = true
        queue.asyncAfter(deadline: .now() + tick, execute: look)
      }
      return state.lastNumber
    }
  }

  /// No signal is sent for this call from now on.
  static func end(_ number: Int) { state.withLock { $0.calls[number] = nil } }

  private static func look() {
    let goesOn = state.withLock { state in
      let now = ContinuousClock.now
      for number in Array(state.calls.keys) { state.calls[number]?.look(at: now) }
      state.idleTicks = state.calls.isEmpty ? state.idleTicks + 1 : 0
      state.isTicking = state.idleTicks < mostIdleTicks
      return state.isTicking
    }
    if goesOn { queue.asyncAfter(deadline: .now() + tick, execute: look) }
  }
}

extension WatchedCalls.Call {
  private static let signalsBeforeCut = 5

  /// Does what is due. A process that stood still finds everything overdue at once, which is no
  /// fault of the call: the device is taken away only after signals that came one by one.
  fileprivate mutating func look(at now: ContinuousClock.Instant) {
    guard now >= due else { return }
    let first = firstSignal ?? now
    firstSignal = first
    if !isCut, signalCount >= Self.signalsBeforeCut, first.duration(to: now) >= patience {
      isCut = true
      cut()
    }
    thread.signal()
    signalCount += 1
    due = now + interval
  }
}

/// The thread of a call. It may be signalled by others for as long as the call lasts.
@safe private struct WatchedThread: @unchecked Sendable {
  private let thread: pthread_t

  /// The thread that asks.
  init() { thread = pthread_self() }

  func signal() { _ = pthread_kill(thread, WatchdogSignal.number) }
}
