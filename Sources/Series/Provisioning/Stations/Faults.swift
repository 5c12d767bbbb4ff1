import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signals of threads that can go no further, and what is done then.
enum Faults {
  /// What was done with each signal before, by its number.
  nonisolated(unsafe) fileprivate static let before = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    unsafe actions.initialize(repeating: sigaction(), count: 65)
    return unsafe actions
  }()

  /// Those of a fault, and of a library that gives up.
  static let all = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

  /// Lets all of them reach this thread: Dispatch keeps some from its own.
  static func letIn() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in all { unsafe sigaddset(&set, number) }
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Has `number` stop the thread of a station that gets it from now on.
  static func take(_ number: CInt) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_sigaction = stop
    #else
      unsafe action.__sigaction_handler.sa_sigaction = stop
    #endif
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    // A thread that has stopped is to handle nothing else.
    unsafe sigfillset(&action.sa_mask)
    _ = unsafe sigaction(number, &action, before + Int(number))
  }
}

/// The signal handler: nothing in it but what may be called there.
private func stop(
  _ number: CInt, _ facts: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let key = pthread_key_t(stationKey.load(ordering: .sequentiallyConsistent))
  let code = unsafe facts?.pointee.si_code ?? 0
  // What `siginfo_t` says of a signal that abort(3) and raise(3) sent: SI_TKILL, which Darwin
  // lacks.
  #if canImport(Darwin)
    let sentToThread: CInt = 0
  #else
    let sentToThread: CInt = -6
  #endif
  // The system tells of a fault, or the thread itself gave up; anything else was sent to the
  // process, and this thread happened to get it.
  if code > 0 || code == sentToThread, let station = unsafe pthread_getspecific(key) {
    var byte = UInt8(truncatingIfNeeded: Int(bitPattern: station) &- 1)
    _ = unsafe write(fallPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    // The thread may hold what the others wait for, the allocator's lock for one.
    wait(60)
    say(
      "nfcprog: A mistake in the program stopped a reader, and the others did not come to an end. Run the same command again: it knows which tags are unfinished.\n"
    )
    // EX_SOFTWARE.
    _exit(70)
  }
  _ = unsafe sigaction(number, Faults.before + Int(number), nil)
  // A fault happens again; what was sent is sent again, and comes once this handler has returned.
  if code <= 0 { raise(number) }
}

/// Waits for `seconds`, whatever signals come.
private func wait(_ seconds: Int) {
  var asked = timespec(tv_sec: seconds, tv_nsec: 0)
  var left = timespec()
  while unsafe nanosleep(&asked, &left) != 0 { asked = left }
}

/// Writes to standard error without a lock and without memory of the heap.
private func say(_ text: StaticString) {
  _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
}
