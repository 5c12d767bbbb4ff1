import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps a mistake of the program at one station from ending the others in the middle of a tag.
///
/// A thread that can go no further gets a signal, which ends the process: where arithmetic
/// overflows or an index is out of range (SIGILL, SIGTRAP), where memory is not there (SIGSEGV,
/// SIGBUS; a recursion without an end is one of these), where a library divides by zero (SIGFPE) or
/// gives up (SIGABRT). Under guard, a station's thread stops there for good, and the line ends once
/// the other stations have finished their tags. What happens on any other thread ends the process,
/// and so does such a signal that somebody sends to the process.
package enum StationGuard {
  private static let onFall = Mutex<(@Sendable (Int) -> Void)?>(nil)
  /// Set up once; whether that was possible.
  private static let isSetUp = setUp()

  /// Once, so that no handler takes itself for the one before it.
  private static let isInstalled: Bool = {
    guard isSetUp else { return false }
    for number in Faults.all { Faults.take(number) }
    return true
  }()

  /// Guards the lines of this process from now on.
  package static func install() { _ = isInstalled }

  /// Calls `action` with the number of each station whose thread stops, until it is called again.
  static func watch(_ action: (@Sendable (Int) -> Void)?) { onFall.withLock { $0 = action } }

  /// Runs `body` on this thread as that of station `number`, below 255.
  static func run(_ number: Int, _ body: () -> Void) {
    guard isSetUp else { return body() }
    let key = pthread_key_t(stationKey.load(ordering: .sequentiallyConsistent))
    unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: number + 1))
    name("station \(number + 1)")
    Faults.letIn()
    HandlerStack.with(body)
    pthread_setspecific(key, nil)
    name("nfcprog")
  }

  /// Names this thread for whoever looks at the process from outside, as top(1) and gdb(1) do.
  private static func name(_ text: String) {
    #if canImport(Glibc)
      let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = unsafe write(file, text, text.utf8.count)
      close(file)
    #endif
  }

  private static func setUp() -> Bool {
    var key = pthread_key_t()
    var ends: [CInt] = [-1, -1]
    guard unsafe pthread_key_create(&key, nil) == 0, unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stationKey.store(Int(key), ordering: .sequentiallyConsistent)
    fallPipe.store(ends[1], ordering: .sequentiallyConsistent)
    DispatchQueue(label: "station guard").async { [end = ends[0]] in
      var byte: UInt8 = 0
      while unsafe read(end, &byte, 1) == 1 {
        onFall.withLock { $0 }?(Int(byte))
      }
    }
    return true
  }
}

/// Under which each thread of a station has its number, and one more.
let stationKey = Atomic<Int>(0)
/// The end of the pipe that the handler writes into.
let fallPipe = Atomic<CInt>(-1)
