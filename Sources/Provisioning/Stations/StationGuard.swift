import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps a mistake of the program at one station from ending the others in the middle of a tag.
///
/// Swift ends a process where arithmetic overflows or an index is out of range: the thread that did
/// it gets SIGILL or SIGTRAP, before any memory is damaged. Under guard, a station's thread stops
/// there for good, and the line ends once the other stations have finished their tags.
package enum StationGuard {
  /// How long the others may take: the thread that stopped may hold what they wait for.
  private static let patience = DispatchTimeInterval.seconds(60)
  private static let onFall = Mutex<(@Sendable (Int) -> Void)?>(nil)
  /// Set up once; whether that was possible.
  private static let isSetUp = setUp()

  /// Guards the lines of this process from now on.
  package static func install() {
    guard isSetUp else { return }
    for number in [SIGILL, SIGTRAP] { signal(number, stop) }
  }

  /// Calls `action` with the number of each station whose thread stops, until it is called again.
  static func watch(_ action: (@Sendable (Int) -> Void)?) { onFall.withLock { $0 = action } }

  /// Runs `body` on this thread as that of station `number`, below 255.
  static func run(_ number: Int, _ body: () -> Void) {
    guard isSetUp else { return body() }
    let key = pthread_key_t(stationKey.load(ordering: .sequentiallyConsistent))
    unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: number + 1))
    name("station \(number + 1)")
    body()
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
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          // EX_SOFTWARE: tags may be unfinished, as after any sudden end; the next run knows them.
          _exit(70)
        }
        onFall.withLock { $0 }?(Int(byte))
      }
    }
    return true
  }
}

/// Under which each thread of a station has its number, and one more.
private let stationKey = Atomic<Int>(0)
/// The end of the pipe that the handler writes into.
private let fallPipe = Atomic<CInt>(-1)

/// The signal handler: nothing in it but what may be called there. What happens on other threads
/// ends the process, as without it.
private func stop(_ number: CInt) {
  let key = pthread_key_t(stationKey.load(ordering: .sequentiallyConsistent))
  guard let station = unsafe pthread_getspecific(key) else {
    signal(number, SIG_DFL)
    return
  }
  var byte = UInt8(truncatingIfNeeded: Int(bitPattern: station) &- 1)
  _ = unsafe write(fallPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
  while true { _ = pause() }
}
